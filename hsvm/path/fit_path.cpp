// fit_path: the grid, then one point after the other.

#include <utility>

#include "hsvm/api.hpp"
#include "hsvm/fit/setup.hpp"
#include "hsvm/path/follow.hpp"

namespace hsvm {

PathModel fit_path(const FitInput& input, const FitOptions& options, const PathOptions& path_options,
                   const SolveMonitor& monitor) {
  check_for_path(options);
  path_options.check();
  detail::check_input(input);
  const PathPenalty penalty = detail::path_penalty(options);
  detail::require_penalty(input, penalty.at(1.0).lambda2);
  PathModel path;
  static_cast<ModelShape&>(path) = detail::model_shape(input, options);
  path.solver = options.chosen_solver();
  path.tolerance = options.tolerance;
  path.n_samples = input.data.n_samples();

  with_threads(options.threads, [&] {
    const auto training = detail::make_training(input, options, true);
    path.lambda1_max = detail::path_lambda1_max(*training, penalty);
    const std::vector<double> grid = detail::path_grid(input, path_options, path.lambda1_max);
    const Lambdas least = penalty.at(grid.back());
    detail::require_penalty(least.lambda1, least.lambda2);
    detail::require_penalty(input, least.lambda2);

    detail::PathLimits limits;
    limits.time_limit = options.time_limit;
    if (path_options.max_nonzeros) limits.max_nonzeros = *path_options.max_nonzeros;
    const auto keep = [&](const Lambdas& /*unused*/, const SolveReport& report) {
      PathPoint point = training->fitted();
      point.report = detail::make_report(input, options, report, path.lambda1_max);
      path.points.push_back(std::move(point));
    };
    const detail::PathReport report = detail::follow_path(*training, grid, penalty, limits, monitor, keep);
    path.status = report.status;
    path.seconds = report.seconds;
    path.passes = report.passes;
  });
  if (options.measure_pass) path.pass_seconds = measure_pass_seconds(input.data.design, path.n_outputs());
  return path;
}

}  // namespace hsvm
