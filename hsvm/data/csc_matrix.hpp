// A sparse design by compressed columns: column j holds entries start[j] .. start[j+1]-1 of rows[] and
// values[], its rows strictly increasing.
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/data/design.hpp"

namespace hsvm {

template <class T>
class CscMatrix {
 public:
  using Scalar = T;

  CscMatrix() : start_(1, 0) {}
  // Takes the three arrays as they are: start has cols + 1 entries, the last being the number of nonzeros.
  CscMatrix(Index rows, AlignedBuffer<Count> start, AlignedBuffer<Index> row_indices, AlignedBuffer<T> values);

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return static_cast<Index>(start_.size()) - 1; }
  [[nodiscard]] Count n_nonzeros() const { return start_.back(); }

  struct Column {
    std::span<const Index> rows;
    std::span<const T> values;
  };
  [[nodiscard]] Column column(Index j) const {
    const auto begin = static_cast<std::size_t>(start_[static_cast<std::size_t>(j)]);
    const auto size = static_cast<std::size_t>(start_[static_cast<std::size_t>(j) + 1]) - begin;
    return {{row_indices_.data() + begin, size}, {values_.data() + begin, size}};
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
  // Cuts columns into chunks of about equal numbers of nonzeros, each with at least `per_row` nonzeros for each
  // row of X, so that a partial result for each chunk costs little. Chunk k is from the k-th number returned to
  // the next.
  [[nodiscard]] std::vector<std::size_t> cut_columns(std::span<const Index> columns, Count per_row,
                                                     Count max_chunks) const;
  template <class ColumnOf>
  void sum_columns(const std::vector<std::size_t>& begins, const ColumnOf& column_of, std::span<const double> w,
                   std::span<double> out) const;

  Index rows_ = 0;
  AlignedBuffer<Count> start_;
  AlignedBuffer<Index> row_indices_;
  AlignedBuffer<T> values_;
};

static_assert(ColumnDesign<CscMatrix<double>> && ColumnDesign<CscMatrix<float>>);
extern template class CscMatrix<double>;
extern template class CscMatrix<float>;

}  // namespace hsvm
