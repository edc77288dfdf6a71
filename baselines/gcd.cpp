#include "baselines/gcd.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/loss/margin_sums.hpp"

namespace hsvm::baselines {
namespace {

void check(const GcdOptions& options) {
  if (!(options.tolerance > 0.0)) throw OptionError("gcd: tolerance must be greater than 0");
  if (options.max_cycles < 1) throw OptionError("gcd: max_cycles must be at least 1");
}

// The point of a path that the cycles are at, with what they keep up to date.
class GcdRun {
 public:
  GcdRun(const BinaryProblem& problem, const GcdOptions& options)
      : problem_(problem),
        options_(options),
        clock_(options.limits),
        samples_{problem.y(), problem.sample_weights()},
        n_(static_cast<double>(problem.y().size())) {
    const auto p = static_cast<std::size_t>(problem.n_features());
    w_.assign(p, 0.0);
    u_.scores.assign(problem.y().size(), 0.0);
    r_.resize(problem.y().size());
    M_ = (options.majorisation == Majorisation::tight ? 1.0 : 2.0) * problem.parameters().loss.curvature();
    curvatures_.resize(p);
    problem.design().column_squared_norms(all_indices(problem.n_features()), samples_.s, curvatures_);
    for (double& curvature : curvatures_) curvature *= M_ / n_;
    ever_active_.assign(p, 0);
  }

  [[nodiscard]] GcdResult solve(double lambda1, std::optional<double> previous_lambda1) {
    problem_.set_lambdas(lambda1, problem_.parameters().penalty.lambda2, problem_.parameters().lambda3);
    result_ = GcdResult{};
    refresh_residuals();
    screen(previous_lambda1);
    std::optional<Status> stop;
    do {
      stop = cycle_until_still();
    } while (!stop && add_violators());
    result_.seconds = clock_.seconds() - accounted_;
    result_.status = result_.reached_target ? Status::converged : stop.value_or(Status::converged);
    finish();
    accounted_ = clock_.seconds();
    return result_;
  }

 private:
  [[nodiscard]] const BinaryParameters& parameters() const { return problem_.parameters(); }
  [[nodiscard]] double threshold(Index j) const {
    return parameters().penalty.threshold(static_cast<std::size_t>(j));
  }

  // The point the cycles are at, for the problem.
  const BinaryProblem::Point& point() {
    u_.w = nonzeros(w_);
    return u_;
  }

  // df/dw_j
  double dot(Index j) {
    ++result_.columns;
    return problem_.design().column_dot(j, r_);
  }

  void refresh_residuals() {
    sum_r_ = loss_gradient(parameters().loss, samples_, u_.scores, 1.0 / n_, r_).slope;
  }

  // The sequential strong rule, by the lambda1 below which each feature would move. Without a lambda1 before this
  // one, the smallest at which the zeros would be optimal is taken for it.
  void screen(std::optional<double> previous_lambda1) {
    const auto p = problem_.n_features();
    features_.clear();
    outside_.clear();
    double limit = 0.0;
    std::vector<double> moves_below(static_cast<std::size_t>(p), kNoLimit);
    if (options_.strong_rule) {
      double largest = 0.0;
      for (Index j = 0; j < p; ++j) {
        double& lambda1 = moves_below[static_cast<std::size_t>(j)];
        if (threshold(j) <= 0.0) continue;
        lambda1 = std::abs(dot(j)) * parameters().penalty.lambda1 / threshold(j);
        if (w_[static_cast<std::size_t>(j)] == 0.0) largest = std::max(largest, lambda1);
      }
      const double before = previous_lambda1.value_or(std::max(largest, parameters().penalty.lambda1));
      limit = 2.0 * parameters().penalty.lambda1 - before;
    }
    for (Index j = 0; j < p; ++j) {
      const auto at = static_cast<std::size_t>(j);
      if (curvatures_[at] == 0.0) continue;  // an empty column stays at zero
      (w_[at] != 0.0 || ever_active_[at] || !(moves_below[at] < limit) ? features_ : outside_).push_back(j);
    }
  }

  // Cycles over the screened features, and between them over the active ones, until nothing moves.
  std::optional<Status> cycle_until_still() {
    while (cycle(features_)) {
      if (const auto stop = reason_to_stop()) return stop;
      while (cycle(active_)) {
        if (const auto stop = reason_to_stop()) return stop;
      }
      if (const auto stop = reason_to_stop()) return stop;
    }
    return reason_to_stop();
  }

  std::optional<Status> reason_to_stop() {
    if (options_.target_objective && problem_.objective(point()) <= *options_.target_objective) {
      result_.reached_target = true;
      return Status::converged;
    }
    if (result_.cycles >= options_.max_cycles) return Status::iteration_limit;
    return clock_.reason_to_stop();
  }

