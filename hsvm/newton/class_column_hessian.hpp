// The multi-class model without Gram matrices (row_quadratic.hpp): H_k = X_W' D_k X_W + diag(ridge), D (n x J)
// the curvatures of the samples by class. For working sets with many features and few samples, or so large that
// Gram matrices would cost more than they save. A row costs two looks at its column, a sparse one as
// it is stored: what standardising adds to all entries, and the intercepts, are kept as J numbers.
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/newton/working_columns.hpp"

namespace hsvm {

class ClassColumnHessian {
 public:
  // bounds (m): for each column an upper bound on its curvature in any class, without the ridge. g (m x J): the
  // gradient at W. All must outlive the model.
  void begin(const WorkingColumns& columns, const ClassMatrix& curvatures, std::span<const double> bounds,
             std::span<const double> ridge, const ClassMatrix& g);

  void gradient(Index j, std::span<double> q) const;
  void curvature(Index j, std::span<double> h) const;
  void move(Index j, std::span<const double> change);
  void apply(std::span<const Index> rows, const ClassMatrix& d, ClassMatrix& out);

 private:
  const WorkingColumns* columns_ = nullptr;
  const ClassMatrix* curvatures_ = nullptr;
  std::span<const double> bounds_, ridge_;
  ClassMatrix g_;  // m x J, with the ridge's part as V moves
  // D o X_W (V - W) = z_ + D o 1 shift_', z_ (n x J) from the entries alone (hsvm/newton/working_columns.hpp).
  ClassMatrix z_;
  std::vector<double> z_sums_;             // J, padded: of the columns of z_
  std::vector<double> shift_;              // J, padded
  ClassMatrix border_;                     // X_W' D, without the column of ones
  std::vector<double> totals_;             // J, padded: of the columns of D
  ClassMatrix product_;                    // n x J
  mutable AlignedBuffer<double> scratch_;  // J, padded
};

}  // namespace hsvm
