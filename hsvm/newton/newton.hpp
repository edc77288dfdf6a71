// The fast certified solver [docs/newton.md]: Newton steps on a working set of features, a certificate over
// all.
//
//   repeat  the gradient over all features: dual bound, gap; stop when certified
//           working set = support and the strongest violators
//           Newton steps on it until its own gap is a fraction of the whole one (newton_steps.hpp)
//
// The working set takes in so many violators that their Gram matrix costs about as much as another look at X.
//
// Along a path the solver goes on from what it knows: the Gram matrix, the gradients of the last points
// (lazy_gradient.hpp), and which features come next, those whose pull would pass the next threshold if it grew
// as fast as lambda1 falls (the strong rule). Its first step at a new lambda1 follows the path's tangent: the
// model at the last solution is exact until the next kink. Whatever the working set was, the certificate covers
// all features.
//
// Where no step helps any more, the proximal-gradient loop takes over; the report says so.
#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "hsvm/core/stopwatch.hpp"
#include "hsvm/newton/binary_subproblem.hpp"
#include "hsvm/newton/lazy_gradient.hpp"
#include "hsvm/newton/multiclass_subproblem.hpp"
#include "hsvm/solve/proximal_gradient.hpp"
#include "hsvm/solve/two_stage.hpp"

namespace hsvm {

struct NewtonOptions {
  int max_iterations = 100'000;  // Newton steps
  double tolerance = 1e-6;       // of the gap, relative to F(0)
  double time_limit = kNoLimit;  // seconds
};

namespace detail {
template <class P>
struct SubproblemOf;
template <Design X>
struct SubproblemOf<BinaryProblem<X>> {
  using Type = BinarySubproblem<X>;
};
template <Design X>
struct SubproblemOf<MulticlassProblem<X>> {
  using Type = MulticlassSubproblem<X>;
};
}  // namespace detail

template <class P>
class NewtonSolver {
 public:
  using Point = typename P::Point;

  // The problem must outlive the solver; its lambdas may change between solves. many: there will be several.
  explicit NewtonSolver(const P& problem, bool many = false)
      : problem_(problem), sub_(problem), gradient_(problem, many) {}

  [[nodiscard]] Solution<Point> solve(Point start, const NewtonOptions& options,
                                      const SolveMonitor& monitor = {});

 private:
  [[nodiscard]] std::vector<Index> choose_columns(const Point& u, const typename P::Gradient& gradient) const;
  void keep_strongest(const typename P::Gradient& gradient, std::span<const Index> support,
                      std::vector<Index>& candidates) const;
  void fall_back(Point& u, const NewtonOptions& options, const SolveMonitor& monitor, const Stopwatch& watch,
                 SolveReport& report) const;

