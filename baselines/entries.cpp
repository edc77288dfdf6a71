#include "baselines/entries.hpp"

namespace hsvm::baselines {

RowEntries by_rows(const Design& design) {
  RowEntries rows;
  rows.start.assign(static_cast<std::size_t>(design.rows()) + 1, 0);
  ColumnBuffer buffer;
  const auto for_each_nonzero = [&](const auto& visit) {
    for (Index j = 0; j < design.cols(); ++j) {
      for_each_entry(design.column(j, buffer), [&](std::size_t i, double value) {
        if (value != 0.0) visit(i, j, value);
      });
    }
  };
  for_each_nonzero([&](std::size_t i, Index, double) { ++rows.start[i + 1]; });
  for (std::size_t i = 1; i < rows.start.size(); ++i) rows.start[i] += rows.start[i - 1];
  rows.columns.resize(rows.start.back());
  rows.values.resize(rows.start.back());
  std::vector<std::size_t> next(rows.start.begin(), rows.start.end() - 1);  // where row i goes on
  for_each_nonzero([&](std::size_t i, Index j, double value) {
    rows.columns[next[i]] = j;
    rows.values[next[i]++] = value;
  });
  return rows;
}

}  // namespace hsvm::baselines
