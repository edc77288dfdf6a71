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

// lambda2 and lambda3 as they go with lambda1 along a path.
struct PathPenalty {
  double alpha = 0.0;    // > 0: lambda2 = lambda1 (1 - alpha)/alpha; 0: fixed
  double lambda2 = 0.0;  // where it is fixed
  double lambda3 = 0.0;  // where it is fixed
  bool lambda3_is_lambda2 = false;

  [[nodiscard]] Lambdas at(double lambda1) const;
};

// 1e-4 where there are more samples than features, else 1e-2.
[[nodiscard]] double default_lambda_min_ratio(Index n_samples, Index n_features);

// Geometric, strictly falling from exactly lambda1_max to exactly min_ratio lambda1_max; points that rounding
// cannot tell apart are one. n >= 1, 0 < min_ratio < 1; {0} where lambda1_max is 0.
[[nodiscard]] std::vector<double> geometric_grid(double lambda1_max, int n, double min_ratio);

// Where a path with fixed alpha begins. There lambda2 and lambda3 grow with lambda1, the best constant model
// and with it lambda1_max depend on them: an x with lambda1_max_at(x) <= x, and equal to it up to a relative
// 1e-10 where lambda1_max_at is continuous.
[[nodiscard]] double lambda1_max_of_share(const std::function<double(double)>& lambda1_max_at);

}  // namespace hsvm
