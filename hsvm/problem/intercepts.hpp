// The best intercepts b (J, sum zero) of the all-together model for given scores Z (n x J) without them: the
// minimiser of
//
//   q(b) = (1/n) sum_i s_i sum_{k != y_i} phi(t_ik(Z + b)) + lambda3/2 |b|^2     subject to     sum(b) = 0
//
// q is convex and piecewise quadratic: Newton's method with an exact line search ends on the piece of the
// minimiser, where it is exact (newton_intercepts.hpp). With absolute margins the Hessian is diagonal; where the
// elbow is so narrow that Newton takes too long, the breaks of q are sorted instead (sorted_intercepts.hpp), or, over ranks, the elbow is narrowed step by step.
// With relative margins classes couple, and a narrow elbow is approached from wider ones
// (relative_intercepts.hpp).
#pragma once

#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/loss/class_sums.hpp"
#include "hsvm/loss/margin_loss.hpp"

namespace hsvm {

// `start`: where to begin, sum zero.
[[nodiscard]] std::vector<double> best_intercepts(const MarginLoss& loss, ClassSamples samples,
                                                  const ClassMatrix& z, double lambda3,
                                                  std::vector<double> start);

}  // namespace hsvm
