// The designs that baselines take, dense or sparse in double precision, and their columns one at a time.
#pragma once

#include <span>
#include <stdexcept>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/core/vector_sums.hpp"
#include "hsvm/data/csc_matrix.hpp"
#include "hsvm/data/dataset.hpp"
#include "hsvm/data/dense_matrix.hpp"

namespace hsvm::baselines {

template <class X>
inline constexpr bool kIsSparse = requires(const X& x) {
  x.stored();
};

// visit(X), whichever it is. Readers and generators give no other.
template <class Visit>
auto visit_design(const Dataset& data, const Visit& visit) {
  if (const auto* dense = data.design.get_if<DenseMatrix<double>>()) return visit(*dense);
  if (const auto* sparse = data.design.get_if<CscMatrix<double>>()) return visit(*sparse);
  throw std::logic_error(data.source + ": baselines take double precision");
}

// Calls visit(i, x_ij) for the entries of column j that are stored.
template <class X, class Visit>
void for_each_in_column(const X& x, Index j, const Visit& visit) {
  const auto column = x.column(j);
  if constexpr (kIsSparse<X>) {
    for (std::size_t k = 0; k < column.rows.size(); ++k) visit(column.rows[k], column.values[k]);
  } else {
    for (std::size_t i = 0; i < column.size(); ++i) visit(static_cast<Index>(i), column[i]);
  }
}

// x_j'r
template <class X>
[[nodiscard]] double column_dot(const X& x, Index j, std::span<const double> r) {
  if constexpr (kIsSparse<X>) {
    double sum = 0.0;
    for_each_in_column(x, j, [&](Index i, double value) { sum += value * r[static_cast<std::size_t>(i)]; });
    return sum;
  } else {
    return dot_of(x.column(j), r);
  }
}

// The same matrix by rows, for packages that want it so: the entries of row i are start[i] .. start[i+1]-1 of
// columns[] and values[]. Zeros are left out, dense designs included.
struct RowEntries {
  std::vector<std::size_t> start;
  std::vector<Index> columns;
  std::vector<double> values;
};

template <class X>
[[nodiscard]] RowEntries by_rows(const X& x) {
  RowEntries rows;
  rows.start.assign(static_cast<std::size_t>(x.rows()) + 1, 0);
  const auto for_each_nonzero = [&](const auto& visit) {
    for (Index j = 0; j < x.cols(); ++j) {
      for_each_in_column(x, j, [&](Index i, double value) {
        if (value != 0.0) visit(static_cast<std::size_t>(i), j, value);
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
