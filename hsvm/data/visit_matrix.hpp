// For what depends on how numbers are stored, writing files above all: calls visit(matrix) with the dense or sparse matrix of
// doubles or floats that a design is; a design of any other kind is visited as a dense copy.
#pragma once

#include "hsvm/data/csc_matrix.hpp"
#include "hsvm/data/dense_matrix.hpp"

namespace hsvm {

template <class Visit>
decltype(auto) visit_matrix(const Design& design, const Visit& visit) {
  if (const auto* const dense = dynamic_cast<const DenseMatrix<double>*>(&design)) return visit(*dense);
  if (const auto* const sparse = dynamic_cast<const CscMatrix<double>*>(&design)) return visit(*sparse);
  if (const auto* const dense = dynamic_cast<const DenseMatrix<float>*>(&design)) return visit(*dense);
  if (const auto* const sparse = dynamic_cast<const CscMatrix<float>*>(&design)) return visit(*sparse);
  DenseMatrix<double> copy(design.rows(), design.cols());
  const std::vector<Index> samples = all_indices(design.rows());
  for (Index j = 0; j < design.cols() && !samples.empty(); ++j) design.gather(j, samples, &copy(0, j), 1);
  return visit(static_cast<const DenseMatrix<double>&>(copy));
}

}  // namespace hsvm
