// The entries of a design by rows.
#pragma once

#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/data/design.hpp"

namespace hsvm::baselines {

// A design by rows, for packages that want it so: the entries of row i are start[i] .. start[i+1]-1 of columns[] and
// values[]. Zeros are left out, those of dense designs included.
struct RowEntries {
  std::vector<std::size_t> start;
  std::vector<Index> columns;
  std::vector<double> values;
};
[[nodiscard]] RowEntries by_rows(const Design& design);

}  // namespace hsvm::baselines
