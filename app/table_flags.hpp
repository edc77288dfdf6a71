// The flags that say how a table is to be read: docs/tables.md has the rules.
#pragma once

#include <string>

#include "hsvm/api.hpp"

namespace hsvm::app {

struct TableFlags {
  std::string label;
  std::string id;
  bool no_id = false;
  std::string drop;
  std::string only;
  std::string words;
  int max_words = 50;
  std::string na;
  std::string missing;
  std::string decimal;
  bool transpose = false;
};

// Calls visit(OptionInfo, field) for every flag.
template <class Flags, class Visit>
void describe_table(Flags& flags, const Visit& visit) {
  visit(
      OptionInfo{
          "label",
          "the label's column, by name or number (1 is the first, -1 the last); default: one called label, class, "
          "target, y, status, outcome, group or type, else the only one with words, else the last or the first"},
      flags.label);
  visit(OptionInfo{"id", "the column of the samples' names, by name or number (default: found by itself)"},
        flags.id);
  visit(OptionInfo{"no_id", "no column has the samples' names: all are features"}, flags.no_id);
  visit(
      OptionInfo{"drop",
                 "columns to leave out: names, numbers, ranges (3-7) and patterns (qc_*), with commas between"},
      flags.drop);
  visit(OptionInfo{"only", "the columns to take as features, likewise (default: all others)"}, flags.only);
  visit(OptionInfo{"words", "columns to take as words though they hold numbers, likewise"}, flags.words);
  visit(OptionInfo{"max_words", "how many different words a column may have, each becoming a feature",
                   at_least(1)},
        flags.max_words);
  visit(
      OptionInfo{
          "na",
          "texts that stand for a missing value besides NA, NaN, null, '.', '?' and nothing, with commas between"},
      flags.na);
  visit(
      OptionInfo{
          "missing",
          "what becomes of missing values: mean or median (of the feature, learned without the samples held out), "
          "drop-samples or drop-features; default: they are refused"},
      flags.missing);
  visit(OptionInfo{"decimal", "the decimal mark of numbers, '.' or ',' (default: found from the numbers)"},
        flags.decimal);
  visit(OptionInfo{"transpose", "samples are columns and features are rows"}, flags.transpose);
}

// Writes the flags into the options. Throws OptionError for a value that a flag cannot take.
void apply(const TableFlags& flags, ReadOptions& options);
// The same for what only copies data: missing values stay, or go with their samples or features.
void apply_for_copy(const TableFlags& flags, ReadOptions& options);

}  // namespace hsvm::app
