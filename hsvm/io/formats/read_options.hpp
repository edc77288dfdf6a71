// How a data file is to be read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "hsvm/core/collective.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/data/word_column.hpp"

namespace hsvm {

struct DataFormat;  // format_table.hpp

enum class Precision { double_precision, single_precision };
// What becomes of missing values. They are refused, kept as they are (Dataset::missing) with or without a value that a fit puts
// in their place, or their samples or their features are left out.
enum class Missing { refuse, mean, median, drop_samples, drop_features, keep };
enum class Storage {
  automatic,
  dense,
  sparse
};  // automatic: dense unless that takes 1.5 times the bytes or more

// Without ReadOptions::n_features an index in a sparse file may not exceed this: a stray digit should not ask for
// hundreds of gigabytes.
inline constexpr Index kMaxFeatures = 100'000'000;

// The entries parsed from a block of this size stay in the cache of one core.
inline constexpr std::size_t kDefaultBlockBytes = std::size_t{256} << 10;

// What a fitted model knows of the table it was fitted to. A file is then read for the model: columns are found by their names,
// or by their places where only one of model and file has names, and only those that the model uses need to be there.
struct ModelColumns {
  Index n_features = 0;                         // of the model
  std::vector<std::string> feature_names = {};  // empty, or one for each
  std::vector<WordColumn> words = {};           // the features that are made of words
  std::vector<char> used = {};            // of each feature, whether the model looks at it; empty: all of them
  std::optional<std::string> label = {};  // the name of the label's column
  std::optional<Index> label_place = {};  // where it stood, of a table without names
};

// Samples begin .. end - 1.
struct RowRange {
  Index begin = 0;
  Index end = 0;
};

struct ReadOptions {
  const DataFormat* format = nullptr;  // null: by the file's name, else by its content
  std::optional<Index> n_features;     // the number of columns of X, at least 1; an index above it is refused
  std::optional<std::string> label;    // of a table: its column, by name or number (1 first, -1 last)
  std::optional<std::string> groups;   // likewise: the column that says which samples belong together
  std::string labels_file;  // a word for each sample, one a line: instead of labels in the data; empty: none
  bool zero_based = false;  // of LIBSVM: indices count from 0
  bool labels_required = true;  // false: data without labels is accepted
  // Of a table. Columns are listed by names, numbers (1 first, -1 last), ranges (3-7) and patterns (gene*), with commas between.
  std::optional<std::string> id;  // the column of the samples' names, by name or number
  bool no_id = false;             // there is none
  std::string drop;               // columns to leave out
  std::string only;               // the columns to read as features; empty: all
  std::string words;              // columns to take as words whatever they hold
  std::vector<std::string> na;    // texts that stand for a missing value besides the usual ones
  Missing missing = Missing::refuse;
  Index max_words = 50;               // different words in a column, at most
  std::optional<char> decimal;        // '.' or ','; absent: found from the numbers
  bool transpose = false;             // samples are columns, features are rows
  std::optional<ModelColumns> model;  // read for this model
  Precision precision = Precision::double_precision;
  Storage storage = Storage::automatic;
  const Collective* ranks = &single_process();  // each has a part of the samples, in their order
  std::optional<RowRange> rows;  // of a folder of arrays: these samples alone; classes are those of all
  std::size_t block_bytes = kDefaultBlockBytes;  // that one thread parses at a time; any gives the same result

  void check() const;  // throws OptionError
};

}  // namespace hsvm
