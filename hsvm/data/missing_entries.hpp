// Entries of a design for which nothing was measured, and the values that stand in for them.
//
// The design has a zero there; where the entries are is kept apart, because what should stand there depends on the samples a
// model learns from: in cross-validation each fold has its own means (imputed_view.hpp).
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/data/design.hpp"

namespace hsvm {

struct MissingEntries {
  struct Column {
    Index feature = 0;
    std::vector<Index> rows = {};  // ascending
  };
  std::vector<Column> columns = {};  // those that have some, ascending

  [[nodiscard]] bool empty() const { return columns.empty(); }
  [[nodiscard]] Count size() const;
  // The rows of a feature; none where nothing is missing.
  [[nodiscard]] std::span<const Index> rows_of(Index feature) const;
  // Whether nothing is missing in row i, for each of n rows.
  [[nodiscard]] std::vector<char> complete_rows(Index n_rows) const;
  // Row k of the result is rows[k].
  [[nodiscard]] MissingEntries take_rows(std::span<const Index> rows, Index n_rows) const;
};

// What stands in for a missing value of a feature: nothing, the mean or the median of the others.
enum class Fill { none, mean, median };
inline constexpr std::array<std::string_view, 3> kFillNames = {"none", "mean", "median"};
[[nodiscard]] constexpr std::string_view to_string(Fill fill) {
  return kFillNames[static_cast<std::size_t>(fill)];
}

// The value for each of `features`, learned from the entries that are there, under the weights s; samples of weight 0 have no
// part in it. 0 for a feature without any. The median is that of the weights' distribution, the middle of two where both
// halves weigh the same. Over ranks there are means alone: the median throws OptionError there.
[[nodiscard]] std::vector<double> learn_fill(const Design& design, const MissingEntries& missing, Fill fill,
                                             std::span<const Index> features, std::span<const double> s,
                                             const Collective& ranks = single_process());

}  // namespace hsvm
