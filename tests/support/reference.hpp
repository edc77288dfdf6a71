// The binary problem once more, straight from its formulas in binary_problem.hpp and from (b, w) and X alone:
// the referee for what the library computes incrementally, in parallel or from scores carried along.
#pragma once

#include <vector>

#include "tests/support/problems.hpp"

namespace hsvm::test {

struct ReferenceGradient {  // of f
  double b = 0.0;
  std::vector<double> w;
};

[[nodiscard]] double reference_phi(double t, double delta);
[[nodiscard]] double reference_smooth(const ProblemData& data, double b, const std::vector<double>& w);
[[nodiscard]] double reference_objective(const ProblemData& data, double b, const std::vector<double>& w);
[[nodiscard]] ReferenceGradient reference_gradient(const ProblemData& data, double b,
                                                   const std::vector<double>& w);

// A lower bound on the minimum of F, from the dual point a of (b, w). Where lambda2 = 0 the point is scaled to
// feasibility; with a free intercept b must be the best one for w (up to rounding).
[[nodiscard]] double reference_dual(const ProblemData& data, double b, const std::vector<double>& w);

// The largest violation of the optimality conditions of F, each in the units of a gradient.
[[nodiscard]] double reference_violation(const ProblemData& data, double b, const std::vector<double>& w);

// The same at a point of the library's.
[[nodiscard]] inline double reference_objective(const ProblemData& data, const BinaryProblem::Point& u) {
  return reference_objective(data, u.b, all_coefficients(u.w, data.x.cols()));
}
[[nodiscard]] inline double reference_dual(const ProblemData& data, const BinaryProblem::Point& u) {
  return reference_dual(data, u.b, all_coefficients(u.w, data.x.cols()));
}
[[nodiscard]] inline double reference_violation(const ProblemData& data, const BinaryProblem::Point& u) {
  return reference_violation(data, u.b, all_coefficients(u.w, data.x.cols()));
}

}  // namespace hsvm::test
