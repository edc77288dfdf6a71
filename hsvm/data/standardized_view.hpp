// A design seen through a standardisation: z_ij = scales_j (x_ij - centers_j), of which nothing is stored but
// the two numbers of each feature.
//
//   Z w  = X v - (centers'v) 1,  v = scales o w         Z'r = scales o (X'r - (1'r) centers)
//
// so a product costs what it costs with X, sparse or not. Columns that are left out (scale 0) are not read,
// whatever stands in them. A view: the matrix and the standardisation must outlive it.
#pragma once

#include <span>

#include "hsvm/core/types.hpp"
#include "hsvm/data/csc_matrix.hpp"
#include "hsvm/data/dense_matrix.hpp"
#include "hsvm/data/design.hpp"
#include "hsvm/data/standardization.hpp"

namespace hsvm {

template <ColumnDesign X>
class StandardizedView {
 public:
  using Scalar = typename X::Scalar;

  StandardizedView(const X& matrix, const Standardization& standardization);

  [[nodiscard]] Index rows() const { return matrix_->rows(); }
  [[nodiscard]] Index cols() const { return matrix_->cols(); }
  [[nodiscard]] const X& matrix() const { return *matrix_; }
  [[nodiscard]] double center(Index j) const { return standardization_->centers[static_cast<std::size_t>(j)]; }
  [[nodiscard]] double scale(Index j) const { return standardization_->scales[static_cast<std::size_t>(j)]; }

  // The products of hsvm/data/design.hpp.
  void multiply(std::span<const double> w, std::span<double> out) const;
  void multiply_transposed(std::span<const double> r, std::span<double> out) const;
  void multiply(std::span<const Index> columns, std::span<const double> w, std::span<double> out) const;
  void multiply_transposed(std::span<const Index> columns, std::span<const double> r,
                           std::span<double> out) const;
  void multiply(std::span<const Index> columns, const ClassMatrix& w, ClassMatrix& out) const;
  void multiply_transposed(const ClassMatrix& r, ClassMatrix& out) const;
  void multiply_transposed(std::span<const Index> columns, const ClassMatrix& r, ClassMatrix& out) const;
  void column_squared_norms(std::span<const Index> columns, std::span<const double> s,
                            std::span<double> out) const;
  [[nodiscard]] double column_dot(Index j, std::span<const double> r) const;
  void add_column(Index j, double factor, std::span<const double> s, std::span<double> out) const;
  void column_dot(Index j, const ClassMatrix& r, std::span<double> out) const;
  void add_column(Index j, std::span<const double> factors, const ClassMatrix& s, ClassMatrix& out) const;

 private:
  const X* matrix_;
  const Standardization* standardization_;
  bool all_kept_ = true;
};

// The matrix whose entries are in memory, whatever it is seen through.
template <class X>
[[nodiscard]] const X& stored_matrix(const X& matrix) {
  return matrix;
}
template <class X>
[[nodiscard]] const X& stored_matrix(const StandardizedView<X>& view) {
  return view.matrix();
}

// Every kind of design that is fitted to, for explicit instantiations: HSVM_FOR_EVERY_DESIGN(M) is M(X); for
// each.
#define HSVM_FOR_EVERY_MATRIX(M) \
  M(DenseMatrix<double>);        \
  M(DenseMatrix<float>);         \
  M(CscMatrix<double>);          \
  M(CscMatrix<float>)
#define HSVM_FOR_EVERY_DESIGN(M)            \
  HSVM_FOR_EVERY_MATRIX(M);                 \
  M(StandardizedView<DenseMatrix<double>>); \
  M(StandardizedView<DenseMatrix<float>>);  \
  M(StandardizedView<CscMatrix<double>>);   \
  M(StandardizedView<CscMatrix<float>>)

#define HSVM_EXTERN_STANDARDIZED_VIEW(X)            \
  static_assert(ColumnDesign<StandardizedView<X>>); \
  extern template class StandardizedView<X>
HSVM_FOR_EVERY_MATRIX(HSVM_EXTERN_STANDARDIZED_VIEW);
#undef HSVM_EXTERN_STANDARDIZED_VIEW

}  // namespace hsvm
