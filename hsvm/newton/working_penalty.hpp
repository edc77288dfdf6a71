// The penalty of the working columns, coordinate by coordinate, for the binary and the multi-class subproblem alike; the
// intercept, where there is one, comes first and has lambda3 alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "hsvm/newton/exact_step.hpp"
#include "hsvm/newton/working_columns.hpp"

namespace hsvm {

struct WorkingPenalty {
  std::vector<double> tau;     // m: lambda1 v_j; 0 for the intercept
  std::vector<double> lambda;  // m: lambda2; lambda3 for the intercept
  std::vector<double>
      size;  // m: the column's mean square, weighted: its curvature were all samples in the elbow
  std::vector<double> ridge;    // m: what the model adds to the diagonal
  std::vector<double> factors;  // v of the features; empty means all 1

  // After columns.change(), which returned `from`, or for other lambdas.
  template <class Problem>
  void update(const Problem& problem, const WorkingColumns& columns, std::span<const Index> from) {
    const auto& parameters = problem.parameters();
    const auto m = static_cast<std::size_t>(columns.size());
    const auto first = static_cast<std::size_t>(columns.first_feature());
    factors.clear();
    tau.assign(m, 0.0);
    lambda.assign(m, parameters.lambda3);
    ridge.resize(m);
    std::vector<double> next(m, 1.0);
    const std::size_t kept = std::max(first, from.size());
    problem.design().column_squared_norms(columns.columns().subspan(kept - first), problem.sample_weights(),
                                          std::span(next).subspan(kept));
    for (std::size_t c = first; c < m; ++c) {
      const Index j = columns.columns()[c - first];
      const std::vector<double>& v = parameters.penalty.factors;
      if (!v.empty()) factors.push_back(v[static_cast<std::size_t>(j)]);
      tau[c] = problem.threshold(j);
      lambda[c] = parameters.penalty.lambda2;
      next[c] = c < from.size() ? size[static_cast<std::size_t>(from[c])] : next[c] / problem.n_samples();
    }
    size = std::move(next);
  }

  // diagonal (m): the curvature of each coordinate in the model, of which damping adds a share. A trace of the
  // curvature that all samples would give keeps the model bounded where lambda2 is zero.
  void set_ridge(std::span<const double> diagonal, double damping, double curvature) {
    constexpr double kTrace = 1e-12;
    for (std::size_t k = 0; k < ridge.size(); ++k) {
      ridge[k] =
          lambda[k] + damping * diagonal[k] + kTrace * curvature * size[k] + std::numeric_limits<double>::min();
    }
  }
};

// What the penalty adds to the slope along a line, summed coordinate by coordinate.
struct PenaltyAlongLine {
  double base = 0.0;    // of the l1 part at 0+
  double linear = 0.0;  // of the squares at 0
  double square = 0.0;  // their curvature
  std::vector<Kink> kinks;

  void add(double v, double d, double tau, double lambda) {
    if (d == 0.0) return;
    linear += lambda * v * d;
    square += lambda * d * d;
    base += v == 0.0 ? tau * std::abs(d) : std::copysign(tau, v) * d;
    const bool comes_to_zero = (v > 0.0 && d < 0.0) || (v < 0.0 && d > 0.0);
    if (!comes_to_zero || !(tau > 0.0)) return;
    const double at = -v / d;
    if (at > 0.0) kinks.push_back({at, 2.0 * tau * std::abs(d)});
  }
};

}  // namespace hsvm
