// NewtonRun is one solve: its loop reads as the algorithm in newton.hpp, each step and each reason to stop has a name. What
// outlives a solve (the subproblem with its Gram matrix, the gradients) belongs to NewtonSolver, which also chooses the
// working set.

#include "hsvm/newton/newton.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "hsvm/core/stopwatch.hpp"
#include "hsvm/core/vector_sums.hpp"
#include "hsvm/newton/binary_secant.hpp"
#include "hsvm/newton/newton_steps.hpp"
#include "hsvm/newton/secant.hpp"
#include "hsvm/solve/certificate.hpp"
#include "hsvm/solve/reason_to_stop.hpp"
#include "hsvm/solve/stage_monitor.hpp"

namespace hsvm {
namespace detail {

template <class P>
class NewtonRun {
 public:
  using Point = typename P::Point;

  NewtonRun(NewtonSolver<P>& solver, Point start, const NewtonOptions& options, const SolveMonitor& monitor)
      : solver_(solver),
        problem_(solver.problem_),
        sub_(solver.sub_),
        options_(options),
        monitor_(monitor),
        tell_(monitor),
        u_(std::move(start)),
        looks_often_(solver.gradient_.looks_ahead()),
        is_sparse_(std::is_same_v<P, BinaryProblem> && problem_.design().is_sparse()) {
    report_.objective_at_zero = problem_.objective_at_zero();
    report_.passes = std::exchange(solver_.passes_before_, 0.0);
    if constexpr (std::is_same_v<P, MulticlassProblem>) solver_.predict(u_);
    sub_.control().restart(problem_.parameters().loss);
  }

  Solution<Point> solve() {
    for (;; ++round_) {
      measure();
      if (is_finite_) find_working_set();
      std::optional<StopReason> stop = first_reason_to_stop();
      if (is_finite_ && (stop || round_ > 0))
        tell_last_step(report_.objective, [&] { return problem_.count_nonzeros(u_); });
      if (stop && stop->status == Status::converged && !holds_afresh()) {
        if (++times_doubted_ <= kMostDoubts) continue;
        stop = fall_back();
      }
      if (stop && stop->status == Status::not_finite && round_ > 0) stop = start_again();
      if (!stop && steps_are_futile()) stop = fall_back();
      if (stop) return finish(*stop);
      take_steps();
    }
  }

 private:
  // The gradient over all features, the objective and the best bound so far.
  void measure() {
    // The start is judged by the problem's own loss; at lambda1_max no other would do.
    loss_ = round_ == 0 ? problem_.parameters().loss : sub_.control().loss;
    const bool is_known = round_ == 0 && solver_.starts_at_end(u_);
    gradient_ =
        is_known ? &solver_.gradient_.again(report_.passes) : &solver_.gradient_.at(u_, loss_, report_.passes);
    solver_.knows_end_ = loss_ == problem_.parameters().loss;
    report_.objective = problem_.objective(u_, loss_, *gradient_);
    is_finite_ = std::isfinite(report_.objective) && problem_.is_finite(*gradient_);
    if (!is_finite_) return;
    raise_bound(report_, problem_.dual_objective(u_, loss_, *gradient_, report_.objective - gap_in_the_end()));
    is_certified_ = report_.relative_gap() <= options_.tolerance;
    if (round_ > 0 && looks_often_) sub_.control().learn(report_.relative_gap() / options_.tolerance);
  }

  // Whether the point is certified by scores that are those of its coefficients. They are computed afresh where steps may
  // have let them drift away; a solve on its own can always afford it, and so can one of several classes, whose steps cost more.
  bool holds_afresh() {
    constexpr double kMostDrift = 1e-3;  // of the tolerance
    constexpr int kMostSolves = 16;
    ScoreDrift& drift = solver_.drift_;
    const double rounding = problem_.objective_rounding(u_, report_.objective);
    drift.size += (1.0 + report_.iterations) * std::max(rounding, drift.last_rounding);
    drift.last_rounding = rounding;
    const double allowed = options_.tolerance * report_.objective_at_zero;
    if (!solver_.along_path_ || std::is_same_v<P, MulticlassProblem> || drift.is_real ||
        ++drift.solves >= kMostSolves || drift.size > kMostDrift * allowed) {
      const double before = report_.objective;
      refresh_scores();
      report_.objective = problem_.objective(u_);
      drift.is_real = drift.is_real || !(std::abs(report_.objective - before) <= kMostDrift * allowed);
      drift.size = 0.0;
      drift.solves = 0;
    }
    doubt_bound(problem_, u_, report_);
    is_verified_ = std::max(0.0, report_.gap()) + rounding <= allowed ||
                   is_certified(problem_, u_, report_, options_.tolerance);
    return is_verified_;
  }

