#include "hsvm/newton/binary_subproblem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hsvm/loss/margin_sums.hpp"
#include "hsvm/newton/exact_step.hpp"
#include "hsvm/newton/l1_quadratic.hpp"

namespace hsvm {

template <Design X>
BinarySubproblem<X>::BinarySubproblem(const Problem& problem)
    : problem_(&problem),
      control_(problem.parameters().loss),
      columns_(problem.design(), problem.parameters().intercept),
      curved_(problem.y().size(), 0),
      n_curved_(static_cast<Index>(problem.y().size())),
      r_(problem.y().size()),
      change_(problem.y().size()),
      curvatures_(problem.y().size()) {}

// Which linear algebra is the cheapest for this working set, in nanoseconds or so: of dense arithmetic in
// registers some 10 multiplications, of scattered ones about 1. A Gram matrix is built once and then updated;
// its rivals start afresh in each of some 10 solves.
template <Design X>
typename BinarySubproblem<X>::Algebra BinarySubproblem<X>::choose_algebra() const {
  constexpr double kSolves = 10.0;
  constexpr double kIterations = 50.0;
  constexpr double kDenseRate = 10.0;
  const double rate = columns_.kSparse ? 1.0 : kDenseRate;
  const double m = static_cast<double>(columns_.size());
  const double rows = static_cast<double>(n_curved_);
  const double gram = columns_.gram_work(rows) / rate + kSolves * m * m * m / (6.0 * kDenseRate);
  const double woodbury =
      kSolves * (columns_.row_gram_work(rows) / rate + rows * rows * rows / (6.0 * kDenseRate));
  const double gradients = kSolves * kIterations * 2.0 * columns_.n_nonzeros() / rate;
  if (gram <= std::min(woodbury, gradients)) return Algebra::gram;
  return woodbury <= gradients ? Algebra::woodbury : Algebra::conjugate_gradients;
}

template <Design X>
void BinarySubproblem<X>::set_columns(std::span<const Index> columns) {
  const std::vector<Index> from = columns_.change(columns);
  algebra_ = choose_algebra();
  if (algebra_ == Algebra::gram) {
    gram_.keep(columns_, from, problem_->sample_weights());
  } else {
    gram_.forget();
  }

  const BinaryParameters& parameters = problem_->parameters();
  const auto m = static_cast<std::size_t>(columns_.size());
  const auto ones = static_cast<std::size_t>(columns_.ones());
  penalty_.lambda1 = parameters.penalty.lambda1;
  penalty_.lambda2 = parameters.penalty.lambda2;
  penalty_.factors.clear();
  tau_.assign(m, 0.0);
  lambda_.assign(m, parameters.lambda3);
  std::vector<double> size(m, 1.0);
  for (std::size_t c = 0; c + ones < m; ++c) {
    const auto j = static_cast<std::size_t>(columns_.columns()[c]);
    if (!parameters.penalty.factors.empty()) penalty_.factors.push_back(parameters.penalty.factors[j]);
    tau_[c + ones] = parameters.penalty.threshold(j);
    lambda_[c + ones] = parameters.penalty.lambda2;
    size[c + ones] = c + ones < from.size() ? size_[static_cast<std::size_t>(from[c + ones])]
                                            : problem_->design().column_squared_norm(
                                                  columns_.columns()[c], problem_->sample_weights()) /
                                                  static_cast<double>(r_.size());
  }
  size_ = std::move(size);
  for (auto* vector : {&v_, &g_, &ridge_, &next_, &direction_}) vector->resize(m);
}

template <Design X>
void BinarySubproblem<X>::load(const Point& u) {
  const auto ones = static_cast<std::size_t>(columns_.ones());
  if (ones == 1) v_[0] = u.b;
  for (std::size_t c = ones; c < v_.size(); ++c) {
    v_[c] = u.w[static_cast<std::size_t>(columns_.columns()[c - ones])];
  }
}

template <Design X>
void BinarySubproblem<X>::store(Point& u) const {
  const auto ones = static_cast<std::size_t>(columns_.ones());
  for (std::size_t c = ones; c < v_.size(); ++c) {
    u.w[static_cast<std::size_t>(columns_.columns()[c - ones])] = v_[c];
  }
}

template <Design X>
SubproblemState BinarySubproblem<X>::evaluate(const Point& u) {
  const BinaryParameters& parameters = problem_->parameters();
  const auto ones = static_cast<std::size_t>(columns_.ones());
  const double sum = loss_gradient(control_.loss, {problem_->y(), problem_->sample_weights()}, u.scores,
                                   1.0 / static_cast<double>(r_.size()), r_);
  columns_.multiply_transposed(r_, sum, g_);
  const double objective =
      problem_->smooth(u) + penalty_.value(std::span(v_).subspan(ones)) + 0.5 * parameters.lambda3 * u.b * u.b;
  const double dual = problem_->dual_bound(control_.loss, u.b, u.scores, ones == 1 ? sum : 0.0,
                                           std::span(g_).subspan(ones), penalty_);
  return {objective, objective - dual};
}

// The samples with curvature in the model: those in the elbow, or at first all with a loss.
template <Design X>
void BinarySubproblem<X>::find_curved(const Point& u) {
  const double low = control_.first ? -std::numeric_limits<double>::infinity() : 1.0 - control_.loss.delta;
  const std::span<const double> y = problem_->y();
  const std::span<const double> s = problem_->sample_weights();
  int count = 0;
  for (std::size_t i = 0; i < curved_.size(); ++i) {
    const double t = y[i] * u.scores[i];
    curved_[i] = static_cast<char>((t < 1.0) & (t > low) & (s[i] > 0.0));
    count += curved_[i];
  }
  n_curved_ = count;
}

template <Design X>
void BinarySubproblem<X>::minimise_model(const Point& u, double tolerance) {
  constexpr double kRidge = 1e-12;  // of a column's curvature: keeps the model bounded where lambda2 is zero
  find_curved(u);
  const double curvature = control_.loss.curvature();
  const double scale = curvature / static_cast<double>(r_.size());
  for (std::size_t k = 0; k < v_.size(); ++k) {
    g_[k] += lambda_[k] * v_[k];
    ridge_[k] = lambda_[k] + std::max(control_.damping, kRidge) * curvature * size_[k] +
                std::numeric_limits<double>::min();
  }
  next_ = v_;
  if (algebra_ == Algebra::gram) {
    gram_.refresh(columns_, curved_, problem_->sample_weights());
    gram_model_.begin(gram_.matrix(), scale, ridge_, g_);
    L1QuadraticSolver(gram_model_, tau_, next_).minimise(tolerance);
  } else {
    for (std::size_t i = 0; i < curved_.size(); ++i) {
      curvatures_[i] = curved_[i] != 0 ? scale * problem_->sample_weights()[i] : 0.0;
    }
    column_model_.begin(columns_, curvatures_, ridge_, g_, algebra_ == Algebra::woodbury);
    L1QuadraticSolver(column_model_, tau_, next_).minimise(tolerance);
  }
  for (std::size_t k = 0; k < v_.size(); ++k) direction_[k] = next_[k] - v_[k];
  columns_.multiply(direction_, change_);
}

template <Design X>
double BinarySubproblem<X>::search_line(const Point& u) const {
  const double n = static_cast<double>(r_.size());
  std::vector<Kink> kinks;
  double base = 0.0;
  double linear = 0.0;
  double square = 0.0;
  for (std::size_t k = 0; k < v_.size(); ++k) {
    const double d = direction_[k];
    if (d == 0.0) continue;
    linear += lambda_[k] * v_[k] * d;
    square += lambda_[k] * d * d;
    base += v_[k] == 0.0 ? tau_[k] * std::abs(d) : std::copysign(tau_[k], v_[k]) * d;
    const double at = -v_[k] / d;
    if (at > 0.0 && tau_[k] > 0.0) kinks.push_back({at, 2.0 * tau_[k] * std::abs(d)});
  }
  const auto smooth = [&](double t) {
    const LineSums sums =
        sum_along_line(control_.loss, {problem_->y(), problem_->sample_weights()}, u.scores, change_, t);
    return SlopeAndCurvature{sums.slope / n + linear + t * square, sums.curvature / n + square};
  };
  return exact_step(smooth, base, kinks);
}

template <Design X>
void BinarySubproblem<X>::advance(Point& u, double t) {
  for (std::size_t k = 0; k < v_.size(); ++k) v_[k] = moved(v_[k], direction_[k], next_[k], t);
  for (std::size_t i = 0; i < change_.size(); ++i) u.scores[i] += t * change_[i];
  if (columns_.ones() == 1) u.b = v_[0];
}

template <Design X>
void BinarySubproblem<X>::settle(Point& u) {
  problem_->minimise_intercept(u, control_.loss);
  if (columns_.ones() == 1) v_[0] = u.b;
}
template <Design X>
Index BinarySubproblem<X>::count_nonzeros() const {
  return static_cast<Index>(
      std::count_if(v_.begin() + columns_.ones(), v_.end(), [](double value) { return value != 0.0; }));
}

template class BinarySubproblem<DenseMatrix<double>>;
template class BinarySubproblem<DenseMatrix<float>>;
template class BinarySubproblem<CscMatrix<double>>;
template class BinarySubproblem<CscMatrix<float>>;

}  // namespace hsvm
