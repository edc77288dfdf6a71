// The elastic-net SVM with the plain hinge [XAC15, eq. 1], which the ADMM baseline solves:
//
//   P(b, w) = (1/n) sum_i max(0, 1 - y_i (b + x_i'w)) + lambda1 |w|_1 + lambda2/2 |w|^2
//
// with a free intercept or none, and the lower bound that any 0 <= a <= 1 (n) gives on its minimum. From
// max(0, 1 - t) = max over a in [0, 1] of a (1 - t), with c = X'(y o a)/n and, for the free intercept, sum(y o a) = 0:
//
//   D(a) = mean(a) - |S_lambda1(c)|^2/(2 lambda2),   or for lambda2 = 0: mean(a) where |c| <= lambda1
//
// This is the huberized problem's bound (hsvm/problem/binary_problem.hpp) at delta = 0.
#pragma once

#include <span>
#include <vector>

#include "hsvm/data/design.hpp"

namespace hsvm::baselines {

struct HingeProblem {
  const Design& design;       // n x p
  std::span<const double> y;  // +1 or -1
  double lambda1 = 0.0;
  double lambda2 = 0.0;
  bool intercept = true;

  // From the scores b + X w.
  [[nodiscard]] double objective(std::span<const double> w, std::span<const double> scores) const;
  [[nodiscard]] double objective(double b, std::span<const double> w) const;
  // The best D(k a), 0 <= k <= 1, after the duals of the class that has more have been scaled down to balance.
  [[nodiscard]] double dual_bound(std::vector<double> a) const;
};

}  // namespace hsvm::baselines