  void refresh_scores() {
    problem_.refresh_scores(u_);
    solver_.knows_end_ = false;
  }

  // Steps that led out of all numbers are left behind: proximal gradient goes on from the constant model.
  StopReason start_again() {
    solver_.knows_end_ = false;
    u_ = problem_.constant();
    report_.objective = problem_.objective(u_);
    report_.dual_objective = 0.0;
    return fall_back();
  }

  void find_working_set() {
    next_columns_.clear();
    if (!is_certified_ || round_ == 0) next_columns_ = solver_.choose_columns(u_, *gradient_);
  }

  std::optional<StopReason> first_reason_to_stop() const {
    if (!is_finite_) return reason_not_finite();
    // A start that happens to be good enough is still improved: its features are those of another problem.
    if (is_certified_ && next_columns_.empty()) return reason_certified(report_, options_.tolerance);
    return reason_limit();
  }

  std::optional<StopReason> reason_limit() const {
    return reason_at_limit(report_.iterations, options_.max_iterations, watch_.seconds(), options_.time_limit,
                           monitor_);
  }

  bool steps_are_futile() {
    const bool futile = steps_end_ == StepsEnd::stuck || futile_({report_.objective, report_.gap()});
    return futile && next_columns_ == columns_;
  }

  void take_steps() {
    solver_.knows_end_ = false;
    columns_ = std::move(next_columns_);
    sub_.set_columns(columns_);
    // The working set was chosen where the gradient is known: of the binary problem at the last solution, from which steps go on to
    // the prediction.
    bool is_elsewhere = false;
    if constexpr (std::is_same_v<P, BinaryProblem>) is_elsewhere = round_ == 0 && solver_.predict(u_);
    if (!is_elsewhere) {
      solver_.gradient_.complete(sub_.columns(), report_.passes);
      sub_.know_gradient(loss_, *gradient_);
    }
    steps_end_ = take_newton_steps(sub_, u_, {report_.objective, report_.gap()}, step_target(), step_range(),
                                   [&](const StepState& before) {
                                     if (report_.iterations > 0)
                                       tell_last_step(before.objective, [&] { return sub_.count_nonzeros(); });
                                     ++report_.iterations;
                                     return reason_limit().has_value();
                                   });
  }

  static constexpr double kFinish = 0.3;  // of the tolerance: what is asked of the working set in the end

  [[nodiscard]] double gap_in_the_end() const {
    return kFinish * options_.tolerance * report_.objective_at_zero;
  }

  // The gap that is asked of the working set.
  [[nodiscard]] double step_target() const {
    constexpr double kLeast = 0.01;  // of the whole gap: what is asked of it before, at least
    constexpr double kMost = 0.1;
    constexpr double kWide = 0.1;  // at least while steps are taken on a wider elbow
    // Sweeps over a sparse model are as good in one step as in two: it may well be the last.
    if (looks_often_ && is_sparse_) return gap_in_the_end();
    // A small working set is worth finishing before the next look at X; with a large one looks are cheap, and so they are where
    // a step goes from column to column.
    const double share =
        static_cast<double>(columns_.size()) / std::max(1.0, static_cast<double>(problem_.n_features()));
    const bool is_wide = loss_.delta > problem_.parameters().loss.delta;
    const double fraction = is_sparse_ ? kMost : std::clamp(share, is_wide ? kWide : kLeast, kMost);
    return std::max(is_certified_ ? 0.0 : gap_in_the_end(), fraction * report_.gap());
  }

  // Where a look at all features is cheap, most steps are followed by one. After a step on a sparse working set its own gap tells
  // whether another is needed; but where one is enough, as it was at the last point, the look tells as well, and where columns
  // are so few or so long that they have a Gram matrix, it costs as little.
  [[nodiscard]] StepRange step_range() const {
    constexpr int kMostAtOnce = 3;
    constexpr double kEnough = 0.9;  // of the tolerance
    // A step on all features is judged by a look at all of them: the gap over the working set would be computed twice.
    const bool is_whole = std::is_same_v<P, MulticlassProblem> && std::ssize(columns_) == problem_.n_features();
    if (!solver_.along_path_ && is_whole && !solver_.has_few_scores()) return {1, 1, 1.0};
    if (!looks_often_) return {};
    bool is_by_columns = false;
    if constexpr (std::is_same_v<P, BinaryProblem>) is_by_columns = is_sparse_ && !sub_.keeps_gram();
    return {1, is_by_columns && solver_.last_iterations_ > 1 ? kMostAtOnce : 1, kEnough / kFinish};
  }

