#include "hsvm/newton/multiclass_subproblem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "hsvm/core/vector_sums.hpp"
#include "hsvm/loss/class_sums.hpp"
#include "hsvm/newton/exact_step.hpp"

namespace hsvm {
namespace {

constexpr double kDamping = 1e-4;  // of the gap: conjugate gradients take fewer iterations

}  // namespace

MulticlassSubproblem::MulticlassSubproblem(const Problem& problem, bool along_path)
    : problem_(&problem),
      along_path_(along_path),
      control_(problem.parameters().loss, kDamping),
      columns_(problem.design(), problem.parameters().intercept),
      model_(problem, along_path) {}

void MulticlassSubproblem::set_columns(std::span<const Index> columns) {
  const std::vector<Index> from = columns_.change(columns);
  model_.remap(columns_, from);
  coordinates_.update(*problem_, columns_, from);
  penalty_.lambda1 = problem_->parameters().penalty.lambda1;
  penalty_.lambda2 = problem_->parameters().penalty.lambda2;
  penalty_.factors = coordinates_.factors;
}

void MulticlassSubproblem::load(const Point& u) {
  v_.reset(columns_.size(), problem_->parameters().n_classes);
  if (columns_.has_intercept()) std::ranges::copy(u.b, v_.row(0).begin());
  for (Index c = columns_.first_feature(); c < columns_.size(); ++c) {
    const Index j = columns_.columns()[static_cast<std::size_t>(c - columns_.first_feature())];
    const auto found = std::lower_bound(u.rows.begin(), u.rows.end(), j);
    if (found == u.rows.end() || *found != j) continue;
    std::ranges::copy(u.w.row(static_cast<Index>(found - u.rows.begin())), v_.row(c).begin());
  }
}

void MulticlassSubproblem::store(Point& u) const {
  std::vector<Index> held;  // positions of the rows that are not zero, by feature
  for (Index c = columns_.first_feature(); c < columns_.size(); ++c) {
    if (std::ranges::any_of(v_.row(c), [](double value) { return value != 0.0; })) held.push_back(c);
  }
  const auto feature = [&](Index c) {
    return columns_.columns()[static_cast<std::size_t>(c - columns_.first_feature())];
  };
  std::ranges::sort(held, {}, feature);
  u.rows.clear();
  u.w.reset(static_cast<Index>(held.size()), v_.n_classes());
  for (const Index c : held) {
    std::ranges::copy(v_.row(c), u.w.row(static_cast<Index>(u.rows.size())).begin());
    u.rows.push_back(feature(c));
  }
}

void MulticlassSubproblem::know_gradient(const MarginLoss& loss, const Problem::Gradient& gradient) {
  known_ = loss;
  g_.b = gradient.b;
  g_.duals = gradient.duals;
  g_.losses = gradient.losses;
  g_.flows = gradient.flows;
  g_.w.reset(static_cast<Index>(columns_.columns().size()), problem_->parameters().n_classes);
  for (Index j = 0; j < g_.w.rows(); ++j)
    std::ranges::copy(gradient.w.row(columns_.columns()[static_cast<std::size_t>(j)]), g_.w.row(j).begin());
}

void MulticlassSubproblem::differentiate(const Point& u) {
  if (std::exchange(known_, std::nullopt) != control_.loss) {
    problem_->residuals(u, control_.loss, r_, g_);
    problem_->design().multiply_transposed(columns_.columns(), r_, g_.w);
  }
  take_gradient();
}

// From the derivatives of the loss to what the model and the bound ask for.
void MulticlassSubproblem::take_gradient() {
  g_.half_ranges.resize(columns_.columns().size());
  const Index first = columns_.first_feature();
  model_g_.reset(columns_.size(), v_.n_classes());
  if (columns_.has_intercept()) {
    std::ranges::copy(g_.b, model_g_.row(0).begin());
  } else {
    std::ranges::fill(g_.b, 0.0);
  }
  for (Index j = 0; j < g_.w.rows(); ++j) {
    g_.half_ranges[static_cast<std::size_t>(j)] = half_range(g_.w.row(j));
    std::ranges::copy(g_.w.row(j), model_g_.row(j + first).begin());
  }
}

StepState MulticlassSubproblem::state(const Point& u) const {
  const bool is_own = control_.loss == problem_->parameters().loss;
  double objective = is_own ? g_.losses / problem_->n_samples() : problem_->smooth(u);
  for (const double b : u.b) objective += 0.5 * problem_->parameters().lambda3 * b * b;
  for (Index j = 0; j < g_.w.rows(); ++j) objective += penalty_.value(j, v_.row(j + columns_.first_feature()));
  return {objective, objective - problem_->dual_bound(g_, penalty_)};
}

void MulticlassSubproblem::minimise_model(const Point& u, double tolerance) {
  for (Index j = 0; j < v_.rows(); ++j)
    add_scaled(coordinates_.lambda[static_cast<std::size_t>(j)], v_.row(j), model_g_.row(j));
  next_ = v_;
  model_.minimise(columns_, control_, u.scores, coordinates_, model_g_, tolerance, next_);
  set_direction();
}

// From v to next, and what it changes in the scores.
void MulticlassSubproblem::set_direction() {
  direction_ = next_;
  for (std::size_t k = 0; k < direction_.values().size(); ++k) direction_.values()[k] -= v_.values()[k];
  std::vector<Index> rows;
  for (Index c = 0; c < columns_.size(); ++c) {
    if (std::ranges::any_of(direction_.row(c), [](double value) { return value != 0.0; })) rows.push_back(c);
  }
  columns_.multiply(rows, direction_, change_);
}

double MulticlassSubproblem::search_line(const Point& u) const {
  const double n = problem_->n_samples();
  PenaltyAlongLine penalty;
  for (Index j = 0; j < v_.rows(); ++j) {
    const auto row = static_cast<std::size_t>(j);
    for (std::size_t k = 0; k < v_.row(j).size(); ++k) {
      penalty.add(v_.row(j)[k], direction_.row(j)[k], coordinates_.tau[row], coordinates_.lambda[row]);
    }
  }
  const auto smooth = [&](double t) {
    const LineSums sums = sum_along_line(control_.loss, problem_->samples(), u.scores, change_, t);
    return SlopeAndCurvature{sums.slope / n + penalty.linear + t * penalty.square,
                             sums.curvature / n + penalty.square};
  };
  // A look at many scores costs as much as what the last digits of a step gain.
  constexpr double kLimit = 10.0;
  constexpr double kSlopeLeft = 0.01;
  constexpr double kFewScores = 1024;
  const bool is_small = !along_path_ && n * u.scores.stride() <= kFewScores;
  const double left = is_small ? 0.0 : kSlopeLeft * control_.looseness() / StepControl::kLoosest;
  return exact_step(smooth, penalty.base, penalty.kinks, kLimit, left);
}

void MulticlassSubproblem::advance(Point& u, double t) {
  model_.note_step(control_, u.scores, change_, t);
  for (std::size_t k = 0; k < v_.values().size(); ++k) {
    v_.values()[k] = moved(v_.values()[k], direction_.values()[k], next_.values()[k], t);
  }
  for (Index j = 0; j < v_.rows(); ++j) {  // what rounding adds to the sum of a row would grow with long steps
    const std::span<double> row = v_.row(j);
    const auto largest = std::ranges::max_element(row, {}, [](double value) { return std::abs(value); });
    *largest -= std::accumulate(row.begin(), row.end(), 0.0);
  }
  const std::span<double> scores = u.scores.values();
  for (std::size_t k = 0; k < scores.size(); ++k) scores[k] += t * change_.values()[k];
  if (columns_.has_intercept()) std::ranges::copy(v_.row(0), u.b.begin());
}

void MulticlassSubproblem::minimise_intercept(Point& u) {
  problem_->minimise_intercept(u, control_.loss);
  if (columns_.has_intercept()) std::ranges::copy(u.b, v_.row(0).begin());
}

Index MulticlassSubproblem::count_nonzeros() const {
  Index count = 0;
  for (Index c = columns_.first_feature(); c < v_.rows(); ++c) {
    count += std::ranges::any_of(v_.row(c), [](double value) { return value != 0.0; }) ? 1 : 0;
  }
  return count;
}

}  // namespace hsvm
