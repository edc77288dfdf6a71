// A dense design, column-major: entry (i, j) at values[i + j * stride], the stride being the number of rows but where a matrix is
// made of some rows of a longer one.
//
// A matrix refers to its memory and shares it with its copies until one of them is written to: memory of its own, or
// somebody else's array, used in place and kept alive by `owner`. Row-major arrays (NumPy's default order) are transposed
// by blocks on the way in: X is read many times and by columns, so one copy at the speed of memory costs less than every
// later pass over strided columns.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/data/design.hpp"

namespace hsvm {

template <class T>
class DenseMatrix final : public Design {
 public:
  using Scalar = T;

  DenseMatrix() = default;
  DenseMatrix(Index rows, Index cols);  // all zero, in memory of its own
  // Column-major values in place; `owner` keeps them alive, null where the caller does.
  DenseMatrix(Index rows, Index cols, std::span<const T> values, std::shared_ptr<const void> owner);
  // The same with columns `stride` >= rows numbers apart: from the first of the first column to the last of the last.
  DenseMatrix(Index rows, Index cols, Index stride, std::span<const T> values,
              std::shared_ptr<const void> owner);
  // A copy of row-major values: entry (i, j) at values[i * cols + j].
  [[nodiscard]] static DenseMatrix from_row_major(Index rows, Index cols, std::span<const T> values);

  [[nodiscard]] T operator()(Index i, Index j) const {
    return values_[offset(j) + static_cast<std::size_t>(i)];
  }
  // For filling a matrix. Memory that others refer to, or that belongs to somebody else, is copied before the first write.
  [[nodiscard]] T& operator()(Index i, Index j) {
    if (own_.use_count() != 1) copy_to_own();
    return (*own_)[offset(j) + static_cast<std::size_t>(i)];
  }
  using Design::column;
  [[nodiscard]] std::span<const T> column(Index j) const {
    return {values_ + offset(j), static_cast<std::size_t>(rows_)};
  }

  [[nodiscard]] Index rows() const override { return rows_; }
  [[nodiscard]] Index cols() const override { return cols_; }
  using Design::multiply;
  using Design::multiply_transposed;
  void multiply(Columns columns, std::span<const double> w, std::span<double> out) const override;
  void multiply_transposed(Columns columns, std::span<const double> r, std::span<double> out) const override;
  void multiply(Columns columns, const ClassMatrix& w, ClassMatrix& out) const override;
  void multiply_transposed(Columns columns, const ClassMatrix& r, ClassMatrix& out) const override;
  [[nodiscard]] double column_dot(Index j, std::span<const double> r) const override;
  void add_column(Index j, double factor, std::span<const double> s, std::span<double> out) const override;
  void column_dot(Index j, const ClassMatrix& r, std::span<double> out) const override;
  void add_column(Index j, std::span<const double> factors, const ClassMatrix& s,
                  ClassMatrix& out) const override;
  [[nodiscard]] ColumnView column(Index j, ColumnBuffer& buffer) const override;
  void gather(Index j, std::span<const Index> samples, double* out, Index stride) const override;
  [[nodiscard]] std::shared_ptr<const Design> take_rows(std::span<const Index> rows) const override;

 private:
  void copy_to_own();
  [[nodiscard]] std::vector<const T*> column_pointers(Columns columns, Index first_row) const;
  [[nodiscard]] std::size_t offset(Index j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(stride_);
  }

  Index rows_ = 0;
  Index cols_ = 0;
  Index stride_ = 0;
  const T* values_ = nullptr;
  std::shared_ptr<AlignedBuffer<T>> own_;  // the memory, where it is the matrix's own
  std::shared_ptr<const void> owner_;      // what keeps it alive, where it is somebody else's
};

extern template class DenseMatrix<double>;
extern template class DenseMatrix<float>;

}  // namespace hsvm
