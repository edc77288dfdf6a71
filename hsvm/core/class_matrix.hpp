// A matrix with one column for each class, stored by rows: coefficients W (p x J), scores X W (n x J). A row is
// contiguous and padded with zeros to whole vector registers, so that kernels run over all classes at once.
#pragma once

#include <span>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/types.hpp"

namespace hsvm {

class ClassMatrix {
 public:
  static constexpr Index kPadding = 4;  // doubles in a vector register

  ClassMatrix() = default;
  ClassMatrix(Index rows, Index n_classes) { reset(rows, n_classes); }

  // All entries zero.
  void reset(Index rows, Index n_classes) {
    set_shape(rows, n_classes);
    values_.assign(offset(rows), 0.0);
  }
  // The entries are whatever is there: for who writes all of them, the padding included.
  void reset_uninitialised(Index rows, Index n_classes) {
    set_shape(rows, n_classes);
    values_.resize(offset(rows));
  }

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index n_classes() const { return n_classes_; }
  // Doubles from one row to the next, a multiple of kPadding.
  [[nodiscard]] Index stride() const { return stride_; }

  [[nodiscard]] std::span<double> row(Index i) { return {data(i), static_cast<std::size_t>(n_classes_)}; }
  [[nodiscard]] std::span<const double> row(Index i) const {
    return {data(i), static_cast<std::size_t>(n_classes_)};
  }
  [[nodiscard]] double* data(Index i) { return values_.data() + offset(i); }
  [[nodiscard]] const double* data(Index i) const { return values_.data() + offset(i); }
  // All rows with their padding, for what is done entry by entry.
  [[nodiscard]] std::span<double> values() { return values_; }
  [[nodiscard]] std::span<const double> values() const { return values_; }

 private:
  void set_shape(Index rows, Index n_classes) {
    rows_ = rows;
    n_classes_ = n_classes;
    stride_ = (n_classes + kPadding - 1) / kPadding * kPadding;
  }
  [[nodiscard]] std::size_t offset(Index i) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(stride_);
  }

  Index rows_ = 0;
  Index n_classes_ = 0;
  Index stride_ = 0;
  AlignedBuffer<double> values_;
};

}  // namespace hsvm
