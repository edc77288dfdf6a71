// The Cholesky factor H = L L' of a positive definite matrix, in place: L on and below the diagonal. Blocked,
// so that nearly all of its m^3/3 multiplications run in the kernel of outer_products.hpp.
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/linalg/outer_products.hpp"
#include "hsvm/linalg/symmetric_matrix.hpp"

namespace hsvm {

class Cholesky {
 public:
  // The matrix to fill in (on and below the diagonal) before factor().
  SymmetricMatrix& matrix() { return l_; }

  // A pivot below `tiny` times its diagonal entry in H is replaced by that entry times `tiny`: a direction in
  // which H is flat gets a step that the line search can shorten. Returns whether all pivots were positive and
  // finite.
  bool factor(double tiny = 1e-13);

  // x <- H^{-1} x
  void solve(std::span<double> x) const;

 private:
  SymmetricMatrix l_;
  std::vector<double> floor_;    // m: of the pivots
  AlignedBuffer<double> block_;  // columns on their way
  PackedPanel panel_;
};

}  // namespace hsvm
