// B-PGH [XAC15, Alg. 1], and with another problem M-PGH [XAC15, Alg. 3]: accelerated proximal gradient, made
// monotone.
//
//   u_hat = u_{k-1} + omega (u_{k-1} - u_{k-2})
//   u_k   = argmin over u of <f'(u_hat), u> + L_k/2 |u - u_hat|^2 + g(u)
//   again from u_hat = u_{k-1} whenever F(u_k) > F(u_{k-1})
//
// with L_k = min(eta^{n_k} L_{k-1}, L_f), n_k the smallest that makes the model an upper bound at u_k [XAC15,
// eq. 11, 12], and omega = min((t_{k-1} - 1)/t_k, sqrt(L_{k-1}/L_k)), t_k = (1 + sqrt(1 + 4 t_{k-1}^2))/2.
// Since omega depends on L_k, a larger L_k may call for another u_hat and its gradient; that is rare after the
// first iterations.
//
// The gradient at u_hat is also what a dual bound needs, so every iteration is certified at no extra product:
// the minimum lies between the best D seen and F(u_k).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "hsvm/core/stopwatch.hpp"
#include "hsvm/solve/certificate.hpp"
#include "hsvm/solve/composite_problem.hpp"
#include "hsvm/solve/reason_to_stop.hpp"
#include "hsvm/solve/solve_report.hpp"
#include "hsvm/solve/stopping.hpp"

namespace hsvm {

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

struct ProximalGradientOptions {
  int max_iterations = 100'000;
  double tolerance = 1e-6;
  Stopping stopping = Stopping::gap;
  double time_limit = kNoLimit;  // seconds

  // The settings of [XAC15, Table 1]: the paper's own; Nesterov's without the re-update; Schmidt et al.'s with
  // L_k = L_f and without it. The first stage of the two-stage method has L_k = L_f and omega = 0.
  bool backtracking = true;   // false: L_k = L_f
  bool monotone = true;       // false: no re-update where F rises
  bool extrapolation = true;  // false: omega = 0
  double eta = 1.5;           // > 1
};

// The gap that a converged solve has to meet; none under the paper's rule.
[[nodiscard]] inline std::optional<double> gap_tolerance(const ProximalGradientOptions& options) {
  return options.stopping == Stopping::gap ? std::optional(options.tolerance) : std::nullopt;
}

template <class Point>
struct Solution {
  Point point;
  SolveReport report;
};

namespace detail {

// The state of one run of the loop; proximal_gradient() below is the algorithm.
template <CompositeProblem P>
class ProximalGradientRun {
 public:
  using Point = typename P::Point;

  ProximalGradientRun(const P& problem, Point start, const ProximalGradientOptions& options,
                      SolveReport& report)
      : problem_(problem), options_(options), report_(report), u_(std::move(start)), previous_(u_) {
    lipschitz_ = std::max(problem.lipschitz(), std::numeric_limits<double>::min());
    report_.passes += 0.5;
    L_ = options.backtracking ? std::min(lipschitz_, problem.initial_bound(lipschitz_)) : lipschitz_;
    objective_ = problem.objective(u_);
  }

  [[nodiscard]] const Point& point() const { return u_; }
  [[nodiscard]] const Point& previous() const { return previous_; }
  [[nodiscard]] double objective() const { return objective_; }
  [[nodiscard]] double previous_objective() const { return previous_objective_; }
  [[nodiscard]] Point&& take_point() { return std::move(u_); }

  // One iteration; false, and no move, when F is no longer finite.
  bool step() {
    if (!std::isfinite(lipschitz_)) return false;
    const double t_next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * t_ * t_));
    const double L_before = L_;
    const double momentum = options_.extrapolation ? (t_ - 1.0) / t_next : 0.0;
    double objective = step_from([&] { return std::min(momentum, std::sqrt(L_before / L_)); });
    if (options_.monotone && momentum > 0.0 && !(objective <= objective_)) {
      objective = step_from([] { return 0.0; });
    }
    if (!std::isfinite(objective)) return false;

    t_ = t_next;
    std::swap(previous_, u_);
    std::swap(u_, next_);
    previous_objective_ = objective_;
    objective_ = objective;
    return true;
  }

