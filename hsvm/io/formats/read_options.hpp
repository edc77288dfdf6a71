// How a data file is to be read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "hsvm/core/types.hpp"

namespace hsvm {

enum class DataFormat { libsvm, csv, tsv };
enum class Precision { double_precision, single_precision };
enum class Storage { automatic, dense, sparse };  // automatic: whichever takes fewer bytes

// Without ReadOptions::n_features an index in a sparse file may not exceed this: a stray digit should not ask
// for hundreds of gigabytes.
inline constexpr Index kMaxFeatures = 100'000'000;

// Parsed entries of a block of this size stay in the cache of one core.
inline constexpr std::size_t kDefaultBlockBytes = std::size_t{256} << 10;

struct ReadOptions {
  std::optional<DataFormat> format;  // absent: by the file's name, LIBSVM where that says nothing
  std::optional<Index> n_features;   // the number of columns of X; an index above it is refused
  std::optional<std::string>
      label;                    // CSV: the label's column, by name or by number (1 is the first, -1 the last)
  bool labels_required = true;  // false: unlabelled data is accepted
  std::vector<std::string>
      feature_names;  // CSV: take the columns with these names, in this order, and no others
  Precision precision = Precision::double_precision;
  Storage storage = Storage::automatic;
  std::size_t block_bytes =
      kDefaultBlockBytes;  // text parsed at a time by one thread; the result is the same for any
};

}  // namespace hsvm
