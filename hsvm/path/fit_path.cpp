// fit_path: the grid, then one point after the other.

#include <utility>

#include "hsvm/api.hpp"
#include "hsvm/fit/setup.hpp"
#include "hsvm/path/follow.hpp"

namespace hsvm {

PathModel detail::begin_path(const FitInput& input, const FitOptions& options, const PathPenalty& penalty,
                             Training& training) {
  PathModel path;
  static_cast<ModelShape&>(path) = model_shape(input, options);
  path.solver = options.chosen_solver();
  path.tolerance = options.tolerance;
  path.n_samples = detail::count_samples(input);
  path.lambda1_max = path_lambda1_max(training, penalty);
  return path;
}

void detail::continue_path(const FitInput& input, const FitOptions& options, const PathPenalty& penalty,
                           std::span<const double> grid, const PathLimits& limits, const SolveMonitor& monitor,
                           Training& training, PathModel& path) {
  const auto keep = [&](const Lambdas& /*unused*/, const SolveReport& report) {
    PathPoint point = training.fitted();
    point.report = make_report(input, options, report, path.lambda1_max);
    path.points.push_back(std::move(point));
  };
  const PathReport report = follow_path(training, grid, penalty, limits, monitor, keep);
  if (path.status == Status::converged) path.status = report.status;
  path.ended = report.ended;
  path.explained = report.explained;
  path.seconds += report.seconds;
  path.passes += report.passes;
}

PathModel fit_path(const FitInput& input, const FitOptions& options, const PathOptions& path_options,
                   const SolveMonitor& caller) {
  SolveMonitor monitor = caller;
  monitor.ranks = &input.ranks;
  const Collective::Traffic before = input.ranks.traffic();
  check_for_path(options);
  path_options.check();
  detail::check_input(input);
  const PathPenalty penalty = detail::path_penalty(options);
  detail::require_penalty(input, penalty.at(1.0).lambda2);
  PathModel path;
  with_threads(options.threads, [&] {
    const auto training = detail::make_training(input, options, true);
    path = detail::begin_path(input, options, penalty, *training);
    const double min_ratio = detail::path_min_ratio(input, options, path_options);
    const std::vector<double> grid = detail::path_grid(path_options, path.lambda1_max, min_ratio);
    const Lambdas least = penalty.at(grid.back());
    detail::require_penalty(least.lambda1, least.lambda2);
    detail::require_penalty(input, least.lambda2);
    detail::continue_path(input, options, penalty, grid, detail::path_limits(path_options, options.time_limit),
                          monitor, *training, path);
  });
  path.rank_cost = detail::rank_cost(input.ranks, before);
  if (options.measure_pass) path.pass_seconds = measure_pass_seconds(input.data.design, path.n_outputs());
  return path;
}

}  // namespace hsvm
