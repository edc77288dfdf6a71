// The parts of a path that fit_path and tune have in common. Inside of the library.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "hsvm/fit/solver.hpp"
#include "hsvm/fit/setup.hpp"
#include "hsvm/path/options.hpp"
#include "hsvm/solve/null_model.hpp"
#include "hsvm/path/grid.hpp"

namespace hsvm::detail {

// lambda2 and lambda3 along a path, from the options of a fit.
[[nodiscard]] PathPenalty path_penalty(const FitOptions& options);
// The values of lambda1, falling: those given, or as many as asked for from lambda1_max down.
[[nodiscard]] std::vector<double> path_grid(const FitInput& input, const PathOptions& options,
                                            double lambda1_max);

// The smallest lambda1 from which the model is empty along a path. Changes the problem's lambdas.
template <class Problem>
[[nodiscard]] double path_lambda1_max(Problem& problem, const PathPenalty& penalty) {
  const auto lambda1_max_at = [&](double lambda1) {
    const Lambdas lambdas = penalty.at(lambda1);
    problem.set_lambdas(0.0, lambdas.lambda2, lambdas.lambda3);
    return solve_null_model(problem).lambda1_max;
  };
  return penalty.alpha > 0.0 ? lambda1_max_of_share(lambda1_max_at) : lambda1_max_at(0.0);
}

// Solves at each lambda1 of the grid, from the empty model on: keep(lambdas, solution) for each.
template <class Problem, class Keep>
PathReport walk_path(Problem& problem, const FitInput& input, const FitOptions& options,
                     const PathPenalty& penalty, std::span<const double> grid, const PathLimits& limits,
                     const SolveMonitor& monitor, const Keep& keep) {
  const Lambdas first = penalty.at(grid.front());
  problem.set_lambdas(0.0, first.lambda2, first.lambda3);
  ChosenSolver<Problem> solve(input, options, true);
  return follow_path(problem, grid, penalty, null_point(problem), limits, monitor, solve, keep);
}

}  // namespace hsvm::detail
