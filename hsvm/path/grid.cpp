#include "hsvm/path/grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hsvm {

Lambdas PathPenalty::at(double lambda1) const {
  const double now = alpha > 0.0 ? lambda1 * ((1.0 - alpha) / alpha) : lambda2;
  return {lambda1, now, lambda3};
}

double default_lambda_min_ratio(Count n_samples, Index n_features, Index n_joined) {
  return (n_samples > n_features ? 1e-4 : 1e-2) / static_cast<double>(n_joined);
}

std::vector<double> geometric_grid(double lambda1_max, int n, double min_ratio) {
  std::vector<double> grid = {lambda1_max};
  const double last = min_ratio * lambda1_max;
  for (int k = 1; k < n; ++k) {
    const double value =
        k == n - 1 ? last
                   : lambda1_max * std::pow(min_ratio, static_cast<double>(k) / static_cast<double>(n - 1));
    if (value < grid.back()) grid.push_back(std::max(value, last));
  }
  return grid;
}

std::vector<double> continue_grid(double last, int n, double min_ratio) {
  constexpr double kFactor = 0.1;
  const double points = std::log(kFactor) / std::log(min_ratio) * static_cast<double>(n - 1);
  std::vector<double> grid =
      geometric_grid(last, 1 + std::max(1, static_cast<int>(std::lround(points))), kFactor);
  grid.erase(grid.begin());
  return grid;
}

double lambda1_max_of_share(const std::function<double(double)>& lambda1_max_at) {
  constexpr double kClose = 1e-10;
  constexpr double kAbove = 1.0 + 0.25 * kClose;  // so that the steps end above, not below
  constexpr int kMaxSteps = 60;
  double low = 0.0;
  double high = std::numeric_limits<double>::infinity();
  double x = lambda1_max_at(1.0);
  double previous = 0.0;  // the step before, and how far x was above there
  double previous_excess = 0.0;
  for (int step = 0; step < kMaxSteps; ++step) {
    const double value = lambda1_max_at(x);
    const double excess = x - value;
    if (excess >= 0.0) {
      high = std::min(high, x);
      if (excess <= kClose * x) return x;
    } else {
      low = std::max(low, x);
    }
    // A secant step towards excess = 0; the first time, and where that leads out of the bracket, something
    // simpler.
    const double slope = step == 0 ? 1.0 : (excess - previous_excess) / (x - previous);
    double next = (x - excess / slope) * kAbove;
    if (!(next > low && next < high)) {
      next = std::isinf(high) ? 2.0 * std::max(x, value) : 0.5 * (low + high);
    }
    previous = x;
    previous_excess = excess;
    x = next;
    if (x == previous) break;  // the bracket is empty
  }
  return std::isinf(high) ? x : high;
}

}  // namespace hsvm
