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

template <CompositeProblem P>
struct NullModel {
  typename P::Point point;
  double lambda1_max = 0.0;
};

template <CompositeProblem P>
[[nodiscard]] NullModel<P> solve_null_model(const P& problem) {
  NullModel<P> result{null_point(problem), 0.0};
  typename P::Gradient gradient;
  problem.gradient(result.point, gradient);
  // A hair above the largest |c_j|/v_j: at lambda1_max itself rounding must not let a feature in.
  result.lambda1_max = problem.lambda1_max(gradient) * (1.0 + 1e-14);
  return result;
}

}  // namespace hsvm
