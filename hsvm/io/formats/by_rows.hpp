// The rows of a design, one after the other. Designs are stored by columns: a few rows at a time are turned into row
// order, so that no second copy of the whole matrix is made.
//
//   for_each_row(x, [&](Index i, std::span<const Index> columns, std::span<const T> values) { ... });
//
// visits row i with the columns and values of its nonzeros.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/data/visit_matrix.hpp"

namespace hsvm {

inline constexpr Count kRowOrderEntries = Count{1} << 19;  // turned into row order at a time, about

template <class T, class Visit>
void for_each_row(const DenseMatrix<T>& x, const Visit& visit) {
  const Index n_rows_at_once =
      static_cast<Index>(std::clamp<Count>(kRowOrderEntries / std::max(x.cols(), 1), 1, 64));
  const auto width = static_cast<std::size_t>(x.cols());
  std::vector<T> rows(width * static_cast<std::size_t>(n_rows_at_once));
  std::vector<Index> columns;
  std::vector<T> values;
  for (Index first = 0; first < x.rows(); first += std::min(n_rows_at_once, x.rows() - first)) {
    const Index n_rows = std::min(n_rows_at_once, x.rows() - first);
    for (Index j = 0; j < x.cols(); ++j) {
      const std::span<const T> column = x.column(j);
      for (Index i = 0; i < n_rows; ++i) {
        rows[static_cast<std::size_t>(i) * width + static_cast<std::size_t>(j)] =
            column[static_cast<std::size_t>(first) + static_cast<std::size_t>(i)];
      }
    }
    for (Index i = 0; i < n_rows; ++i) {
      columns.clear();
      values.clear();
      for (Index j = 0; j < x.cols(); ++j) {
        const T value = rows[static_cast<std::size_t>(i) * width + static_cast<std::size_t>(j)];
        if (value == T{0}) continue;
        columns.push_back(j);
        values.push_back(value);
      }
      visit(first + i, std::span<const Index>(columns), std::span<const T>(values));
    }
  }
}

template <class T, class Visit>
void for_each_row(const CscMatrix<T>& x, const Visit& visit) {
  // Each turn looks at every column, so it should yield at least as many entries as there are columns.
  const Count n_turns = std::max<Count>(1, x.stored() / std::max<Count>(kRowOrderEntries, x.cols()));
  const auto n_rows_at_once = static_cast<Index>(std::max<Count>(1, x.rows() / n_turns));
  std::vector<std::size_t> n_visited(static_cast<std::size_t>(x.cols()), 0);  // entries of each column
  std::vector<std::size_t> row_begin;
  std::vector<Index> columns;
  std::vector<T> values;
  for (Index first = 0; first < x.rows();) {
    const Index n_rows = std::min(n_rows_at_once, x.rows() - first);
    const auto for_each_entry = [&](const auto& visit_entry) {
      for (Index j = 0; j < x.cols(); ++j) {
        const auto column = x.column(j);
        for (std::size_t k = n_visited[static_cast<std::size_t>(j)];
             k < column.rows.size() && column.rows[k] - first < n_rows; ++k) {
          visit_entry(j, static_cast<std::size_t>(column.rows[k] - first), column.values[k]);
        }
      }
    };
    // Filling row i moves row_begin[i + 1] from where the row begins to where it ends: hence two more than rows.
    row_begin.assign(static_cast<std::size_t>(n_rows) + 2, 0);
    for_each_entry([&](Index, std::size_t i, T) { ++row_begin[i + 2]; });
    for (std::size_t i = 2; i < row_begin.size(); ++i) row_begin[i] += row_begin[i - 1];
    columns.resize(row_begin.back());
    values.resize(row_begin.back());
    for_each_entry([&](Index j, std::size_t i, T value) {
      const std::size_t at = row_begin[i + 1]++;
      columns[at] = j;
      values[at] = value;
      ++n_visited[static_cast<std::size_t>(j)];
    });
    for (Index i = 0; i < n_rows; ++i) {
      const std::size_t begin = row_begin[static_cast<std::size_t>(i)];
      const std::size_t size = row_begin[static_cast<std::size_t>(i) + 1] - begin;
      visit(first + i, std::span<const Index>(columns).subspan(begin, size),
            std::span<const T>(values).subspan(begin, size));
    }
    first += n_rows;
  }
}

template <class Visit>
void for_each_row(const Design& design, const Visit& visit) {
  visit_matrix(design, [&](const auto& x) { for_each_row(x, visit); });
}

}  // namespace hsvm
