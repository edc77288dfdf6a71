// X'X (p x p) and XX' (n x n) in full. A dense design goes through the kernel of the library's own Gram
// matrices, a sparse one through outer products of its rows or columns.
#pragma once

#include <algorithm>

#include "baselines/columns.hpp"
#include "hsvm/linalg/outer_products.hpp"
#include "hsvm/linalg/symmetric_matrix.hpp"

namespace hsvm::baselines {

namespace detail {

// G (m x m) = sum over k of a_k a_k', where fill(panel, first, depth) puts `depth` of the `count` vectors, from
// the first on, into the panel's rows.
template <class Fill>
[[nodiscard]] SymmetricMatrix gram_of_dense(Index m, Index count, const Fill& fill) {
  constexpr Index kDepth = 128;  // vectors a panel: it stays in cache
  SymmetricMatrix gram(m);
  PackedPanel panel;
  for (Index first = 0; first < count; first += kDepth) {
    const Index depth = std::min(kDepth, count - first);
    panel.reset(depth, m);
    fill(panel, first, depth);
    add_outer_products(panel, 0, 1.0, gram);
  }
  gram.mirror();
  return gram;
}

inline void add_sparse_outer_product(std::span<const Index> indices, std::span<const double> values,
                                     SymmetricMatrix& gram) {
  for (std::size_t a = 0; a < indices.size(); ++a) {
    double* row = gram.row(indices[a]);
    for (std::size_t b = 0; b < indices.size(); ++b) row[indices[b]] += values[a] * values[b];
  }
}

}  // namespace detail

template <class X>
[[nodiscard]] SymmetricMatrix gram_of_columns(const X& x) {  // X'X
  if constexpr (kIsSparse<X>) {
    SymmetricMatrix gram(x.cols());
    const RowEntries rows = by_rows(x);
    for (std::size_t i = 0; i + 1 < rows.start.size(); ++i) {
      const std::size_t size = rows.start[i + 1] - rows.start[i];
      detail::add_sparse_outer_product({rows.columns.data() + rows.start[i], size},
                                       {rows.values.data() + rows.start[i], size}, gram);
    }
    return gram;
  } else {
    return detail::gram_of_dense(x.cols(), x.rows(), [&](PackedPanel& panel, Index first, Index depth) {
      for (Index j = 0; j < x.cols(); ++j) {
        double* column = panel.column(j);
        for (Index k = 0; k < depth; ++k) column[k * PackedPanel::kGroup] = x(first + k, j);
      }
    });
  }
}

template <class X>
[[nodiscard]] SymmetricMatrix gram_of_rows(const X& x) {  // XX'
  if constexpr (kIsSparse<X>) {
    SymmetricMatrix gram(x.rows());
    for (Index j = 0; j < x.cols(); ++j) {
      detail::add_sparse_outer_product(x.column(j).rows, x.column(j).values, gram);
    }
    return gram;
  } else {
    return detail::gram_of_dense(x.rows(), x.cols(), [&](PackedPanel& panel, Index first, Index depth) {
      for (Index k = 0; k < depth; ++k) {
        for (Index i = 0; i < x.rows(); ++i) panel.column(i)[k * PackedPanel::kGroup] = x(i, first + k);
      }
    });
  }
}

}  // namespace hsvm::baselines
