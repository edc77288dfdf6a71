// How a data file is to be read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "hsvm/core/types.hpp"

namespace hsvm {

struct DataFormat;  // format_table.hpp

enum class Precision { double_precision, single_precision };
enum class Storage { automatic, dense, sparse };  // automatic: whichever takes fewer bytes

// Without ReadOptions::n_features an index in a sparse file may not exceed this: a stray digit should not ask for
// hundreds of gigabytes.
inline constexpr Index kMaxFeatures = 100'000'000;

// The entries parsed from a block of this size stay in the cache of one core.
inline constexpr std::size_t kDefaultBlockBytes = std::size_t{256} << 10;

struct ReadOptions {
  const DataFormat* format = nullptr;  // null: by the file's name, else by its content
  std::optional<Index> n_features;     // the number of columns of X, at least 1; an index above it is refused
  std::optional<Index> n_table_features;  // the same for tables only: a sparse file may have any number
  std::optional<std::string> label;   // of a table: the label's column, by name or number (1 first, -1 last)
  std::optional<std::string> groups;  // likewise: the column that says which samples belong together
  std::string labels_file;  // a word for each sample, one a line: instead of labels in the data; empty: none
  bool zero_based = false;  // of LIBSVM: indices count from 0
  bool labels_required = true;             // false: data without labels is accepted
  std::vector<std::string> feature_names;  // of a table: read the columns with these names, in this order alone
  Precision precision = Precision::double_precision;
  Storage storage = Storage::automatic;
  std::size_t block_bytes = kDefaultBlockBytes;  // that one thread parses at a time; any gives the same result

  void check() const;  // throws OptionError
};

}  // namespace hsvm
