// The rows of a design, one after the other. Designs are stored by columns: a few rows at a time are turned into row
// order, so that no second copy of the whole matrix is made.
//
//   for_each_row(x, [&](Index i, std::span<const Index> columns, std::span<const T> values) { ... });
//
// visits row i with the columns and values of its nonzeros.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/data/visit_matrix.hpp"

namespace hsvm {

inline constexpr Count kRowOrderEntries = Count{1} << 19;  // turned into row order at a time, about

namespace detail {

// Calls visit(i, value) for the nonzeros of column j in rows first + i, 0 <= i < n_rows.
template <class T, class Visit>
void for_each_nonzero(const DenseMatrix<T>& x, Index j, Index first, Index n_rows, const Visit& visit) {
  const std::span<const T> column =
      x.column(j).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n_rows));
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (column[i] != T{0}) visit(i, column[i]);
  }
}
template <class T, class Visit>
void for_each_nonzero(const CscMatrix<T>& x, Index j, Index first, Index n_rows, const Visit& visit) {
  const auto [rows, values] = x.column(j);
  auto k = static_cast<std::size_t>(std::ranges::lower_bound(rows, first) - rows.begin());
  for (; k < rows.size() && rows[k] - first < n_rows; ++k)
    visit(static_cast<std::size_t>(rows[k] - first), values[k]);
}

// Counting sort by rows, of some rows at a time. Each turn looks at every column, so it should yield at least as many
// entries as there are columns.
template <template <class> class Matrix, class T, class Visit>
void for_each_row_of(const Matrix<T>& x, const Visit& visit) {
  const Count n_turns = std::max<Count>(1, x.stored() / std::max<Count>(kRowOrderEntries, x.cols()));
  const auto n_at_once = static_cast<Index>(std::max<Count>(1, x.rows() / n_turns));
  std::vector<std::size_t> row_begin;
  std::vector<Index> columns;
  std::vector<T> values;
  for (Index first = 0, n_rows = 0; first < x.rows(); first += n_rows) {
    n_rows = std::min(n_at_once, x.rows() - first);
    // Filling row i moves row_begin[i + 1] from where the row begins to where it ends: hence two more than rows.
    row_begin.assign(static_cast<std::size_t>(n_rows) + 2, 0);
    for (Index j = 0; j < x.cols(); ++j)
      for_each_nonzero(x, j, first, n_rows, [&](std::size_t i, T) { ++row_begin[i + 2]; });
    std::partial_sum(row_begin.begin(), row_begin.end(), row_begin.begin());
    columns.resize(row_begin.back());
    values.resize(row_begin.back());
    for (Index j = 0; j < x.cols(); ++j) {
      for_each_nonzero(x, j, first, n_rows, [&](std::size_t i, T value) {
        const std::size_t at = row_begin[i + 1]++;
        columns[at] = j;
        values[at] = value;
      });
    }
    for (Index i = 0; i < n_rows; ++i) {
      const std::size_t begin = row_begin[static_cast<std::size_t>(i)];
      const std::size_t size = row_begin[static_cast<std::size_t>(i) + 1] - begin;
      visit(first + i, std::span<const Index>(columns).subspan(begin, size),
            std::span<const T>(values).subspan(begin, size));
    }
  }
}

}  // namespace detail

template <class Visit>
void for_each_row(const Design& design, const Visit& visit) {
  visit_matrix(design, [&](const auto& x) { detail::for_each_row_of(x, visit); });
}

}  // namespace hsvm
