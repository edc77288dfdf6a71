// Whole regularisation paths: lambda1 from lambda1_max, where the model is empty, downwards, each point
// starting from the one before.
//
//   lambda2 and lambda3 fixed      lambda1 = lambda1_max r^(k/(K-1)), k = 0 .. K-1, r the ratio of the ends
//   alpha = A fixed                the same, with lambda1 = A L, lambda2 = (1 - A) L and L = lambda1/A
//
// follow_path walks; what solves a point is the caller's, and may remember things from point to point.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "hsvm/core/lambdas.hpp"
#include "hsvm/core/stopwatch.hpp"
#include "hsvm/solve/proximal_gradient.hpp"

namespace hsvm {

// lambda2 and lambda3 as they go with lambda1 along a path.
struct PathPenalty {
  double alpha = 0.0;    // > 0: lambda2 = lambda1 (1 - alpha)/alpha; 0: fixed
  double lambda2 = 0.0;  // where it is fixed
  double lambda3 = 0.0;  // where it is fixed
  bool lambda3_is_lambda2 = false;

  [[nodiscard]] Lambdas at(double lambda1) const;
};

// 1e-4 where there are more samples than features, else 1e-2.
[[nodiscard]] double default_lambda_min_ratio(Index n_samples, Index n_features);

// Geometric, strictly falling from exactly lambda1_max to exactly min_ratio lambda1_max; points that rounding
// cannot tell apart are one. n >= 1, 0 < min_ratio < 1; {0} where lambda1_max is 0.
[[nodiscard]] std::vector<double> geometric_grid(double lambda1_max, int n, double min_ratio);

// Where a path with fixed alpha begins. There lambda2 and lambda3 grow with lambda1, the best constant model
// and with it lambda1_max depend on them: an x with lambda1_max_at(x) <= x, and equal to it up to a relative
// 1e-10 where lambda1_max_at is continuous.
[[nodiscard]] double lambda1_max_of_share(const std::function<double(double)>& lambda1_max_at);

struct PathLimits {
  double time_limit = kNoLimit;                            // seconds, for the whole path
  Index max_nonzeros = std::numeric_limits<Index>::max();  // the first point with more is the last one
};

struct PathReport {
  Status status = Status::converged;  // of what ended the path early, else of the first point not certified
  int n_points = 0;                   // those handed to `keep`
  double passes = 0.0;                // also of a point that was dropped
  double seconds = 0.0;
};

namespace detail {

// The monitor of one point, counting on from the points before.
inline SolveMonitor point_monitor(const SolveMonitor& whole, const Progress& before) {
  const auto add = [&before](Progress p) {
    p.point = before.point;
    p.n_points = before.n_points;
    p.lambda1 = before.lambda1;
    p.passes += before.passes;
    p.seconds += before.seconds;
    return p;
  };
  SolveMonitor monitor{.interrupted = whole.interrupted, .progress = {}, .interval = whole.interval};
  if (whole.progress) monitor.progress = [&whole, add](const Progress& p) { whole.progress(add(p)); };
  if (whole.trace) monitor.trace = [&whole, add](const Progress& p) { whole.trace(add(p)); };
  return monitor;
}

}  // namespace detail

// Solves at every lambda1 of `grid` (falling), starting at `start` and then from the point before.
//
//   solve(const P& problem, Point start, double time_limit, const SolveMonitor& monitor) -> Solution<Point>
//   keep(const Lambdas& lambdas, const Solution<Point>& solution)
//
// A point that is not certified is kept, with its status, and the path goes on. Only the time limit and an
// interruption end it: the point they cut short is dropped unless it is the first. After the first point with
// more than max_nonzeros nonzeros, which is kept, the path ends as well.
template <CompositeProblem P, class Solve, class Keep>
PathReport follow_path(P& problem, std::span<const double> grid, const PathPenalty& penalty,
                       typename P::Point start, const PathLimits& limits, const SolveMonitor& monitor,
                       Solve&& solve, Keep&& keep) {
  const Stopwatch watch;
  const SolveMonitor shown{.interrupted = {}, .progress = monitor.progress, .interval = monitor.interval};
  ProgressTeller tell(shown);  // points may be too short to be seen from within
  PathReport report;
  for (const double lambda1 : grid) {
    if (report.n_points > 0) {
      if (watch.seconds() >= limits.time_limit) report.status = Status::time_limit;
      if (monitor.interrupted && monitor.interrupted()) report.status = Status::interrupted;
      if (report.status == Status::time_limit || report.status == Status::interrupted) break;
    }
    const Lambdas lambdas = penalty.at(lambda1);
    problem.set_lambdas(lambdas.lambda1, lambdas.lambda2, lambdas.lambda3);
    Progress before;
    before.point = report.n_points + 1;
    before.n_points = static_cast<int>(grid.size());
    before.lambda1 = lambda1;
    before.passes = report.passes;
    before.seconds = watch.seconds();
    auto solution =
        solve(std::as_const(problem), std::move(start), std::max(0.0, limits.time_limit - before.seconds),
              detail::point_monitor(monitor, before));
    report.passes += solution.report.passes;
    const Status status = solution.report.status;
    const bool cut_short = status == Status::time_limit || status == Status::interrupted;
    if (cut_short && report.n_points > 0) {
      report.status = status;
      break;
    }
    keep(lambdas, std::as_const(solution));
    ++report.n_points;
    if (report.status == Status::converged) report.status = status;
    const Index nonzeros = problem.count_nonzeros(solution.point);
    if (cut_short || nonzeros > limits.max_nonzeros) break;
    tell(watch.seconds(), [&] {
      Progress now = before;
      now.iteration = solution.report.iterations;
      now.objective = solution.report.objective;
      now.gap = solution.report.gap();
      now.nonzeros = nonzeros;
      now.passes = report.passes;
      now.seconds = watch.seconds();
      now.working_set = problem.n_features();
      return now;
    });
    start = std::move(solution.point);
  }
  report.seconds = watch.seconds();
  return report;
}

}  // namespace hsvm
