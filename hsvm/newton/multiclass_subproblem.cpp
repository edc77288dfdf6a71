#include "hsvm/newton/multiclass_subproblem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "hsvm/core/vector_sums.hpp"
#include "hsvm/loss/class_sums.hpp"
#include "hsvm/newton/exact_step.hpp"
#include "hsvm/newton/row_quadratic.hpp"

namespace hsvm {
namespace {

constexpr double kOwn =
    0.3;  // of the violations at first are left by a model: more is lost on one that changes

}  // namespace

MulticlassSubproblem::MulticlassSubproblem(const Problem& problem)
    : problem_(&problem),
      control_(problem.parameters().loss),
      columns_(problem.design(), problem.parameters().intercept),
      is_coupled_(problem.parameters().margins == Margins::relative),
      coupled_(problem),
      by_class_(static_cast<std::size_t>(problem.parameters().n_classes)),
      curved_(is_coupled_ ? 0 : by_class_.size(), std::vector<char>(problem.y().size())),
      crossed_(curved_.size(), std::vector<char>(problem.y().size())),
      n_curved_(static_cast<double>(problem.y().size()) * static_cast<double>(by_class_.size() - 1)) {}

// Gram matrices are built once and then updated; without them each of some hundred iterations reads the working
// columns twice. Costs as in BinarySubproblem.
bool MulticlassSubproblem::prefers_gram() const {
  constexpr double kIterations = 100.0;
  constexpr double kDenseRate = 10.0;
  const double rate = columns_.is_sparse() ? 1.0 : kDenseRate;
  const double m = static_cast<double>(columns_.size());
  const double n_classes = static_cast<double>(by_class_.size());
  const double gram = columns_.gram_work(n_curved_) / rate + kIterations * n_classes * m * m / kDenseRate;
  return gram <= kIterations * 2.0 * columns_.n_nonzeros() * n_classes / kDenseRate;
}

// Where there are many samples, most of them in the elbows, one matrix for all classes is not far off, and may
// be a fraction of the work: then its steps, which take some more products with X, are the cheaper ones.
bool MulticlassSubproblem::prefers_classwise() const {
  constexpr double kTall = 4.0;
  constexpr double kMost = 0.4;
  constexpr double kProducts = 12.0;
  const double n_classes = static_cast<double>(by_class_.size());
  const double n = static_cast<double>(problem_->y().size());
  return n < kTall * static_cast<double>(columns_.size()) || n_curved_ < kMost * n * n_classes ||
         columns_.gram_work(n_curved_) < kProducts * 2.0 * columns_.n_nonzeros() * n_classes;
}

void MulticlassSubproblem::set_columns(std::span<const Index> columns) {
  const std::vector<Index> from = columns_.change(columns);
  last_direction_.reset(0, 0);
  if (is_coupled_) coupled_.remap(columns_, from);
  with_gram_ = !is_coupled_ && prefers_gram();
  if (with_gram_) {
    all_.remap(columns_, from, problem_->sample_weights());
    classwise_ = prefers_classwise();
  } else {
    all_.forget();
  }
  for (ElbowGram& gram : by_class_) {
    if (with_gram_ && classwise_) {
      gram.remap(columns_, from, problem_->sample_weights());
    } else {
      gram.forget();
    }
  }

  coordinates_.update(*problem_, columns_, from);
  penalty_.lambda1 = problem_->parameters().penalty.lambda1;
  penalty_.lambda2 = problem_->parameters().penalty.lambda2;
  penalty_.factors = coordinates_.factors;
  bounds_.resize(coordinates_.size.size());
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

void MulticlassSubproblem::differentiate(const Point& u) {
  const ClassSamples samples = problem_->samples();
  g_.b = loss_gradient(control_.loss, samples, u.scores, 1.0 / static_cast<double>(samples.y.size()), r_);
  problem_->design().multiply_transposed(columns_.columns(), r_, g_.w);
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
  double objective = problem_->smooth(u);
  for (const double b : u.b) objective += 0.5 * problem_->parameters().lambda3 * b * b;
  for (Index j = 0; j < g_.w.rows(); ++j) objective += penalty_.value(j, v_.row(j + columns_.first_feature()));
  return {objective, objective - problem_->dual_bound(control_.loss, u.scores, g_, penalty_)};
}

// The samples with curvature in each class's model: those in its elbow, or at first all with a loss.
void MulticlassSubproblem::find_curved(const Point& u) {
  n_curved_ = 0.0;
  for (std::size_t k = 0; k < curved_.size(); ++k) {
    for (std::size_t i = 0; i < curved_[k].size(); ++i) {
      const bool wrong = problem_->y()[i] != static_cast<Index>(k) && problem_->sample_weights()[i] > 0.0;
      const double a = control_.loss.dual(-u.scores.data(static_cast<Index>(i))[k]);
      curved_[k][i] = wrong && a > 0.0 && (control_.first || a < control_.loss.cap) ? 1 : crossed_[k][i];
      n_curved_ += curved_[k][i];
    }
  }
}

void MulticlassSubproblem::minimise_model(const Point& u, double tolerance) {
  const double curvature = control_.loss.curvature();
  for (std::size_t j = 0; j < bounds_.size(); ++j) {
    bounds_[j] = curvature * coordinates_.size[j];
    add_scaled(coordinates_.lambda[j], v_.row(static_cast<Index>(j)), model_g_.row(static_cast<Index>(j)));
  }
  next_ = v_;
  if (is_coupled_) {
    coupled_.minimise(columns_, control_, u.scores, coordinates_, model_g_, tolerance, next_);
    set_direction();
    return;
  }
  const bool is_shared = with_gram_ && (!classwise_ || control_.first);
  if (!is_shared) find_curved(u);
  if (with_gram_) {
    minimise_gram_model(u, is_shared, tolerance);
  } else {
    minimise_column_model(tolerance);
  }
  set_direction();
  if (is_shared && !control_.first) conjugate(u);
}

// With a Gram matrix for each class, or one over all samples in their stead, scaled by the share that is in the elbow.
void MulticlassSubproblem::minimise_gram_model(const Point& u, bool is_shared, double tolerance) {
  constexpr double kShared = 0.05;  // of the violations at first: conjugate directions want more
  const auto n = static_cast<double>(problem_->y().size());
  const double curvature = control_.loss.curvature();
  std::vector<double> scales(by_class_.size(), curvature / n);
  std::vector<const SymmetricMatrix*> grams(by_class_.size(), &all_.matrix());
  all_.refresh(columns_, std::vector<char>(problem_->y().size(), 1), problem_->sample_weights());
  if (is_shared && !control_.first) {
    ClassSlopes slopes;
    sum_for_intercepts(control_.loss, problem_->samples(), u.scores, std::vector<double>(by_class_.size(), 0.0),
                       slopes);
    n_curved_ = 0.0;
    for (std::size_t k = 0; k < scales.size(); ++k) {
      scales[k] *= slopes.in_elbow[k] / n;
      n_curved_ += slopes.in_elbow[k];
    }
  }
  for (std::size_t k = 0; k < by_class_.size() && !is_shared; ++k) {
    by_class_[k].refresh(columns_, curved_[k], problem_->sample_weights(), &all_.matrix());
    grams[k] = &by_class_[k].matrix();
  }
  std::vector<double> diagonal(bounds_.size(), 0.0);  // on average over the classes
  for (std::size_t k = 0; k < grams.size(); ++k) {
    for (std::size_t j = 0; j < diagonal.size(); ++j) {
      const auto row = static_cast<Index>(j);
      diagonal[j] += scales[k] * (*grams[k])(row, row) / static_cast<double>(grams.size());
    }
  }
  coordinates_.set_ridge(diagonal, control_.damping, curvature);
  gram_hessian_.begin(std::move(grams), std::move(scales), coordinates_.ridge, model_g_);
  RowQuadraticSolver(gram_hessian_, coordinates_.tau, next_).minimise(tolerance, is_shared ? kShared : kOwn);
}

// Without Gram matrices, by products with the working columns.
void MulticlassSubproblem::minimise_column_model(double tolerance) {
  const auto n = static_cast<double>(problem_->y().size());
  const double scale = control_.loss.curvature() / n;
  curvatures_.reset(static_cast<Index>(problem_->y().size()), problem_->parameters().n_classes);
  for (std::size_t k = 0; k < curved_.size(); ++k) {
    for (std::size_t i = 0; i < curved_[k].size(); ++i) {
      if (curved_[k][i] != 0)
        curvatures_.data(static_cast<Index>(i))[k] = scale * problem_->sample_weights()[i];
    }
  }
  coordinates_.set_ridge(bounds_, control_.damping, control_.loss.curvature());
  column_hessian_.begin(columns_, curvatures_, bounds_, coordinates_.ridge, model_g_);
  RowQuadraticSolver(column_hessian_, coordinates_.tau, next_).minimise(tolerance, kOwn);
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

// The shared matrix stands in for the classes' own, so the model's step is one of a preconditioned gradient
// method; a share of the last step makes it conjugate to that, under the curvature as it is: on a quadratic
// these are conjugate gradients. Rows of the last step whose signs have changed since are left out.
void MulticlassSubproblem::conjugate(const Point& u) {
  if (last_direction_.rows() != direction_.rows()) return;
  std::vector<Index> rows;
  for (Index c = columns_.first_feature(); c < columns_.size(); ++c) {
    const std::span<const double> d = last_direction_.row(c);
    bool any = false;
    bool same = true;
    for (std::size_t k = 0; k < d.size(); ++k) {
      any = any || d[k] != 0.0;
      same = same && (d[k] == 0.0 || v_.row(c)[k] * next_.row(c)[k] > 0.0);
    }
    if (!any || same) continue;
    rows.push_back(c);
  }
  if (2 * rows.size() > columns_.columns().size()) return;
  if (!rows.empty()) {
    ClassMatrix lost;
    columns_.multiply(rows, last_direction_, lost);
    for (const Index c : rows) std::ranges::fill(last_direction_.row(c), 0.0);
    for (std::size_t k = 0; k < lost.values().size(); ++k) last_change_.values()[k] -= lost.values()[k];
  }
  const double scale = control_.loss.curvature() / static_cast<double>(problem_->y().size());
  const ElbowProducts products =
      sum_in_elbow(control_.loss, problem_->samples(), u.scores, change_, last_change_);
  double mixed = scale * products.mixed;
  double square = scale * products.square;
  for (std::size_t j = 0; j < coordinates_.lambda.size(); ++j) {
    const std::span<const double> d = direction_.row(static_cast<Index>(j));
    const std::span<const double> last = last_direction_.row(static_cast<Index>(j));
    for (std::size_t k = 0; k < d.size(); ++k) {
      mixed += coordinates_.lambda[j] * d[k] * last[k];
      square += coordinates_.lambda[j] * last[k] * last[k];
    }
  }
  if (!(square > 0.0)) return;
  const double beta = -mixed / square;
  for (std::size_t k = 0; k < direction_.values().size(); ++k) {
    direction_.values()[k] += beta * last_direction_.values()[k];
    next_.values()[k] = v_.values()[k] + direction_.values()[k];
  }
  for (std::size_t k = 0; k < change_.values().size(); ++k)
    change_.values()[k] += beta * last_change_.values()[k];
}

double MulticlassSubproblem::search_line(const Point& u) const {
  const double n = static_cast<double>(problem_->y().size());
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
  return exact_step(smooth, penalty.base, penalty.kinks);
}

void MulticlassSubproblem::advance(Point& u, double t) {
  if (is_coupled_) coupled_.note_step(control_, u.scores, change_, t);
  for (std::size_t k = 0; k < crossed_.size(); ++k) {
    std::fill(crossed_[k].begin(), crossed_[k].end(), char{0});
    if (!StepControl::is_short(t)) continue;
    for (std::size_t i = 0; i < crossed_[k].size(); ++i) {
      const bool wrong = problem_->y()[i] != static_cast<Index>(k) && problem_->sample_weights()[i] > 0.0;
      const double z = u.scores.data(static_cast<Index>(i))[k];
      const double ahead = z + 2.0 * t * change_.data(static_cast<Index>(i))[k];
      crossed_[k][i] = wrong && control_.loss.dual(-z) != control_.loss.dual(-ahead) ? 1 : 0;
    }
  }
  for (std::size_t k = 0; k < v_.values().size(); ++k) {
    v_.values()[k] = moved(v_.values()[k], direction_.values()[k], next_.values()[k], t);
  }
  for (Index j = 0; j < v_.rows(); ++j) {  // what rounding adds to the sum of a row would grow with long steps
    const std::span<double> row = v_.row(j);
    const auto largest = std::ranges::max_element(row, {}, [](double value) { return std::abs(value); });
    *largest -= std::accumulate(row.begin(), row.end(), 0.0);
  }
  last_direction_ = direction_;
  last_change_ = change_;
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
