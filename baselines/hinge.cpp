#include "baselines/hinge.hpp"

#include <algorithm>
#include <numeric>

#include "hsvm/penalty/elastic_net.hpp"

namespace hsvm::baselines {

double HingeProblem::objective(std::span<const double> w, std::span<const double> scores) const {
  double losses = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) losses += std::max(0.0, 1.0 - y[i] * scores[i]);
  return losses / static_cast<double>(y.size()) + ElasticNet{lambda1, lambda2, {}}.value(w);
}

double HingeProblem::objective(double b, std::span<const double> w) const {
  std::vector<double> scores(y.size());
  design.multiply(w, scores);
  for (double& score : scores) score += b;
  return objective(w, scores);
}

double HingeProblem::dual_bound(std::vector<double> a) const {
  double positive = 0.0;
  double negative = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = std::clamp(a[i], 0.0, 1.0);
    (y[i] > 0.0 ? positive : negative) += a[i];
  }
  if (intercept) {
    const double balanced = std::min(positive, negative);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double sum = y[i] > 0.0 ? positive : negative;
      if (sum > 0.0) a[i] *= balanced / sum;
    }
  }
  const double n = static_cast<double>(y.size());
  const double linear = std::accumulate(a.begin(), a.end(), 0.0) / n;
  for (std::size_t i = 0; i < a.size(); ++i) a[i] *= y[i] / n;
  std::vector<double> c(static_cast<std::size_t>(design.cols()));
  design.multiply_transposed(a, c);
  return ElasticNet{lambda1, lambda2, {}}.best_scaled_dual(linear, 0.0, c);
}

}  // namespace hsvm::baselines
