// The model in which every penalised feature is zero, and the smallest lambda1 at which it is the solution
// [docs/design.md].
//
// Where all penalty factors are positive it is an intercept alone. Features with factor 0 are in the model at
// any lambda1, so they are solved for first, together with the intercept.
#pragma once

#include <utility>
#include <vector>

#include "hsvm/problem/restriction.hpp"
#include "hsvm/solve/proximal_gradient.hpp"

namespace hsvm {

// That model at the problem's lambda2 and lambda3.
template <CompositeProblem P>
[[nodiscard]] typename P::Point null_point(const P& problem) {
  constexpr double kTolerance = 1e-12;  // far below what any fit asks for
  typename P::Point point = problem.constant();
  const std::vector<Index> unpenalised = problem.unpenalised();
  if (!unpenalised.empty()) {
    const Restriction<P> restriction(problem, unpenalised);
    ProximalGradientOptions options;
    options.tolerance = kTolerance;
    auto solved = proximal_gradient(restriction.problem(), restriction.restrict_point(point), options);
    restriction.extend(solved.point, point);
  }
  return point;
}

// The smallest lambda1 at which that model is the solution: a hair above the largest strength, so that at lambda1_max itself
// rounding does not let a feature in.
template <CompositeProblem P>
[[nodiscard]] double lambda1_max_of(const P& problem, const typename P::Gradient& gradient_there) {
  return problem.lambda1_max(gradient_there) * (1.0 + 1e-14);
}
template <CompositeProblem P>
[[nodiscard]] double lambda1_max_at(const P& problem, const typename P::Point& null_point) {
  typename P::Gradient gradient;
  problem.gradient(null_point, gradient);
  return lambda1_max_of(problem, gradient);
}

}  // namespace hsvm
