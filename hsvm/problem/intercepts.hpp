// The best intercepts b (J, sum zero) of the all-together model for given scores Z (n x J) without them: the
// minimiser of
//
//   q(b) = (1/n) sum_i s_i sum_{k != y_i} phi(-(Z_ik + b_k)) + lambda3/2 |b|^2     subject to     sum(b) = 0
//
// q is convex and piecewise quadratic with a diagonal Hessian, so a Newton step is a division and a common
// multiplier; with an exact line search it ends on the piece of the minimiser, where it is exact. Where the
// elbow is so narrow that this takes too long, the breaks of q are sorted instead (sorted_intercepts.hpp).
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/loss/margin_loss.hpp"

namespace hsvm {

// y: class of each sample; `start`: where to begin, sum zero.
[[nodiscard]] std::vector<double> best_intercepts(const MarginLoss& loss, std::span<const Index> y,
                                                  std::span<const double> s, const ClassMatrix& z,
                                                  double lambda3, std::vector<double> start);

}  // namespace hsvm
