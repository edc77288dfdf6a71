// For what depends on how numbers are stored, writing files above all: calls visit(matrix) with the dense or sparse matrix of
// doubles or floats that a design is; a design of any other kind is visited as a copy.
#pragma once

#include <iterator>
#include <utility>

#include "hsvm/data/csc_matrix.hpp"
#include "hsvm/data/dense_matrix.hpp"

namespace hsvm {

namespace detail {

inline CscMatrix<double> copy_sparse(const Design& design) {
  AlignedBuffer<Count> starts(1, 0);
  AlignedBuffer<Index> rows;
  AlignedBuffer<double> values;
  ColumnBuffer buffer;
  for (Index j = 0; j < design.cols(); ++j) {
    const ColumnView view = design.column(j, buffer);
    for_each_entry(view, [&](std::size_t i, double value) {
      rows.push_back(static_cast<Index>(i));
      values.push_back(value);
    });
    starts.push_back(std::ssize(rows));
  }
  return {design.rows(), std::move(starts), std::move(rows), std::move(values)};
}

}  // namespace detail

template <class Visit>
decltype(auto) visit_matrix(const Design& seen, const Visit& visit) {
  const Design& design = seen.matrix();
  if (const auto* const dense = dynamic_cast<const DenseMatrix<double>*>(&design)) return visit(*dense);
  if (const auto* const sparse = dynamic_cast<const CscMatrix<double>*>(&design)) return visit(*sparse);
  if (const auto* const dense = dynamic_cast<const DenseMatrix<float>*>(&design)) return visit(*dense);
  if (const auto* const sparse = dynamic_cast<const CscMatrix<float>*>(&design)) return visit(*sparse);
  if (design.is_sparse()) return visit(detail::copy_sparse(design));
  DenseMatrix<double> copy(design.rows(), design.cols());
  const std::vector<Index> samples = all_indices(design.rows());
  for (Index j = 0; j < design.cols() && !samples.empty(); ++j) design.gather(j, samples, &copy(0, j), 1);
  return visit(static_cast<const DenseMatrix<double>&>(copy));
}

}  // namespace hsvm