  const P& problem_;
  typename detail::SubproblemOf<P>::Type sub_;
  LazyGradient<P> gradient_;
  double last_lambda1_ = 0.0;  // of the solve before; 0 at first
};

template <class P>
[[nodiscard]] Solution<typename P::Point> newton(const P& problem, typename P::Point start,
                                                 const NewtonOptions& options,
                                                 const SolveMonitor& monitor = {}) {
  return NewtonSolver<P>(problem).solve(std::move(start), options, monitor);
}

template <class P>
Solution<typename P::Point> NewtonSolver<P>::solve(Point u, const NewtonOptions& options,
                                                   const SolveMonitor& monitor) {
  constexpr double kFinish = 0.3;  // of the tolerance: what is asked of the working set in the end
  constexpr double kLeast = 0.01;  // of the whole gap: what is asked of it before, at least
  constexpr double kMost = 0.1;
  constexpr double kWide = 0.1;  // at least while steps are taken on a wider elbow
  const Stopwatch watch;
  ProgressTeller tell(monitor);
  SolveReport report;
  report.objective_at_zero = problem_.objective_at_zero();
  sub_.control().restart(problem_.parameters().loss);
  std::vector<Index> columns;
  int told = -1;  // iterations shown to the monitor; a step is shown once its outcome is known
  const auto tell_last = [&](double objective, const auto& count_nonzeros) {
    if (report.iterations == told) return;
    tell(watch.seconds(), [&] {
      return Progress{report.iterations,
                      objective,
                      std::max(0.0, objective - report.dual_objective),
                      count_nonzeros(),
                      watch.seconds(),
                      report.passes,
                      static_cast<Index>(columns.size())};
    });
    told = report.iterations;
  };
  const auto reason_to_stop = [&]() -> std::optional<Status> {
    if (report.iterations >= options.max_iterations) return Status::iteration_limit;
    if (watch.seconds() >= options.time_limit) return Status::time_limit;
    if (monitor.interrupted && monitor.interrupted()) return Status::interrupted;
    return std::nullopt;
  };

  // Where a look at all features is cheap, each step is followed by one.
  const int max_steps = gradient_.looks_ahead() ? 1 : std::numeric_limits<int>::max();
  std::optional<Status> stop;
  StepsEnd end = StepsEnd::target;
  FutilityDetector futile;
  for (int round = 0; !stop; ++round) {
    // The start is judged by the problem's own loss; at lambda1_max no other would do.
    const HuberizedHinge loss = round == 0 ? problem_.parameters().loss : sub_.control().loss;
    const auto& gradient = gradient_.at(u, loss, report.passes);
    report.objective = problem_.objective(u);
    if (!std::isfinite(report.objective) || !problem_.is_finite(gradient)) {
      stop = Status::not_finite;
      break;
    }
    report.dual_objective = std::max(report.dual_objective, problem_.dual_objective(u, loss, gradient));
    const bool certified = report.relative_gap() <= options.tolerance;
    std::vector<Index> next;
    if (!certified || round == 0) next = choose_columns(u, gradient);
    // A start that happens to be good enough is still improved: its features are those of another problem.
    if (certified && next.empty()) stop = Status::converged;
    if (!stop) stop = reason_to_stop();
    if (stop || round > 0) tell_last(report.objective, [&] { return problem_.count_nonzeros(u); });
    if (stop) break;
    if ((end == StepsEnd::stuck || futile({report.objective, report.gap()})) && next == columns) {
      fall_back(u, options, monitor, watch, report);
      stop = report.status;
      break;
    }

    columns = std::move(next);
    sub_.set_columns(columns);
    // A small working set is worth finishing before the next look at X; with a large one looks are cheap.
    const double share =
        static_cast<double>(columns.size()) / std::max(1.0, static_cast<double>(problem_.n_features()));
    const bool wide = loss.delta > problem_.parameters().loss.delta;
    const double fraction = std::clamp(share, wide ? kWide : kLeast, kMost);
    const double floor = certified ? 0.0 : kFinish * options.tolerance * report.objective_at_zero;
    end = take_newton_steps(sub_, u, {report.objective, report.gap()}, std::max(floor, fraction * report.gap()),
                            max_steps, [&](const StepState& before) {
                              if (report.iterations > 0)
                                tell_last(before.objective, [&] { return sub_.count_nonzeros(); });
                              ++report.iterations;
                              return reason_to_stop().has_value();
                            });
  }
  report.status = *stop;
  report.dual_objective = std::min(report.dual_objective, report.objective);  // above by rounding alone
  last_lambda1_ = problem_.parameters().penalty.lambda1;
  report.seconds = watch.seconds();
  return {std::move(u), report};
}

// The support, the features that violate optimality or, along a path, are about to, strongest first as far as
// there is room; along a path also those of the last working set, unless they have become too many.
template <class P>
std::vector<Index> NewtonSolver<P>::choose_columns(const Point& u, const typename P::Gradient& gradient) const {
  constexpr double kKeep = 1.5;  // times the features that are needed: how many are kept
  constexpr double kKeepFew = 24.0;
  const double lambda1 = problem_.parameters().penalty.lambda1;
  const double margin =
      last_lambda1_ > lambda1 && lambda1 > 0.0 ? std::min(1.0, last_lambda1_ / lambda1 - 1.0) : 0.0;
  std::vector<Index> columns = problem_.support(u);
  std::vector<Index> candidates = problem_.violators(gradient, columns, -margin);
  keep_strongest(gradient, columns, candidates);
  columns.insert(columns.end(), candidates.begin(), candidates.end());
  std::sort(columns.begin(), columns.end());
  // Along a path features come and go; to keep one costs less than to take it in again.
  if (margin > 0.0) {
    std::vector<Index> known(sub_.columns().begin(), sub_.columns().end());
    std::sort(known.begin(), known.end());
    std::vector<Index> all;
    std::set_union(columns.begin(), columns.end(), known.begin(), known.end(), std::back_inserter(all));
    if (static_cast<double>(all.size()) <= kKeep * static_cast<double>(columns.size()) + kKeepFew) return all;
  }
  return columns;
}

// As many of the candidates as have a Gram matrix that costs no more than a look at X, but always enough to
// double the support. A dense product multiplies faster in a Gram matrix than X can be read; in a sparse one it
// does not, and its work is the square of the nonzeros in a row.
template <class P>
void NewtonSolver<P>::keep_strongest(const typename P::Gradient& gradient, std::span<const Index> support,
                                     std::vector<Index>& candidates) const {
  constexpr double kDenseBalance = 8.0;
  constexpr double kSparseBalance = 0.5;
  constexpr std::size_t kAlways = 10;
  const auto excess = [&](Index j) { return problem_.pull(gradient, j) - problem_.threshold(j); };
  const auto stronger = [&](Index a, Index b) {
    return excess(a) > excess(b) || (excess(a) == excess(b) && a < b);
  };
  const std::size_t least = std::max(kAlways, support.size());
  const std::size_t room = std::max(
      least, static_cast<std::size_t>(std::sqrt(kDenseBalance * problem_.n_features() * problem_.n_outputs())));
  if (candidates.size() > room) {
    const auto place = candidates.begin() + static_cast<std::ptrdiff_t>(room);
    std::nth_element(candidates.begin(), place, candidates.end(), stronger);
    candidates.erase(place, candidates.end());
  }
  const auto& design = stored_matrix(problem_.design());
  if constexpr (requires { design.n_nonzeros(); }) {
    const auto nonzeros = [&](Index j) { return static_cast<double>(design.column(j).rows.size()); };
    const double n = static_cast<double>(std::max(Index{1}, design.rows()));
    double left = n * std::sqrt(2.0 * kSparseBalance * problem_.n_outputs() *
                                static_cast<double>(design.n_nonzeros()) / n);
    for (const Index j : support) left -= nonzeros(j);
    std::sort(candidates.begin(), candidates.end(), stronger);
    std::size_t count = 0;
    while (count < candidates.size() && (left > 0.0 || count < least)) left -= nonzeros(candidates[count++]);
    candidates.resize(count);
  }
}

template <class P>
void NewtonSolver<P>::fall_back(Point& u, const NewtonOptions& options, const SolveMonitor& monitor,
                                const Stopwatch& watch, SolveReport& report) const {
  ProximalGradientOptions rest;
  rest.tolerance = options.tolerance;
  rest.max_iterations = std::max(1, options.max_iterations - report.iterations);
  rest.time_limit = std::max(0.0, options.time_limit - watch.seconds());
  problem_.minimise_intercept(u, problem_.parameters().loss);
  detail::StageMonitor stage(monitor, watch, report, 1.0);
  auto solution = proximal_gradient(problem_, std::move(u), rest, stage.monitor());
  u = std::move(solution.point);
  report.status = solution.report.status;
  report.iterations += solution.report.iterations;
  report.passes += solution.report.passes;
  report.objective = solution.report.objective;
  report.dual_objective = std::max(report.dual_objective, solution.report.dual_objective);
  if (report.relative_gap() <= options.tolerance) report.status = Status::converged;
  report.fell_back = true;
  stage.finish(report);
}

}  // namespace hsvm
