// A design matrix X (n_samples x n_features) as the solvers see it: products, of all columns or of a chosen
// few.
//
// clang-format off
//   multiply(w, out)                         out = X w       w: cols, out: rows; zero w_j cost nothing
//   multiply_transposed(r, out)              out = X' r      r: rows, out: cols
//   multiply(columns, w, out)                out = X_C w     C = columns, one coefficient for each
//   multiply_transposed(columns, r, out)     out = X_C' r    one number for each of C
//   multiply(columns, W, out)                out = X_C W     W: one row of J for each of C, out: rows x J
//   multiply_transposed(R, out)              out = X' R      R: rows x J, out: cols x J; also for chosen columns
//   column_squared_norms(columns, s, out)    out_j = sum_i s_i x_ij^2     s: rows; one number for each of C
//
// Single columns, for methods that go from one coordinate to the next (ColumnDesign):
//
//   column_dot(j, r)                         x_j' r
//   add_column(j, factor, s, out)            out += factor s o x_j     s, out: rows
//   column_dot(j, R, out)                    out = x_j' R              one number for each class, with the padding of R
//   add_column(j, factors, S, out)           out_ik += factors_k S_ik x_ij     S, out: rows x J; factors padded likewise
// clang-format on
//
// Vectors and sums are double whatever the storage type. Every product is bit-identical for any number of
// threads, and the product with a column does not depend on which other columns are asked for beside it.
#pragma once

#include <concepts>
#include <numeric>
#include <span>
#include <vector>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/core/class_matrix.hpp"

namespace hsvm {

template <class X>
concept Design = requires(const X& x, std::span<const double> in, std::span<double> out,
                          std::span<const Index> columns, const ClassMatrix& class_in, ClassMatrix& class_out) {
  typename X::Scalar;
  { x.rows() } -> std::same_as<Index>;
  { x.cols() } -> std::same_as<Index>;
  x.multiply(in, out);
  x.multiply_transposed(in, out);
  x.multiply(columns, in, out);
  x.multiply_transposed(columns, in, out);
  x.multiply(columns, class_in, class_out);
  x.multiply_transposed(class_in, class_out);
  x.multiply_transposed(columns, class_in, class_out);
  x.column_squared_norms(columns, in, out);
};

template <class X>
concept ColumnDesign = Design<X> &&
    requires(const X& x, std::span<const double> in, std::span<double> out, const ClassMatrix& class_in,
             ClassMatrix& class_out, double factor, Index j) {
  { x.column_dot(j, in) } -> std::same_as<double>;
  x.add_column(j, factor, in, out);
  x.column_dot(j, class_in, out);
  x.add_column(j, in, class_in, class_out);
};

// 0 .. n - 1: all columns.
[[nodiscard]] inline std::vector<Index> all_indices(Index n) {
  std::vector<Index> result(static_cast<std::size_t>(n));
  std::iota(result.begin(), result.end(), Index{0});
  return result;
}

// out_c = of_column(columns[c]) for all of them, in parallel.
template <class OfColumn>
void for_columns(std::span<const Index> columns, std::span<double> out, const OfColumn& of_column) {
  constexpr Index kBlock = 64;
  parallel_blocks(static_cast<Index>(columns.size()), kBlock, [&](Index begin, Index end) {
    for (auto c = static_cast<std::size_t>(begin); c < static_cast<std::size_t>(end); ++c)
      out[c] = of_column(columns[c]);
  });
}

// The nonzero entries of a coefficient vector, so that products touch their columns only.
struct SparseCoefficients {
  std::vector<Index> columns;
  std::vector<double> values;
};
[[nodiscard]] inline SparseCoefficients nonzeros(std::span<const double> w) {
  SparseCoefficients result;
  for (std::size_t j = 0; j < w.size(); ++j) {
    if (w[j] != 0.0) {
      result.columns.push_back(static_cast<Index>(j));
      result.values.push_back(w[j]);
    }
  }
  return result;
}

}  // namespace hsvm
