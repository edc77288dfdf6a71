// The best intercept for given scores z (n) without one: the root of the derivative of
//
//   q(b) = (1/n) sum_i s_i phi(y_i (z_i + b)) + lambda3/2 b^2
//
// q' is continuous, piecewise linear and non-decreasing, so a safeguarded Newton iteration ends on the piece of
// the root and is then exact. With lambda3 = 0 it makes sum_i s_i y_i a_i = 0, which the dual of a free
// intercept requires. Where the scores have an intercept already, `held` says which.
#pragma once

#include <span>

#include "hsvm/loss/margin_loss.hpp"
#include "hsvm/loss/margin_sums.hpp"

namespace hsvm {

[[nodiscard]] double best_intercept(const MarginLoss& loss, const Samples& samples, std::span<const double> z,
                                    double lambda3, double start, double held = 0.0);

}  // namespace hsvm
