// A sparse design by compressed columns: column j holds entries start[j] .. start[j+1]-1 of rows[] and values[], its rows
// strictly increasing. As a dense matrix does, it refers to its memory: arrays of its own, or those of SciPy or R, used in
// place and kept alive by `owner`. Column starts are 64 bits wide, or 32 as these packages have them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/data/design.hpp"

namespace hsvm {

// cols + 1 numbers, the first 0, the last the number of entries.
class ColumnStarts {
 public:
  ColumnStarts() = default;
  ColumnStarts(std::span<const Count> starts) : wide_(starts.data()), size_(starts.size()) {}
  ColumnStarts(std::span<const std::int32_t> starts) : narrow_(starts.data()), size_(starts.size()) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Count operator[](std::size_t j) const { return wide_ != nullptr ? wide_[j] : narrow_[j]; }
  [[nodiscard]] bool is_aligned() const {
    return is_aligned_for<Count>(wide_) && is_aligned_for<std::int32_t>(narrow_);
  }

 private:
  const Count* wide_ = nullptr;
  const std::int32_t* narrow_ = nullptr;
  std::size_t size_ = 0;
};

template <class T>
class CscMatrix final : public Design {
 public:
  using Scalar = T;

  CscMatrix() : CscMatrix(0, AlignedBuffer<Count>(1, 0), {}, {}) {}  // 0 x 0
  // Takes the three arrays as they are.
  CscMatrix(Index rows, AlignedBuffer<Count> starts, AlignedBuffer<Index> row_indices, AlignedBuffer<T> values);
  // Refers to somebody else's arrays; `owner` keeps them alive, null where the caller does.
  CscMatrix(Index rows, ColumnStarts starts, std::span<const Index> row_indices, std::span<const T> values,
            std::shared_ptr<const void> owner);

  struct Column {
    std::span<const Index> rows;
    std::span<const T> values;

    [[nodiscard]] Column part(std::size_t begin, std::size_t end) const {
      return {rows.subspan(begin, end - begin), values.subspan(begin, end - begin)};
    }
  };
  using Design::column;
  [[nodiscard]] Column column(Index j) const {
    const auto begin = static_cast<std::size_t>(starts_[static_cast<std::size_t>(j)]);
    const auto size = static_cast<std::size_t>(starts_[static_cast<std::size_t>(j) + 1]) - begin;
    return {row_indices_.subspan(begin, size), values_.subspan(begin, size)};
  }

  [[nodiscard]] Index rows() const override { return rows_; }
  [[nodiscard]] Index cols() const override { return static_cast<Index>(starts_.size()) - 1; }
  [[nodiscard]] Count stored() const override { return starts_[starts_.size() - 1]; }
  [[nodiscard]] Count stored(Index j) const override { return std::ssize(column(j).rows); }
  [[nodiscard]] bool is_sparse() const override { return true; }
  using Design::multiply;
  using Design::multiply_transposed;
  void multiply(std::span<const double> w, std::span<double> out) const override;
  void multiply_transposed(std::span<const double> r, std::span<double> out) const override;
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
  [[nodiscard]] ColumnPart column_between(Index j, Index begin, Index end, ColumnBuffer& buffer) const override;
  [[nodiscard]] std::shared_ptr<const Design> take_rows(std::span<const Index> rows) const override;

 private:
  [[nodiscard]] Index rows_of_block() const;
  [[nodiscard]] Index n_row_blocks() const;
  [[nodiscard]] Count long_from() const;
  [[nodiscard]] Column between(const Column& x, Index begin, Index end) const;
  template <class Body>
  void for_each_block(Columns columns, std::span<const std::size_t> places, const Body& body) const;
  [[nodiscard]] std::vector<std::size_t> long_among(Columns columns) const;
  void add_short_columns(Columns columns, std::span<const double> w, std::span<double> out) const;
  // Cuts columns into chunks of about equal numbers of entries, or of entries of short ones, each with many entries
  // for each row of X, so that a partial result for each chunk costs little. Chunk k is from the k-th number returned
  // to the next.
  [[nodiscard]] std::vector<std::size_t> cut_columns(Columns columns, bool only_short = false) const;
  void dot_long_columns(Columns columns, std::span<const double> r, std::span<double> out) const;

  Index rows_ = 0;
  ColumnStarts starts_;
  std::span<const Index> row_indices_;
  std::span<const T> values_;
  std::shared_ptr<const void> owner_;
};

extern template class CscMatrix<double>;
extern template class CscMatrix<float>;

}  // namespace hsvm
