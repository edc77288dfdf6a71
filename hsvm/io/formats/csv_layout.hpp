// What the columns of a CSV or TSV file are, found from its first row and the options.
//
//   header     the first row is one when it has text where a number belongs: in a column other than the label's
//   label      ReadOptions::label, by name or number; else the header's label, class, target or y; else the first
//   features   ReadOptions::feature_names, in this order, where there is a header; else all columns but the label
//
// Where labels are not required there may be none: when the features are named and the first column is one of them, or
// when there are just as many columns as features are expected.
#pragma once

#include <string>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/io/formats/read_options.hpp"

namespace hsvm {

inline constexpr Index kLabelColumn = -1;
inline constexpr Index kIgnoredColumn = -2;
inline constexpr Index kGroupsColumn = -3;

struct CsvLayout {
  bool has_header = false;
  bool has_label = false;
  Index n_features = 0;
  std::vector<Index>
      role;  // of each column: its feature's number, kLabelColumn, kIgnoredColumn or kGroupsColumn
  std::string groups_name;
  std::vector<std::string> column_names;   // from the header, else empty
  std::vector<std::string> feature_names;  // likewise
};

// Throws InputError where the first row does not have what the options ask for.
[[nodiscard]] CsvLayout find_layout(const std::string& file, const std::vector<std::string>& first_row,
                                    const ReadOptions& options);

}  // namespace hsvm
