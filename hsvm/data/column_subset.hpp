// Some columns of a design, seen as a design of their own. A view: the columns are not copied, the design must
// outlive it.
#pragma once

#include <cassert>
#include <span>
#include <utility>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/data/design.hpp"

namespace hsvm {

template <Design X>
class ColumnSubset {
 public:
  using Scalar = typename X::Scalar;

  ColumnSubset(const X& design, std::vector<Index> columns) : design_(&design), columns_(std::move(columns)) {}

  [[nodiscard]] Index rows() const { return design_->rows(); }
  [[nodiscard]] Index cols() const { return static_cast<Index>(columns_.size()); }
  [[nodiscard]] std::span<const Index> columns() const { return columns_; }

  void multiply(std::span<const double> w, std::span<double> out) const {
    const SparseCoefficients active = nonzeros(w);
    multiply(active.columns, active.values, out);
  }
  void multiply_transposed(std::span<const double> r, std::span<double> out) const {
    design_->multiply_transposed(columns_, r, out);
  }
  void multiply(std::span<const Index> columns, std::span<const double> w, std::span<double> out) const {
    design_->multiply(in_design(columns), w, out);
  }
  void multiply_transposed(std::span<const Index> columns, std::span<const double> r,
                           std::span<double> out) const {
    design_->multiply_transposed(in_design(columns), r, out);
  }
  void multiply(std::span<const Index> columns, const ClassMatrix& w, ClassMatrix& out) const {
    design_->multiply(in_design(columns), w, out);
  }
  void multiply_transposed(const ClassMatrix& r, ClassMatrix& out) const {
    design_->multiply_transposed(columns_, r, out);
  }
  void multiply_transposed(std::span<const Index> columns, const ClassMatrix& r, ClassMatrix& out) const {
    design_->multiply_transposed(in_design(columns), r, out);
  }
  void column_squared_norms(std::span<const Index> columns, std::span<const double> s,
                            std::span<double> out) const {
    design_->column_squared_norms(in_design(columns), s, out);
  }

 private:
  [[nodiscard]] std::vector<Index> in_design(std::span<const Index> columns) const {
    std::vector<Index> result(columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) result[c] = columns_[static_cast<std::size_t>(columns[c])];
    return result;
  }

  const X* design_;
  std::vector<Index> columns_;
};

}  // namespace hsvm
