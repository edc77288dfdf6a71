#include "hsvm/path/follow.hpp"

#include <algorithm>
#include <optional>

#include "hsvm/core/stopwatch.hpp"
#include "hsvm/fit/setup.hpp"
#include "hsvm/path/path_end.hpp"
#include "hsvm/solve/reason_to_stop.hpp"

namespace hsvm::detail {
namespace {

// The monitor of one point, counting on from the points before.
SolveMonitor point_monitor(const SolveMonitor& whole, const Progress& before) {
  const auto add = [&before](Progress p) {
    p.point = before.point;
    p.n_points = before.n_points;
    p.lambda1 = before.lambda1;
    p.passes += before.passes;
    p.seconds += before.seconds;
    return p;
  };
  SolveMonitor monitor{
      .interrupted = whole.interrupted, .progress = {}, .interval = whole.interval, .ranks = whole.ranks};
  if (whole.progress) monitor.progress = [&whole, add](const Progress& p) { whole.progress(add(p)); };
  if (whole.trace) monitor.trace = [&whole, add](const Progress& p) { whole.trace(add(p)); };
  return monitor;
}

bool is_cut_short(Status status) {
  return status == Status::time_limit || status == Status::interrupted;
}

// Why the path ends with a point that was kept.
std::optional<PathEnd> reason_to_end(Status status, Index nonzeros, double lambda1, double loss,
                                     const PathLimits& limits, PathEndRule& rule) {
  if (is_cut_short(status)) return PathEnd::stopped;
  if (nonzeros > limits.max_nonzeros) return PathEnd::max_nonzeros;
  return limits.end_when_learned ? rule.after(lambda1, loss) : std::nullopt;
}

}  // namespace

PathPenalty path_penalty(const FitOptions& options) {
  PathPenalty penalty;
  penalty.alpha = options.alpha.value_or(0.0);
  penalty.lambda2 = options.lambda2.value_or(kDefaultLambda2);
  penalty.lambda3 = options.lambda3.value_or(0.0);
  return penalty;
}

double path_min_ratio(const FitInput& input, const FitOptions& options, const PathOptions& path_options) {
  // Relative margins join the scores of all classes.
  const auto n_classes = static_cast<Index>(input.data.labels->classes.size());
  const bool joins = n_classes > 2 && options.chosen_margins(n_classes) == Margins::relative;
  const Index n_joined = joins ? n_classes : 1;
  return path_options.lambda_min_ratio.value_or(
      default_lambda_min_ratio(count_samples(input), input.data.n_features(), n_joined));
}

std::vector<double> path_grid(const PathOptions& options, double lambda1_max, double min_ratio) {
  if (!options.lambda_grid.empty()) {
    std::vector<double> grid = options.lambda_grid;
    std::sort(grid.begin(), grid.end(), std::greater<>());
    return grid;
  }
  return geometric_grid(lambda1_max, options.nlambda.value_or(kDefaultNlambda), min_ratio);
}

double path_lambda1_max(Training& training, const PathPenalty& penalty) {
  const auto lambda1_max_at = [&](double lambda1) {
    const Lambdas lambdas = penalty.at(lambda1);
    training.start_at_null_model(lambdas.lambda2, lambdas.lambda3);
    return training.lambda1_max();
  };
  return penalty.alpha > 0.0 ? lambda1_max_of_share(lambda1_max_at) : lambda1_max_at(0.0);
}

PathLimits path_limits(const PathOptions& options, double time_limit) {
  PathLimits limits;
  limits.time_limit = time_limit;
  if (options.max_nonzeros) limits.max_nonzeros = *options.max_nonzeros;
  limits.end_when_learned = !options.full_path && options.lambda_grid.empty();
  return limits;
}

PathReport follow_path(Training& training, std::span<const double> grid, const PathPenalty& penalty,
                       const PathLimits& limits, const SolveMonitor& monitor, const KeepPoint& keep) {
  const Lambdas first = penalty.at(grid.front());
  training.start_at_null_model(first.lambda2, first.lambda3);
  const Stopwatch watch;
  const SolveMonitor shown{.interrupted = {}, .progress = monitor.progress, .interval = monitor.interval};
  ProgressTeller tell(shown);  // points may be too short to be seen from within
  PathEndRule rule(training.loss(), training.n_samples());
  PathReport report;
  for (const double lambda1 : grid) {
    if (report.n_points > 0) {
      const OutsideReasons outside = ask_outside(watch.seconds(), limits.time_limit, monitor);
      if (outside.is_late) report.status = Status::time_limit;
      if (outside.was_asked) report.status = Status::interrupted;
      if (is_cut_short(report.status)) {
        report.ended = PathEnd::stopped;
        break;
      }
    }
    Progress before;
    before.point = report.n_points + 1;
    before.n_points = static_cast<int>(grid.size());
    before.lambda1 = lambda1;
    before.passes = report.passes;
    before.seconds = watch.seconds();
    const Lambdas lambdas = penalty.at(lambda1);
    const SolveReport solved = training.solve(lambdas, std::max(0.0, limits.time_limit - before.seconds),
                                              point_monitor(monitor, before));
    report.passes += solved.passes;
    if (is_cut_short(solved.status) && report.n_points > 0) {
      report.status = solved.status;
      report.ended = PathEnd::stopped;
      break;
    }
    keep(lambdas, solved);
    ++report.n_points;
    if (report.status == Status::converged) report.status = solved.status;
    const auto nonzeros = static_cast<Index>(training.support().size());
    const double loss = training.loss();
    report.explained = rule.explained(loss);
    if (const auto end = reason_to_end(solved.status, nonzeros, lambda1, loss, limits, rule)) {
      report.ended = *end;
      break;
    }
    tell(watch.seconds(), [&] {
      Progress now = before;
      now.iteration = solved.iterations;
      now.objective = solved.objective;
      now.gap = solved.gap();
      now.nonzeros = nonzeros;
      now.passes = report.passes;
      now.seconds = watch.seconds();
      now.working_set = training.n_features();
      return now;
    });
  }
  report.seconds = watch.seconds();
  return report;
}

}  // namespace hsvm::detail