  // One update of each of the features and of the intercept; whether any of them has moved by the tolerance or more.
  bool cycle(const std::vector<Index>& features) {
    ++result_.cycles;
    double largest = 0.0;
    for (const Index j : features) largest = std::max(largest, update(j));
    if (parameters().intercept) largest = std::max(largest, update_intercept());
    return largest >= options_.tolerance;
  }

  double update(Index j) {
    const auto at = static_cast<std::size_t>(j);
    const double curvature = curvatures_[at];
    const double before = w_[at];
    const double c = -dot(j);
    const double after =
        shrink(curvature * before + c, threshold(j)) / (curvature + parameters().penalty.lambda2);
    const double change = after - before;
    if (change == 0.0) return 0.0;
    w_[at] = after;
    move_scores(j, change);
    if (!ever_active_[at]) {
      ever_active_[at] = 1;
      active_.push_back(j);
    }
    return curvature * change * change;
  }

  void move_scores(Index j, double change) {
    ++result_.columns;
    const ColumnView column = problem_.design().column(j, buffer_);
    if (column.sparse) {
      const MarginLoss loss = parameters().loss;
      for_each_entry(column, [&](std::size_t i, double value) {
        u_.scores[i] += change * value;
        const double r = samples_.s[i] * samples_.y[i] * loss.derivative(samples_.y[i] * u_.scores[i]) / n_;
        sum_r_ += r - r_[i];
        r_[i] = r;
      });
    } else {
      add_scaled(change, column.values, u_.scores);
      refresh_residuals();
    }
  }

  double update_intercept() {
    if (problem_.design().is_sparse()) sum_r_ = std::accumulate(r_.begin(), r_.end(), 0.0);  // rounding adds up
    const double change = (M_ * u_.b - sum_r_) / (M_ + parameters().lambda3) - u_.b;
    if (change == 0.0) return 0.0;
    u_.b += change;
    for (double& score : u_.scores) score += change;
    refresh_residuals();
    return M_ * change * change;
  }

  // Takes in the features left out that should not have been; false where there are none.
  bool add_violators() {
    const auto wrong = [&](Index j) { return std::abs(dot(j)) > threshold(j); };
    const auto right = std::stable_partition(outside_.begin(), outside_.end(), wrong);
    if (right == outside_.begin()) return false;
    features_.insert(features_.end(), outside_.begin(), right);
    outside_.erase(outside_.begin(), right);
    std::ranges::sort(features_);
    return true;
  }

  // The answer from (b, w) alone, without what rounding has left in the scores.
  void finish() {
    u_ = problem_.point(u_.b, nonzeros(w_));
    result_.b = u_.b;
    result_.w = w_;
    result_.objective = problem_.objective(u_);
    auto best = u_;  // a free intercept has a dual bound at its best value only
    problem_.minimise_intercept(best, parameters().loss);
    BinaryProblem::Gradient gradient;
    problem_.gradient(best, gradient);
    result_.gap = result_.objective - problem_.dual_objective(best, gradient);
  }

  BinaryProblem problem_;
  const GcdOptions& options_;
  RunClock clock_;
  double accounted_ = 0.0;  // seconds that belong to the points before
  Samples samples_;
  double n_;
  double M_ = 0.0;
  std::vector<double> w_;   // p
  BinaryProblem::Point u_;  // b and the scores; its w is that of the last point()
  ColumnBuffer buffer_;
  std::vector<double> r_;  // df/dscore
  double sum_r_ = 0.0;     // df/db
  std::vector<double> curvatures_;
  std::vector<Index> features_;    // that the full cycles go over, ascending
  std::vector<Index> outside_;     // screened out
  std::vector<Index> active_;      // ever nonzero, in the order in which they became so
  std::vector<char> ever_active_;  // by feature
  GcdResult result_;
};

}  // namespace

GcdResult gcd(const BinaryProblem& problem, const GcdOptions& options) {
  check(options);
  GcdResult result;
  with_threads(
      1, [&] { result = GcdRun(problem, options).solve(problem.parameters().penalty.lambda1, std::nullopt); });
  return result;
}

std::vector<GcdResult> gcd_path(const BinaryProblem& problem, std::span<const double> lambda1s,
                                const GcdOptions& options) {
  check(options);
  if (!std::is_sorted(lambda1s.rbegin(), lambda1s.rend())) {
    throw OptionError("gcd: the lambda1s of a path must be descending");
  }
  std::vector<GcdResult> results;
  with_threads(1, [&] {
    GcdRun run(problem, options);
    std::optional<double> previous;
    for (const double lambda1 : lambda1s) {
      results.push_back(run.solve(lambda1, previous));
      if (results.back().status != Status::converged) break;
      previous = lambda1;
    }
  });
  return results;
}

}  // namespace hsvm::baselines
