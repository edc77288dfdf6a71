// B-PGH-2 [XAC15, sec. 2.5]: find the support first, then solve over it alone.
//
//   stage 1   proximal-gradient steps with L_k = L_f and omega = 0 until the support settles: the paper's stopping
//             rule at 1e-3 holds and the support is the same three times in a row
//   stage 2   the problem over the detected support, to the tolerance
//   check     one gradient over all features: certified, or the features left out that violate optimality join and
//             stage 2 goes on from where it was
//
// The check is beyond the paper. The columns only ever grow, so the method ends, and never with a wrong
// support.
#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "hsvm/core/stopwatch.hpp"
#include "hsvm/problem/restriction.hpp"
#include "hsvm/solve/proximal_gradient.hpp"
#include "hsvm/solve/reason_to_stop.hpp"
#include "hsvm/solve/stage_monitor.hpp"

namespace hsvm {

namespace detail {

inline constexpr double kSettledTolerance = 1e-3;  // [XAC15, sec. 3.1]
inline constexpr int kSettledIterations = 3;

// Stage 1: returns the columns to solve over and moves `u` to where it ended. Leaves an iteration for stage 2;
// says in the report where F is not finite.
template <CompositeProblem P>
std::vector<Index> detect_support(const P& problem, typename P::Point& u,
                                  const ProximalGradientOptions& options, const SolveMonitor& monitor,
                                  const Stopwatch& watch, SolveReport& report) {
  ProximalGradientOptions stage = options;
  stage.backtracking = false;
  stage.extrapolation = false;
  ProximalGradientRun<P> run(problem, std::move(u), stage, report);
  PaperRule rule(kSettledTolerance);
  std::vector<Index> support = problem.support(run.point());
  int unchanged = 0;
  ProgressTeller tell(monitor);
  while (!reason_at_limit(report.iterations + 1, options.max_iterations, watch.seconds(), options.time_limit,
                          monitor)) {
    if (!run.step()) {
      report.status = Status::not_finite;
      break;
    }
    ++report.iterations;
    tell(watch.seconds(), [&] {
      return Progress{.iteration = report.iterations,
                      .objective = run.objective(),
                      .gap = run.objective() - report.dual_objective,
                      .nonzeros = problem.count_nonzeros(run.point()),
                      .seconds = watch.seconds(),
                      .passes = report.passes,
                      .working_set = problem.n_features()};
    });
    std::vector<Index> now = problem.support(run.point());
    unchanged = now == support ? unchanged + 1 : 0;
    support = std::move(now);
    const bool small = rule(run.previous_objective(), run.objective(),
                            std::sqrt(problem.squared_distance(run.point(), run.previous())),
                            std::sqrt(problem.squared_norm(run.previous())));
    if (small && unchanged >= kSettledIterations) break;
  }
  report.objective = run.objective();
  u = run.take_point();
  return support;
}

}  // namespace detail

template <CompositeProblem P>
[[nodiscard]] Solution<typename P::Point> two_stage(const P& problem, typename P::Point start,
                                                    const ProximalGradientOptions& options,
                                                    const SolveMonitor& monitor = {}) {
  const Stopwatch watch;
  typename P::Point u = std::move(start);
  SolveReport report;
  report.objective_at_zero = problem.objective_at_zero();
  std::vector<Index> columns = detail::detect_support(problem, u, options, monitor, watch, report);
  if (report.status == Status::not_finite) {
    conclude(problem, u, reason_not_finite(), gap_tolerance(options), report);
    report.seconds = watch.seconds();
    return {std::move(u), report};
  }

  const double n_features = std::max(1.0, static_cast<double>(problem.n_features()));
  typename P::Gradient gradient;
  ProximalGradientOptions stage = options;
  if (options.stopping == Stopping::gap)
    stage.tolerance = 0.5 * options.tolerance;  // room for the check's own bound
  for (;;) {
    const Restriction<P> restriction(problem, columns);
    stage.max_iterations = std::max(1, options.max_iterations - report.iterations);
    stage.time_limit = std::max(0.0, options.time_limit - watch.seconds());
    const double share = static_cast<double>(columns.size()) / n_features;
    StageMonitor stage_monitor(monitor, watch, report, share);
    const auto solved =
        proximal_gradient(restriction.problem(), restriction.restrict_point(u), stage, stage_monitor.monitor());
    restriction.extend(solved.point, u);
    report.iterations += solved.report.iterations;
    report.passes += share * solved.report.passes;
    report.objective = solved.report.objective;

    problem.gradient(u, gradient);
    report.passes += 0.5;
    raise_bound(report, problem.dual_objective(u, gradient));
    doubt_bound(problem, u, report);
    stage_monitor.finish(report);
    const double slack = options.stopping == Stopping::gap ? 0.0 : options.tolerance;
    const std::vector<Index> violators = problem.violators(gradient, columns, slack);

    const bool certified = options.stopping == Stopping::gap
                               ? is_certified(problem, u, report, options.tolerance)
                               : solved.report.status == Status::converged && violators.empty();
    const bool stuck = solved.report.status == Status::stalled && violators.empty();
    const bool stopped = solved.report.status != Status::converged && solved.report.status != Status::stalled;
    const bool exhausted = report.iterations >= options.max_iterations;
    if (certified || stuck || stopped || exhausted) {
      const StopReason as_solved{solved.report.status, solved.report.reason};
      const StopReason stop =
          certified
              ? (options.stopping == Stopping::gap ? reason_certified(report, options.tolerance) : as_solved)
          : stuck || stopped ? as_solved
                             : reason_iteration_limit(report.iterations);
      conclude(problem, u, stop, gap_tolerance(options), report);
      report.seconds = watch.seconds();
      return {std::move(u), report};
    }

    if (violators.empty()) stage.tolerance *= 0.1;  // the columns are right, the point is not yet
    std::vector<Index> joined;
    std::merge(columns.begin(), columns.end(), violators.begin(), violators.end(), std::back_inserter(joined));
    columns = std::move(joined);
  }
}

}  // namespace hsvm
