// The entries of a design one at a time: those of a column, and all of them by rows.
#pragma once

#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/data/design.hpp"

namespace hsvm::baselines {

// Calls visit(i, x_ij) for the entries of a column that are stored.
template <class Visit>
void for_each_entry(const ColumnView& column, const Visit& visit) {
  if (column.sparse) {
    for (std::size_t e = 0; e < column.rows.size(); ++e) visit(column.rows[e], column.values[e]);
  } else {
    for (std::size_t i = 0; i < column.values.size(); ++i) visit(static_cast<Index>(i), column.values[i]);
  }
}

// A design by rows, for packages that want it so: the entries of row i are start[i] .. start[i+1]-1 of columns[] and
// values[]. Zeros are left out, those of dense designs included.
struct RowEntries {
  std::vector<std::size_t> start;
  std::vector<Index> columns;
  std::vector<double> values;
};
[[nodiscard]] RowEntries by_rows(const Design& design);

}  // namespace hsvm::baselines
