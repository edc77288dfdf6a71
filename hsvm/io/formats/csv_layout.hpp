// What the columns of a table are, found from its first rows and the options.
//
//   label      ReadOptions::label, by name or number; else the column called label, class, target or y, else status, outcome, group
//              or type; else the only column of words; else the last one where its name says so (tumour_class); else the first
//   id         the samples' names. ReadOptions::id; else a first column without a name; else a column that is called so (id,
//              patient_no, sample) or holds words, and has no value twice; else the first column, where it has different whole numbers and
//              that can hardly be chance
//   groups     ReadOptions::groups, by name or number
//   features   the others, or those of ReadOptions::only; a column holds numbers or words
//
// A table read for a model (ReadOptions::model) has the model's columns, found by name; those that the model does not use may
// be absent. Where model or table have no names they are matched by place, if there are just as many.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/io/formats/column_list.hpp"
#include "hsvm/io/formats/csv_head.hpp"
#include "hsvm/io/formats/read_options.hpp"

namespace hsvm {

// Roles of columns that are no values. What is >= 0 is a slot of numbers, what is <= kFirstWordSlot one of words.
inline constexpr Index kLabelColumn = -1;
inline constexpr Index kIgnoredColumn = -2;
inline constexpr Index kIdColumn = -3;
inline constexpr Index kEmptyColumn = -4;  // without a name, and with nothing in it
inline constexpr Index kGroupsColumn = -5;
inline constexpr Index kFirstWordSlot = -10;
[[nodiscard]] constexpr Index word_role(Index slot) {
  return kFirstWordSlot - slot;
}
[[nodiscard]] constexpr Index slot_of_role(Index role) {
  return role >= 0 ? role : kFirstWordSlot - role;
}

// A column that becomes features.
struct CsvSlot {
  Index column = 0;
  std::string name = {};  // of the column, or x1, x2, ...
  bool is_words = false;
  bool is_sure = false;                  // what it holds was seen, or said: anything else is an error
  bool is_any_text = false;              // numbers are words, too
  Index feature = 0;                     // of a model: the first feature it becomes
  std::optional<WordColumn> known = {};  // of a model: its words
};

struct CsvLayout {
  std::optional<Index> label = {};
  std::optional<Index> id = {};
  std::optional<Index> groups = {};
  std::vector<Index> role = {};         // of each column
  std::vector<CsvSlot> slots = {};      // of a model: ascending by feature
  bool has_names = false;               // of the columns
  std::vector<std::string> notes = {};  // what was taken for what
};

// What reading all rows has told of columns that the first rows did not.
struct CsvFindings {
  std::vector<char> has_words = {};  // columns that turned out to hold words
  std::vector<char> no_id = {};      // columns that turned out to have a value twice
};

// Throws InputError where the columns are not what the options ask for.
[[nodiscard]] CsvLayout find_layout(const CsvHead& head, const ColumnNames& names, const std::string& file,
                                    const ReadOptions& options, const CsvFindings& findings);

namespace detail {
[[nodiscard]] CsvLayout find_model_layout(const CsvHead& head, const ColumnNames& names,
                                          const std::string& file, const ReadOptions& options,
                                          const CsvFindings& findings);
// The column of the samples' names, if there is one among those that are `free`.
[[nodiscard]] std::optional<Index> find_id(const CsvHead& head, const ColumnNames& names,
                                           const ReadOptions& options, const CsvFindings& findings,
                                           const std::vector<char>& free);
// The label by its name in the header, strong names before weak ones; `free` are the columns that it may be.
[[nodiscard]] std::optional<Index> find_label_name(const ColumnNames& names, const std::string& file,
                                                   const std::vector<char>& free);
// Whether a column seems to hold words.
[[nodiscard]] bool holds_words(const CsvHead& head, const CsvFindings& findings, Index column);
// The parts of a name, in lower case: "Patient_ID", "patientId" and "patient id" are patient and id.
[[nodiscard]] std::vector<std::string> name_parts(const std::string& name);
}  // namespace detail

}  // namespace hsvm
