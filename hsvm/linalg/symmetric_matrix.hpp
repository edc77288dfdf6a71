// A dense symmetric matrix (m x m) stored in full by rows, padded so that tiles of kernels never leave it. What
// the Newton solver keeps of X'X: m is a few hundred working features, never p.
#pragma once

#include <algorithm>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/types.hpp"

namespace hsvm {

class SymmetricMatrix {
 public:
  static constexpr Index kTile = 12;  // rows and columns are padded to whole tiles

  SymmetricMatrix() = default;
  explicit SymmetricMatrix(Index size) { reset(size); }

  // All entries zero.
  void reset(Index size) {
    reserve_shape(size);
    values_.assign(static_cast<std::size_t>(stride_) * static_cast<std::size_t>(stride_), 0.0);
  }
  // Another shape; the entries are whatever is there.
  void reset_uninitialised(Index size) {
    reserve_shape(size);
    values_.resize(static_cast<std::size_t>(stride_) * static_cast<std::size_t>(stride_));
  }

  // Another size. The first `kept` rows and columns stay as they are, the rows from there on are zero; above the diagonal the
  // entries are whatever is there. Room is taken in advance, so that a matrix that grows by and by is seldom copied.
  void resize(Index size, Index kept);

  [[nodiscard]] Index size() const { return size_; }
  // The size in whole tiles; rows are `stride` apart, which may be more.
  [[nodiscard]] Index padded_size() const { return padded(size_); }
  [[nodiscard]] Index stride() const { return stride_; }
  [[nodiscard]] double* row(Index i) { return values_.data() + offset(i); }
  [[nodiscard]] const double* row(Index i) const { return values_.data() + offset(i); }
  [[nodiscard]] double operator()(Index i, Index j) const { return row(i)[j]; }

  // Copies the entries below the diagonal above it, for the rows and columns from `first` on.
  void mirror(Index first = 0);

 private:
  void reserve_shape(Index size) {
    size_ = size;
    stride_ = padded(size);
  }
  [[nodiscard]] static Index padded(Index size) { return (size + kTile - 1) / kTile * kTile; }
  [[nodiscard]] std::size_t offset(Index i) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(stride_);
  }

  Index size_ = 0;
  Index stride_ = 0;
  AlignedBuffer<double> values_;
};

}  // namespace hsvm
