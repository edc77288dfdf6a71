// fit_path: the grid, then one point after the other.

#include <algorithm>
#include <functional>
#include <utility>

#include "hsvm/api.hpp"
#include "hsvm/path/follow.hpp"

namespace hsvm {

PathPenalty detail::path_penalty(const FitOptions& options) {
  PathPenalty penalty;
  penalty.alpha = options.alpha.value_or(0.0);
  penalty.lambda2 = options.lambda2.value_or(detail::kDefaultLambda2);
  penalty.lambda3_is_lambda2 = !options.lambda3 && !options.no_intercept;
  penalty.lambda3 = options.lambda3.value_or(0.0);
  return penalty;
}

std::vector<double> detail::path_grid(const FitInput& input, const PathOptions& options, double lambda1_max) {
  if (!options.lambda_grid.empty()) {
    std::vector<double> grid = options.lambda_grid;
    std::sort(grid.begin(), grid.end(), std::greater<>());
    return grid;
  }
  const double ratio = options.lambda_min_ratio.value_or(
      default_lambda_min_ratio(input.data.n_samples(), input.data.n_features()));
  return geometric_grid(lambda1_max, options.nlambda.value_or(kDefaultNlambda), ratio);
}

PathModel fit_path(const FitInput& input, const FitOptions& options, const PathOptions& path_options,
                   const SolveMonitor& monitor) {
  check_for_path(options);
  path_options.check();
  detail::check_input(input);
  const PathPenalty penalty = detail::path_penalty(options);
  detail::require_penalty(input, penalty.at(1.0).lambda2);
  PathModel path;
  path.classes = input.data.labels->classes;
  path.n_features = input.data.n_features();
  path.feature_names = input.data.feature_names;
  path.delta = options.delta;
  path.solver = options.chosen_solver();
  path.tolerance = options.tolerance;
  path.n_samples = input.data.n_samples();

  detail::with_problem(
      input, options, [&]<class Problem>(Problem& problem, const Standardization& standardization) {
        path.lambda1_max = detail::path_lambda1_max(problem, penalty);
        const std::vector<double> grid = detail::path_grid(input, path_options, path.lambda1_max);
        const Lambdas least = penalty.at(grid.back());
        detail::require_penalty(least.lambda1, least.lambda2);
        detail::require_penalty(input, least.lambda2);

        PathLimits limits;
        limits.time_limit = options.time_limit;
        if (path_options.max_nonzeros) limits.max_nonzeros = *path_options.max_nonzeros;
        const auto keep = [&](const Lambdas& lambdas, const Solution<typename Problem::Point>& solution) {
          path.kind = detail::kind_of(solution.point);
          PathPoint point{lambdas};
          detail::take_coefficients(solution.point, standardization, point);
          point.report = detail::make_report(input, options, solution.report, path.lambda1_max);
          path.points.push_back(std::move(point));
        };
        const PathReport report =
            detail::walk_path(problem, input, options, penalty, grid, limits, monitor, keep);
        path.status = report.status;
        path.seconds = report.seconds;
        path.passes = report.passes;
      });
  if (options.measure_pass) path.pass_seconds = measure_pass_seconds(input.data.design, path.n_outputs());
  return path;
}

}  // namespace hsvm