  // Proximal gradient goes on from u.
  StopReason fall_back() {
    solver_.knows_end_ = false;
    ProximalGradientOptions rest;
    rest.tolerance = options_.tolerance;
    rest.max_iterations = std::max(1, options_.max_iterations - report_.iterations);
    rest.time_limit = std::max(0.0, options_.time_limit - watch_.seconds());
    problem_.minimise_intercept(u_, problem_.parameters().loss);
    StageMonitor stage(monitor_, watch_, report_, 1.0);
    auto solution = proximal_gradient(problem_, std::move(u_), rest, stage.monitor());
    u_ = std::move(solution.point);
    report_.iterations += solution.report.iterations;
    report_.passes += solution.report.passes;
    report_.objective = solution.report.objective;
    raise_bound(report_, solution.report.dual_objective);
    report_.fell_back = true;
    stage.finish(report_);
    doubt_bound(problem_, u_, report_);
    if (is_certified(problem_, u_, report_, options_.tolerance))
      return reason_certified(report_, options_.tolerance);
    return {solution.report.status, solution.report.reason};
  }

  Solution<Point> finish(const StopReason& stop) {
    if (!is_verified_) {
      // What is reported is of the coefficients, not of scores that steps have let drift away from them.
      refresh_scores();
      report_.objective = problem_.objective(u_);
    }
    conclude(problem_, u_, stop, is_verified_ ? std::nullopt : std::optional(options_.tolerance), report_);
    solver_.remember(u_);
    solver_.last_iterations_ = report_.iterations;
    report_.seconds = watch_.seconds();
    return {std::move(u_), report_};
  }

  // Shows the last step to the monitor once its outcome is known.
  template <class CountNonzeros>
  void tell_last_step(double objective, const CountNonzeros& count_nonzeros) {
    if (report_.iterations == iterations_told_) return;
    tell_(watch_.seconds(), [&] {
      return Progress{report_.iterations,
                      objective,
                      std::max(0.0, objective - report_.dual_objective),
                      count_nonzeros(),
                      watch_.seconds(),
                      report_.passes,
                      static_cast<Index>(columns_.size())};
    });
    iterations_told_ = report_.iterations;
  }

