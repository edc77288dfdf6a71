// A dense design, column-major: entry (i, j) at values[i + j * rows].
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/data/design.hpp"

namespace hsvm {

template <class T>
class DenseMatrix {
 public:
  using Scalar = T;

  DenseMatrix() = default;
  DenseMatrix(Index rows, Index cols);  // all zero

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return cols_; }

  [[nodiscard]] T operator()(Index i, Index j) const { return values_[offset(j) + i]; }
  [[nodiscard]] T& operator()(Index i, Index j) { return values_[offset(j) + i]; }
  [[nodiscard]] std::span<const T> column(Index j) const {
    return {values_.data() + offset(j), static_cast<std::size_t>(rows_)};
  }

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
  // sum_i s_i (scale (x_ij - center))^2, `total` being the sum of s. Scaled before it is squared: features of
  // any size have squares then.
  [[nodiscard]] double standardized_squared_norm(Index j, double center, double scale,
                                                 std::span<const double> s, double total) const;

 private:
  [[nodiscard]] std::vector<const T*> column_pointers(std::span<const Index> columns, Index first_row) const;
  [[nodiscard]] std::size_t offset(Index j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(rows_);
  }

  Index rows_ = 0;
  Index cols_ = 0;
  AlignedBuffer<T> values_;
};

static_assert(ColumnDesign<DenseMatrix<double>> && ColumnDesign<DenseMatrix<float>>);
extern template class DenseMatrix<double>;
extern template class DenseMatrix<float>;

}  // namespace hsvm
