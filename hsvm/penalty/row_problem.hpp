// The row problem of the all-together model [XAC15, eq. 17 and Alg. 2]: for one feature, with z (J),
//
//   min over w of 1/2 |w - z|^2 + lambda |w|_1   subject to   sum(w) = 0
//
// The solution is w = S_lambda(z - sigma) for the sigma at which these sum to zero. The sum is piecewise linear
// and decreasing in sigma, with breaks at z_k - lambda and z_k + lambda, and on the piece of the root sigma is a mean. Exact.
// differs from [XAC15, Alg. 2]: the piece is not found by walking along the sorted breaks but by Newton's method between bounds, which
// looks at all entries some three times and sorts nothing.
//
// w = 0 exactly when the half-range (max z - min z)/2 is at most lambda: that one test serves for most rows,
// for screening and for lambda1_max.
//
// The weighted form has curvatures h_k > 0: min sum_k h_k/2 (w_k - z_k)^2 + lambda |w|_1, with w_k =
// S_lambda(h_k z_k - sigma)/h_k.
#pragma once

#include <span>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/types.hpp"

namespace hsvm {

[[nodiscard]] double half_range(std::span<const double> z);

// Solves row problems with J entries; holds the room they need, so that solving allocates nothing.
class RowSolver {
 public:
  explicit RowSolver(Index n_classes);

  // Returns whether w is not zero. w may be z.
  bool solve(std::span<const double> z, double lambda, std::span<double> w);
  // The sigma of that solution; where the half-range allows w = 0, the middle of the range.
  [[nodiscard]] double multiplier(std::span<const double> z, double lambda);
  bool solve_weighted(std::span<const double> z, std::span<const double> h, double lambda, std::span<double> w);

 private:
  void take(std::span<const double> z, double centre);

  std::size_t size_;                // J; the others are filled up to whole registers, with inverses of 0
  AlignedBuffer<double> keys_;      // z, or h z
  AlignedBuffer<double> inverses_;  // 1, or 1/h
};

}  // namespace hsvm
