// The model of class_column_hessian.hpp with the mean of the samples' curvatures in the place of each sample's
// own (row_quadratic.hpp):
//
//   H = G (x) M + diag(ridge),     G = X_W'diag(s) X_W/n over all samples,   M = sum_i C_i (J x J)
//
// One Gram matrix serves all classes. It tells the support and the signs where there are many samples, and is a
// preconditioner for H as it is.
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/linalg/symmetric_matrix.hpp"
#include "hsvm/loss/class_sums.hpp"
#include "hsvm/newton/class_blocks.hpp"

namespace hsvm {

class ClassMeanHessian : public NoClassBlocks {
 public:
  // gram: n G; curvatures: as in the other; g (m x J): the gradient at W. gram and ridge must outlive the model.
  void begin(const SymmetricMatrix& gram, ClassSamples samples, const ClassMatrix& curvatures,
             std::span<const double> ridge, const ClassMatrix& g);

  void gradient(Index j, std::span<double> q) const;
  void curvature(Index j, std::span<double> h) const;  // as in the other
  void move(Index j, std::span<const double> change);
  void apply(std::span<const Index> rows, const ClassMatrix& d, ClassMatrix& out);
  // How many numbers of the Gram matrix were used since the model began.
  [[nodiscard]] double numbers_used() const { return numbers_used_; }

 private:
  // to = M change/n
  void multiply_mean(std::span<const double> change, double* to) const;

  const SymmetricMatrix* gram_ = nullptr;
  bool is_relative_ = false;
  double numbers_used_ = 0.0;
  std::span<const double> ridge_;
  ClassMatrix mean_;     // J x J: M/n
  ClassMatrix q_;        // m x J: the gradient
  ClassMatrix product_;  // m x J
  AlignedBuffer<double> scratch_;
};

}  // namespace hsvm