  NewtonSolver<P>& solver_;
  const P& problem_;
  typename SubproblemOf<P>::Type& sub_;
  const NewtonOptions& options_;
  const SolveMonitor& monitor_;
  ProgressTeller tell_;
  const Stopwatch watch_;
  SolveReport report_;
  Point u_;
  const bool looks_often_;  // at all features
  const bool is_sparse_;    // a binary problem whose models go from column to column
  int round_ = 0;
  int iterations_told_ = -1;
  MarginLoss loss_;  // the one the gradient is of
  const typename P::Gradient* gradient_ = nullptr;
  bool is_finite_ = true;
  bool is_certified_ = false;
  std::vector<Index> columns_, next_columns_;
  StepsEnd steps_end_ = StepsEnd::target;
  FutilityDetector futile_;
  static constexpr int kMostDoubts = 3;
  int times_doubted_ = 0;
  bool is_verified_ = false;  // the point is certified by what was just computed
};

}  // namespace detail

template <class P>
Solution<typename P::Point> NewtonSolver<P>::solve(Point start, const NewtonOptions& options,
                                                   const SolveMonitor& monitor) {
  return detail::NewtonRun<P>(*this, std::move(start), options, monitor).solve();
}

template <class P>
bool NewtonSolver<P>::starts_at_end(const Point& start) const {
  if constexpr (std::is_same_v<P, BinaryProblem>) {
    return knows_end_ && !last_.scores.empty() && start.b == last_.b && start.w == last_.w;
  } else {
    return false;  // along paths they start on a secant
  }
}

// Along a path the line through the last two solutions goes on, if their lambda1 fall one after the other. With a Gram matrix the
// first step of the binary model is as good, unless the last point has shown that it is not.
template <class P>
bool NewtonSolver<P>::predict(Point& start) const {
  const double lambda1 = problem_.parameters().penalty.lambda1;
  if (!(before_lambda1_ > last_lambda1_ && last_lambda1_ > lambda1)) return false;
  const double rho = (last_lambda1_ - lambda1) / (before_lambda1_ - last_lambda1_);
  if constexpr (std::is_same_v<P, MulticlassProblem>) {
    if (before_.rows.empty() || start.rows != last_.rows || start.b != last_.b) return false;
    follow_secant(problem_, before_, rho, start);
    return true;
  } else {
    const bool tangent_does = sub_.keeps_gram() && last_iterations_ <= 1;
    if (tangent_does || before_.scores.empty() || start.b != last_.b || start.w != last_.w) return false;
    return follow_secant(problem_, before_, rho, start);
  }
}

template <class P>
void NewtonSolver<P>::remember(const Point& solution) {
  before_lambda1_ = last_lambda1_;
  last_lambda1_ = problem_.parameters().penalty.lambda1;
  if constexpr (std::is_same_v<P, MulticlassProblem>) {
    if (!gradient_.looks_ahead()) return;
    before_ = std::exchange(last_, Point{solution.b, solution.rows, solution.w, {}});
  } else {
    if (!gradient_.looks_ahead()) return;
    std::swap(before_, last_);  // what they hold has the right sizes already
    last_.b = solution.b;
    last_.w = solution.w;
    last_.scores.resize(solution.scores.size());
    copy_to(solution.scores, last_.scores);
  }
}

// The support, the features that violate optimality or, along a path, are about to, strongest first as far as they can be
// afforded; along a path also those of the last working set, unless they have become too many.
template <class P>
std::vector<Index> NewtonSolver<P>::choose_columns(const Point& u, const typename P::Gradient& gradient) {
  constexpr double kKeep = 1.5;  // times the features that are needed: how many are kept
  constexpr double kKeepFew = 24.0;
  constexpr Index kFew = 32;  // features that cost less than to choose among them
  const double lambda1 = problem_.parameters().penalty.lambda1;
  const double margin =
      last_lambda1_ > lambda1 && lambda1 > 0.0 ? std::min(1.0, last_lambda1_ / lambda1 - 1.0) : 0.0;
  if (along_path_ && problem_.n_outputs() == 1 && problem_.n_features() <= kFew)
    return all_indices(problem_.n_features());
  std::vector<Index> columns = problem_.support(u);
  std::vector<Index> candidates = violators_ahead(gradient, columns, margin);
  if constexpr (std::is_same_v<P, BinaryProblem>) {
    constexpr double kPointsAhead = 8.0;  // whose features enter together where that costs as much as one does
    if (margin > 0.0 && sub_.takes_in_many() && !std::ranges::includes(sub_.sorted_columns(), candidates))
      candidates = violators_ahead(gradient, columns, std::min(1.0, kPointsAhead * margin));
  }
  keep_strongest(gradient, columns, candidates);
  std::sort(candidates.begin(), candidates.end());
  // Looks at few samples cost little, and of two classes with more features than samples many that are about to enter never do.
  constexpr double kFewSamples = 128.0;
  const double n = problem_.n_samples();
  const bool do_enter = n >= kFewSamples && (problem_.n_outputs() > 1 || n >= problem_.n_features());
  if (margin > 0.0 && do_enter && sub_.keeps_gram()) fill_tile(gradient, margin, columns, candidates);
  const auto n_support = static_cast<std::ptrdiff_t>(columns.size());
  columns.insert(columns.end(), candidates.begin(), candidates.end());
  std::inplace_merge(columns.begin(), columns.begin() + n_support, columns.end());
  // Along a path features come and go; to keep one costs less than to take it in again.
  if (margin > 0.0) {
    std::vector<Index> all;
    if constexpr (requires { sub_.sorted_columns(); }) {
      std::ranges::set_union(columns, sub_.sorted_columns(), std::back_inserter(all));
    } else {
      std::vector<Index> known(sub_.columns().begin(), sub_.columns().end());
      std::ranges::sort(known);
      std::ranges::set_union(columns, known, std::back_inserter(all));
    }
    if (static_cast<double>(all.size()) <= kKeep * static_cast<double>(columns.size()) + kKeepFew) return all;
  }
  return columns;
}

// What violates optimality, or would if thresholds were lower by `margin`, a share of them.
template <class P>
std::vector<Index> NewtonSolver<P>::violators_ahead(const typename P::Gradient& gradient,
                                                    std::span<const Index> support, double margin) {
  gradient_.watch_down_to(problem_.parameters().penalty.lambda1 * (1.0 - margin));
  return problem_.violators(gradient, support, -margin);
}

// Where rows enter that have no products yet, the next that are about to come with them, as far as matrices have room: they are
// computed in whole tiles, and every look at the samples takes all columns. candidates: ascending.
template <class P>
void NewtonSolver<P>::fill_tile(const typename P::Gradient& gradient, double margin,
                                std::span<const Index> support, std::vector<Index>& candidates) {
  constexpr double kPointsAhead = 8.0;
  std::vector<Index> known(sub_.columns().begin(), sub_.columns().end());
  std::ranges::sort(known);
  if (std::ranges::includes(known, candidates)) return;
  const auto is_new = [&](Index j) { return !std::ranges::binary_search(known, j); };
  const auto n_new = std::ranges::count_if(candidates, is_new);
  const auto size = static_cast<Index>(std::ssize(known) + n_new + 1);
  const auto room = static_cast<std::size_t>((SymmetricMatrix::kTile - size % SymmetricMatrix::kTile) %
                                             SymmetricMatrix::kTile);
  std::vector<Index> ahead;
  std::ranges::set_difference(violators_ahead(gradient, support, std::min(1.0, kPointsAhead * margin)),
                              candidates, std::back_inserter(ahead));
  std::erase_if(ahead, [&](Index j) { return !is_new(j); });
  const std::size_t count = std::min(room, ahead.size());
  std::ranges::partial_sort(ahead, ahead.begin() + static_cast<std::ptrdiff_t>(count), [&](Index a, Index b) {
    const double first = problem_.strength(gradient, a) - problem_.threshold(a);
    const double second = problem_.strength(gradient, b) - problem_.threshold(b);
    return first > second || (first == second && a < b);
  });
  ahead.resize(count);
  candidates.insert(candidates.end(), ahead.begin(), ahead.end());
  std::ranges::sort(candidates);
}

// As many of the candidates as have a Gram matrix that costs no more than a look at X, but always enough to double the
// support. A dense product multiplies faster in a Gram matrix than X can be read.
template <class P>
void NewtonSolver<P>::keep_strongest(const typename P::Gradient& gradient, std::span<const Index> support,
                                     std::vector<Index>& candidates) const {
  constexpr double kDenseBalance = 8.0;
  constexpr double kByColumns = 0.5;
  constexpr std::size_t kAlways = 10;
  // Sparse columns that are looked at again and again for each set of new ones cost less at once.
  constexpr std::size_t kAlwaysSparse = 128;
  const auto excess = [&](Index j) { return problem_.strength(gradient, j) - problem_.threshold(j); };
  const auto stronger = [&](Index a, Index b) {
    return excess(a) > excess(b) || (excess(a) == excess(b) && a < b);
  };
  const bool is_sparse = problem_.design().is_sparse();
  const std::size_t least =
      std::max(is_sparse && problem_.n_outputs() == 1 ? kAlwaysSparse : kAlways, support.size());
  if (is_sparse) return keep_affordable(gradient, support, least, candidates);
  double balanced = std::sqrt(kDenseBalance * problem_.n_features() * problem_.n_outputs());
  // Models of several classes go from column to column where these are no fewer than the samples.
  if (problem_.n_outputs() > 1 && balanced > problem_.n_samples() && !has_few_scores()) balanced *= kByColumns;
  const std::size_t most = std::max(least, static_cast<std::size_t>(balanced));
  if (candidates.size() <= most) return;
  const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(candidates.begin(), end, candidates.end(), stronger);
  candidates.erase(end, candidates.end());
}

// Models of a sparse design go from column to column: a sweep over the working set costs what its entries cost in a look at X.
template <class P>
void NewtonSolver<P>::keep_affordable(const typename P::Gradient& gradient, std::span<const Index> support,
                                      std::size_t least, std::vector<Index>& candidates) const {
  constexpr double kShare = 0.2;  // of the stored entries
  const Design& design = problem_.design();
  double left = kShare * static_cast<double>(design.stored());
  const auto take = [&](Index j) { left -= static_cast<double>(design.stored(j)); };
  std::ranges::for_each(support, take);
  const double before = left;
  std::ranges::for_each(candidates, take);
  if (left > 0.0 || candidates.size() <= least) return;
  std::vector<std::pair<double, Index>> order;  // the strongest first
  order.reserve(candidates.size());
  for (const Index j : candidates)
    order.emplace_back(problem_.threshold(j) - problem_.strength(gradient, j), j);
  std::sort(order.begin(), order.end());
  left = before;
  candidates.clear();
  for (const auto& [excess, j] : order) {
    if (!(left > 0.0) && candidates.size() >= least) break;
    candidates.push_back(j);
    take(j);
  }
}

template class NewtonSolver<BinaryProblem>;
template class NewtonSolver<MulticlassProblem>;

}  // namespace hsvm
