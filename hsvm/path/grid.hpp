// The lambdas of a regularisation path, from lambda1_max, where the model is empty, downwards:
//
//   lambda2 and lambda3 fixed      lambda1 = lambda1_max r^(k/(K-1)), k = 0 .. K-1, r the ratio of the ends
//   alpha = A fixed                the same, with lambda1 = A L, lambda2 = (1 - A) L and L = lambda1/A
#pragma once

#include <functional>
#include <vector>

#include "hsvm/core/lambdas.hpp"
#include "hsvm/core/types.hpp"

namespace hsvm {

// lambda2 and lambda3 as they go with lambda1 along a path; lambda3 stays.
struct PathPenalty {
  double alpha = 0.0;    // > 0: lambda2 = lambda1 (1 - alpha)/alpha; 0: fixed
  double lambda2 = 0.0;  // where it is fixed
  double lambda3 = 0.0;

  [[nodiscard]] Lambdas at(double lambda1) const;
};

// 1e-4 where there are more samples than features, else 1e-2; divided by the number of outputs that a margin joins, because
// lambda1_max is up to that many times larger then and the path would end too early. n_joined is 1 where a margin is that of
// one output: two classes, and absolute margins.
[[nodiscard]] double default_lambda_min_ratio(Count n_samples, Index n_features, Index n_joined);

// Geometric, strictly falling from exactly lambda1_max to exactly min_ratio lambda1_max; points that rounding
// cannot tell apart are one. n >= 1, 0 < min_ratio < 1; {0} where lambda1_max is 0.
[[nodiscard]] std::vector<double> geometric_grid(double lambda1_max, int n, double min_ratio);

// The grid below `last`, a factor of ten down, with the step of geometric_grid(lambda1_max, n, min_ratio): strictly falling.
[[nodiscard]] std::vector<double> continue_grid(double last, int n, double min_ratio);

// Where a path with fixed alpha begins. There lambda2 grows with lambda1; the model without penalised features, where some
// have no l1 penalty, and with it lambda1_max depend on it: an x with lambda1_max_at(x) <= x, and equal to it up to a relative
// 1e-10 where lambda1_max_at is continuous.
[[nodiscard]] double lambda1_max_of_share(const std::function<double(double)>& lambda1_max_at);

}  // namespace hsvm
