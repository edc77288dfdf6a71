#include "hsvm/newton/binary_subproblem.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "hsvm/core/vector_sums.hpp"
#include "hsvm/loss/margin_sums.hpp"
#include "hsvm/newton/exact_step.hpp"

namespace hsvm {
namespace {

constexpr double kDamping = 1e-6;  // of the gap

}  // namespace

BinarySubproblem::BinarySubproblem(const Problem& problem, bool along_path)
    : problem_(&problem),
      along_path_(along_path),
      control_(problem.parameters().loss, kDamping),
      columns_(problem.design(), problem.parameters().intercept),
      curved_(problem.y().size(), 0),
      crossed_(problem.y().size(), 0),
      n_curved_(static_cast<double>(problem.design().n_samples())),
      r_(problem.y().size()),
      change_(problem.y().size()),
      curvatures_(problem.y().size()) {}

// The cheapest way for this working set, in nanoseconds or so a model: of dense arithmetic in registers some 20
// multiplications, of scattered ones less than 1. Along a path matrices are built once and then updated, and models are solved
// closely; a solve on its own builds them for a few models, most of which are solved roughly.
ModelSide BinarySubproblem::cheapest_model() const {
  // Over ranks only a Gram matrix takes few messages; products take one for each coordinate. They are left for matrices that
  // are too large.
  constexpr Index kMostColumnsOverRanks = 8192;
  if (!problem_->design().collective().is_alone())
    return columns_.size() <= kMostColumnsOverRanks ? ModelSide::gram : ModelSide::columns;
  constexpr double kSweepsAlone = 10.0;
  constexpr double kSweepsAloneSparse = 5.0;
  constexpr double kSweepsSparse = 8.0;
  constexpr double kSweepsDense = 40.0;  // dense columns have more in common
  constexpr double kFewSweeps = 4.0;     // that go with solves by Woodbury
  constexpr double kUpdated = 0.1;       // of the matrix, along a path
  constexpr double kModels = 3.0;        // that a solve on its own builds it for
  constexpr double kFactorRate = 18.0;
  const bool sparse = columns_.is_sparse();
  const double gram_rate = sparse ? 0.25 : 20.0;
  const double sweep_rate = sparse ? 1.0 : 8.0;
  const double per_entry = sparse ? 3.0 : 0.3;  // of the matrix: what centring, copying and the like cost
  const double m = static_cast<double>(columns_.size());
  const double rows = n_curved_;
  const double in_elbow = columns_.n_nonzeros() * rows / problem_->n_samples();
  const double sweeps = !along_path_ ? (sparse ? kSweepsAloneSparse : kSweepsAlone)
                        : sparse     ? kSweepsSparse
                                     : kSweepsDense;

  const double built = along_path_ ? kUpdated : 1.0 / kModels;  // of the matrices, a model
  const double factor_columns = m * m * m / (6.0 * kFactorRate);
  const double factor_rows = rows * rows * rows / (6.0 * kFactorRate);
  const double gram = built * (columns_.gram_work(rows) / gram_rate + per_entry * m * m) +
                      std::min(factor_columns, sweeps * (0.12 * m * m + 8.0 * m));
  // What a sweep looks at, and a copy of it, may be more than the caches hold; a Gram matrix reads it once, on several threads.
  constexpr double kCached = 1 << 22;  // entries
  constexpr double kFar = 4.0;
  const double farther = sparse && in_elbow > kCached ? kFar : 1.0;
  const double sweep = farther * 2.0 * in_elbow / sweep_rate + 8.0 * m;
  const double woodbury = columns_.row_gram_work(rows) / gram_rate + factor_rows;
  const double by_columns =
      farther * columns_.n_nonzeros() / sweep_rate + std::min(sweeps * sweep, kFewSweeps * sweep + woodbury);
  // On the side of the samples a model takes few steps once the last point is near; from afar it takes many. The matrix kept
  // there is no larger than the Gram matrix would be.
  const double n = problem_->n_samples();
  if (along_path_ && !sparse && n <= m && problem_->parameters().penalty.lambda2 > 0.0) {
    const double product = n * m / sweep_rate + 8.0 * m;
    const double step = 2.0 * product + kUpdated * 0.5 * n * n * m / gram_rate + rows * rows + factor_rows;
    if (product + sample_model_.expected_steps() * step < std::min(gram, by_columns)) return ModelSide::samples;
  }
  return gram <= by_columns ? ModelSide::gram : ModelSide::columns;
}

void BinarySubproblem::set_columns(std::span<const Index> columns) {
  const std::vector<Index> from = columns_.change(columns);
  model_ = cheapest_model();
  if (model_ == ModelSide::gram) {
    gram_.remap(columns_, from, problem_->sample_weights());
  } else {
    gram_.forget();
  }
  if (model_ != ModelSide::samples) sample_model_.forget();

  coordinates_.update(*problem_, columns_, from);
  penalty_.lambda1 = problem_->parameters().penalty.lambda1;
  penalty_.lambda2 = problem_->parameters().penalty.lambda2;
  penalty_.factors = coordinates_.factors;
  for (auto* vector : {&v_, &g_, &next_, &direction_, &diagonal_})
    vector->resize(static_cast<std::size_t>(columns_.size()));
}

void BinarySubproblem::load(const Point& u) {
  std::ranges::fill(v_, 0.0);
  if (columns_.has_intercept()) v_[0] = u.b;
  const std::span<const Index> features = columns_.sorted_columns();
  std::size_t k = 0;
  for (std::size_t c = 0; c < u.w.columns.size(); ++c) {
    while (k < features.size() && features[k] != u.w.columns[c]) ++k;
    assert(k < features.size());
    v_[static_cast<std::size_t>(columns_.sorted_positions()[k])] = u.w.values[c];
  }
}

void BinarySubproblem::store(Point& u) const {
  u.w.clear();
  const std::span<const Index> features = columns_.sorted_columns();
  for (std::size_t k = 0; k < features.size(); ++k) {
    const double value = v_[static_cast<std::size_t>(columns_.sorted_positions()[k])];
    if (value != 0.0) u.w.add(features[k], value);
  }
}

void BinarySubproblem::know_gradient(const MarginLoss& loss, const Problem::Gradient& gradient) {
  known_ = loss;
  gradient_b_ = gradient.b;
  duals_ = gradient.duals;
  losses_ = gradient.losses;
  const auto first = static_cast<std::size_t>(columns_.first_feature());
  if (columns_.has_intercept()) g_[0] = gradient.b;
  for (std::size_t c = first; c < g_.size(); ++c) {
    g_[c] = gradient.w[static_cast<std::size_t>(columns_.columns()[c - first])];
  }
}

void BinarySubproblem::differentiate(const Point& u) {
  if (std::exchange(known_, std::nullopt) == control_.loss) return;
  const GradientSums sums =
      loss_gradient(control_.loss, problem_->samples(), u.scores, 1.0 / problem_->n_samples(), r_);
  gradient_b_ = sums.slope;
  duals_ = sums.duals;
  losses_ = sums.losses;
  columns_.multiply_transposed(r_, gradient_b_, g_);
}

StepState BinarySubproblem::state(const Point& u) const {
  const auto first = static_cast<std::size_t>(columns_.first_feature());
  const bool is_own = control_.loss == problem_->parameters().loss;
  const double smooth = is_own ? losses_ / problem_->n_samples() : problem_->smooth(u);
  const double objective =
      smooth + penalty_.value(std::span(v_).subspan(first)) + 0.5 * problem_->parameters().lambda3 * u.b * u.b;
  const double dual = problem_->dual_bound(duals_, columns_.has_intercept() ? gradient_b_ : 0.0,
                                           std::span(g_).subspan(first), penalty_);
  return {objective, objective - dual};
}

// The samples with curvature in the model: those in the elbow, or at first all with a loss.
void BinarySubproblem::find_curved(const Point& u) {
  const double low = control_.first ? -std::numeric_limits<double>::infinity() : control_.loss.elbow_begin();
  n_curved_ = static_cast<double>(mark_curved(problem_->samples(), u.scores, low, crossed_, curved_));
}

void BinarySubproblem::minimise_model(const Point& u, double tolerance) {
  // Sweeps over a sparse model gain little by little, and the step changes it before long.
  constexpr double kReduction = 0.1;
  find_curved(u);
  const double curvature = control_.loss.curvature();
  const double scale = curvature / problem_->n_samples();
  for (std::size_t k = 0; k < v_.size(); ++k) g_[k] += coordinates_.lambda[k] * v_[k];
  next_ = v_;
  const double loose = control_.looseness() * control_.exactness * tolerance;
  if (model_ == ModelSide::gram) {
    // Where that takes a look at all working columns, samples that have crossed since wait until they are as many as the model's own
    // tolerance hides; the second step of a solve has them all.
    constexpr double kHidden = 0.15 * kReduction;
    const bool may_wait = along_path_ && control_.steps == 0 && columns_.has_far_rows();
    if (!may_wait || !gram_.is_near(columns_, curved_, kHidden))
      gram_.refresh(columns_, curved_, problem_->sample_weights());
    for (std::size_t k = 0; k < v_.size(); ++k) {
      diagonal_[k] = scale * gram_.matrix()(static_cast<Index>(k), static_cast<Index>(k));
    }
    coordinates_.set_ridge(diagonal_, control_.damping, curvature);
    gram_hessian_.begin(gram_.matrix(), scale, coordinates_.ridge, g_);
    const bool is_roughly = along_path_ && columns_.is_sparse();
    L1QuadraticSolver(gram_hessian_, coordinates_.tau, next_, workspace_)
        .minimise(is_roughly ? loose : tolerance, {.reduction = is_roughly ? kReduction : 0.0});
    take_direction();
    columns_.multiply(direction_, change_);
    return;
  }
  for (std::size_t i = 0; i < curved_.size(); ++i) {
    curvatures_[i] = curved_[i] != 0 ? scale * problem_->sample_weights()[i] : 0.0;
  }
  if (model_ == ModelSide::samples) {
    const BinaryParameters& parameters = problem_->parameters();
    const double lambda2 = parameters.penalty.lambda2;
    if (sample_model_.minimise(columns_, {curvatures_, lambda2, parameters.lambda3, g_, coordinates_.tau},
                               tolerance * tolerance / (2.0 * lambda2), next_, change_)) {
      take_direction();
      return;
    }
    model_ = ModelSide::columns;
  }
  coordinates_.set_ridge(column_hessian_.copy(columns_, curvatures_), control_.damping, curvature);
  // The first models of a solve on its own are far from the objective.
  ModelEffort effort = along_path_ ? ModelEffort{3, 20, 20} : ModelEffort{2, 10, 10};
  if (columns_.is_sparse()) effort.reduction = kReduction;
  effort = effort.at(control_.steps);
  column_hessian_.begin(coordinates_.ridge, g_, effort.iterations);
  L1QuadraticSolver(column_hessian_, coordinates_.tau, next_, workspace_).minimise(loose, effort);
  take_direction();
  columns_.multiply(direction_, change_);
}

void BinarySubproblem::take_direction() {
  for (std::size_t k = 0; k < v_.size(); ++k) direction_[k] = next_[k] - v_[k];
}

double BinarySubproblem::search_line(const Point& u) const {
  const double n = problem_->n_samples();
  PenaltyAlongLine penalty;
  for (std::size_t k = 0; k < v_.size(); ++k) {
    penalty.add(v_[k], direction_[k], coordinates_.tau[k], coordinates_.lambda[k]);
  }
  const auto smooth = [&](double t) {
    const LineSums sums = sum_along_line(control_.loss, problem_->samples(), u.scores, change_, t);
    return SlopeAndCurvature{sums.slope / n + penalty.linear + t * penalty.square,
                             sums.curvature / n + penalty.square};
  };
  // Along a path of a sparse X models are minimised roughly themselves, and every look takes the scores of all samples from memory.
  constexpr double kRough = 1e-3;
  constexpr double kClose = 1e-9;
  constexpr double kFarthest = 10.0;
  return exact_step(smooth, penalty.base, penalty.kinks, kFarthest,
                    along_path_ && columns_.has_far_rows() ? kRough : kClose);
}

// After a short step: the samples whose dual variables change over twice its length.
void BinarySubproblem::find_crossed(const Point& u, double t) {
  const bool is_short = StepControl::is_short(t);
  if (std::exchange(any_crossed_, is_short)) std::fill(crossed_.begin(), crossed_.end(), char{0});
  if (!is_short) return;
  for (std::size_t i = 0; i < crossed_.size(); ++i) {
    const double y = problem_->y()[i];
    const double ahead = u.scores[i] + 2.0 * t * change_[i];
    const bool changes = control_.loss.dual(y * u.scores[i]) != control_.loss.dual(y * ahead);
    crossed_[i] = problem_->sample_weights()[i] > 0.0 && changes ? 1 : 0;
  }
}

void BinarySubproblem::advance(Point& u, double t) {
  find_crossed(u, t);
  for (std::size_t k = 0; k < v_.size(); ++k) v_[k] = moved(v_[k], direction_[k], next_[k], t);
  add_scaled(t, change_, u.scores);
  if (columns_.has_intercept()) u.b = v_[0];
}

void BinarySubproblem::minimise_intercept(Point& u) {
  problem_->minimise_intercept(u, control_.loss);
  if (columns_.has_intercept()) v_[0] = u.b;
}

Index BinarySubproblem::count_nonzeros() const {
  return static_cast<Index>(std::count_if(v_.begin() + columns_.first_feature(), v_.end(),
                                          [](double value) { return value != 0.0; }));
}

}  // namespace hsvm