 private:
  // Extrapolates by omega(), which may depend on L_, and steps from there into next_, L_ growing until the
  // model bounds f. Returns F(next_).
  template <class Omega>
  double step_from(const Omega& omega) {
    double at = std::numeric_limits<double>::quiet_NaN();  // the omega that u_hat_ was made with
    for (;;) {
      if (const double wanted = omega(); wanted != at) {
        at = wanted;
        problem_.extrapolate(u_, previous_, at, u_hat_);
        problem_.gradient(u_hat_, gradient_);
        report_.passes += 0.5;
        raise_bound(report_, problem_.dual_objective(u_hat_, gradient_));
      }
      problem_.proximal_step(u_hat_, gradient_, L_, next_);
      report_.passes += 0.5;
      if (L_ >= lipschitz_ ||
          problem_.divergence(next_, u_hat_) <= 0.5 * L_ * problem_.squared_distance(next_, u_hat_)) {
        return problem_.objective(next_);
      }
      L_ = std::min(options_.eta * L_, lipschitz_);
    }
  }

  const P& problem_;
  const ProximalGradientOptions& options_;
  SolveReport& report_;
  Point u_, previous_, next_, u_hat_;
  typename P::Gradient gradient_;
  double lipschitz_ = 0.0;
  double L_ = 0.0;
  double t_ = 1.0;
  double objective_ = 0.0;
  double previous_objective_ = 0.0;
};

// Tells when F and D have stopped moving for good: no better value of either in the last half of the
// iterations.
class StallDetector {
 public:
  bool operator()(int iteration, double objective, double dual_objective) {
    if (objective < lowest_ || dual_objective > highest_) last_move_ = iteration;
    lowest_ = std::min(lowest_, objective);
    highest_ = std::max(highest_, dual_objective);
    return iteration - last_move_ >= std::max(kPatience, iteration / 2);
  }

 private:
  static constexpr int kPatience = 500;
  double lowest_ = std::numeric_limits<double>::infinity();
  double highest_ = -std::numeric_limits<double>::infinity();
  int last_move_ = 0;
};

}  // namespace detail

// Solves from `start` until the stopping rule, a limit or the monitor says stop.
template <CompositeProblem P>
[[nodiscard]] Solution<typename P::Point> proximal_gradient(const P& problem, typename P::Point start,
                                                            const ProximalGradientOptions& options,
                                                            const SolveMonitor& monitor = {}) {
  const Stopwatch watch;
  SolveReport report;
  report.objective_at_zero = problem.objective_at_zero();
  detail::ProximalGradientRun<P> run(problem, std::move(start), options, report);
  PaperRule paper_rule(options.tolerance);
  detail::StallDetector stalled;
  ProgressTeller tell(monitor);

  const auto first_reason_to_stop = [&]() -> std::optional<StopReason> {
    report.objective = run.objective();
    doubt_bound(problem, run.point(), report);
    if (options.stopping == Stopping::gap) {
      if (is_certified(problem, run.point(), report, options.tolerance))
        return reason_certified(report, options.tolerance);
    } else if (paper_rule(run.previous_objective(), run.objective(),
                          std::sqrt(problem.squared_distance(run.point(), run.previous())),
                          std::sqrt(problem.squared_norm(run.previous())))) {
      return reason_small_changes(options.tolerance);
    }
    if (stalled(report.iterations, run.objective(), report.dual_objective)) return reason_stalled(report);
    return reason_at_limit(report.iterations, options.max_iterations, watch.seconds(), options.time_limit,
                           monitor);
  };

  std::optional<StopReason> stop;
  while (!stop) {
    if (!run.step()) {
      stop = reason_not_finite();
      break;
    }
    ++report.iterations;
    stop = first_reason_to_stop();
    tell(watch.seconds(), [&] {
      return Progress{.iteration = report.iterations,
                      .objective = run.objective(),
                      .gap = run.objective() - report.dual_objective,
                      .nonzeros = problem.count_nonzeros(run.point()),
                      .seconds = watch.seconds(),
                      .passes = report.passes,
                      .working_set = problem.n_features()};
    });
  }
  report.objective = run.objective();
  typename P::Point u = run.take_point();
  conclude(problem, u, *stop, gap_tolerance(options), report);
  report.seconds = watch.seconds();
  return {std::move(u), report};
}

}  // namespace hsvm
