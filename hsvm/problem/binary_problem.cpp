#include "hsvm/problem/binary_problem.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/vector_sums.hpp"
#include "hsvm/problem/intercept.hpp"

namespace hsvm {
namespace {

// What is held at a place, or 0 at -1 (for_each_held).
double held_value(const SparseCoefficients& w, Index place) {
  return place < 0 ? 0.0 : w.values[static_cast<std::size_t>(place)];
}

}  // namespace

BinaryProblem::BinaryProblem(const Design& design, std::span<const double> y, std::span<const double> s,
                             BinaryParameters parameters)
    : design_(&design), y_(y), s_(s), parameters_(std::move(parameters)) {
  assert(std::ssize(y_) == design.rows() && std::ssize(s_) == design.rows());
  assert(parameters_.penalty.factors.empty() || std::ssize(parameters_.penalty.factors) == design.cols());
  n_elsewhere_ = design.n_samples() - design.rows();
  if (!s_.empty()) s_max_ = *std::ranges::max_element(s_);
  s_max_ = design.collective().maximum(s_max_);
}

BinaryProblem::Point BinaryProblem::zero() const {
  Point u{0.0, {}, std::vector<double>(y_.size())};
  if (exact_intercept()) minimise_intercept(u, parameters_.loss);
  return u;
}

BinaryProblem::Point BinaryProblem::constant() const {
  Point u = zero();
  if (parameters_.intercept) minimise_intercept(u, parameters_.loss);
  return u;
}

BinaryProblem::Point BinaryProblem::point(double b, SparseCoefficients w) const {
  Point u{b, std::move(w), std::vector<double>(y_.size())};
  refresh_scores(u);
  return u;
}

void BinaryProblem::minimise_intercept(Point& u, const MarginLoss& loss) const {
  if (!parameters_.intercept) return;
  const double best = best_intercept(loss, samples(), u.scores, parameters_.lambda3, u.b, u.b);
  const double change = best - u.b;
  u.b = best;
  if (change != 0.0) add_constant(change, u.scores);
}

double BinaryProblem::smooth(const Point& u) const {
  return sum_losses(parameters_.loss, samples(), u.scores) / n_samples();
}

double BinaryProblem::penalty(const Point& u) const {
  return parameters_.penalty.value(u.w.columns, u.w.values) + 0.5 * parameters_.lambda3 * u.b * u.b;
}

double BinaryProblem::lipschitz() const {
  const double ones = parameters_.intercept && !exact_intercept() ? 1.0 : 0.0;  // mean of s_i 1^2
  const double squares = weighted_squared_norm(*design_, s_) / n_samples();
  return (ones + squares) * parameters_.loss.curvature();
}

double BinaryProblem::initial_bound(double lipschitz) const {
  return 2.0 * lipschitz / n_samples();
}

void BinaryProblem::gradient(const Point& u, Gradient& gradient) const {
  Residuals r;
  residuals(u, parameters_.loss, r, gradient);
  feature_gradient(r, gradient);
}

void BinaryProblem::residuals(const Point& u, const MarginLoss& loss, Residuals& r, Gradient& gradient) const {
  r.resize(y_.size());
  const GradientSums sums = loss_gradient(loss, samples(), u.scores, 1.0 / n_samples(), r);
  gradient.b = parameters_.intercept ? sums.slope : 0.0;
  gradient.duals = sums.duals;
  gradient.losses = sums.losses;
}

void BinaryProblem::feature_gradient(const Residuals& r, Gradient& gradient) const {
  gradient.w.resize(static_cast<std::size_t>(design_->cols()));
  design_->multiply_transposed(r, gradient.w);
}

void BinaryProblem::feature_gradient(const Residuals& r, std::span<const Index> features,
                                     Gradient& gradient) const {
  std::vector<double> products(features.size());
  design_->multiply_transposed(features, r, products);
  set_entries(features, products, gradient);
}

std::vector<double> BinaryProblem::entries(const Gradient& gradient, std::span<const Index> features) {
  std::vector<double> result;
  result.reserve(features.size());
  for (const Index j : features) result.push_back(gradient.w[static_cast<std::size_t>(j)]);
  return result;
}

void BinaryProblem::set_entries(std::span<const Index> features, std::span<const double> entries,
                                Gradient& gradient) {
  for (std::size_t k = 0; k < features.size(); ++k)
    gradient.w[static_cast<std::size_t>(features[k])] = entries[k];
}

std::vector<Index> BinaryProblem::combine(std::span<const Gradient* const> parts, std::span<const double> alpha,
                                          double level, const MayReach& reach, Gradient& sum) const {
  constexpr Index kBlock = 1 << 15;  // features
  const std::span<const double> v = parameters_.penalty.factors;
  return find_in_blocks(n_features(), kBlock, [&](Index first, Index count) {
    const auto begin = static_cast<std::size_t>(first);
    const auto size = static_cast<std::size_t>(count);
    std::vector<std::span<const double>> here;
    for (const Gradient* const part : parts) here.push_back(std::span(part->w).subspan(begin, size));
    return combination_above(here, alpha, level, {reach.y.subspan(begin, size), reach.factor, reach.limit},
                             v.empty() ? v : v.subspan(begin, size), std::span(sum.w).subspan(begin, size));
  });
}

bool BinaryProblem::is_finite(const Gradient& gradient) const {
  if (!gradient.contenders) return std::isfinite(squared_norm_of(gradient.w));
  return std::ranges::all_of(gradient.contenders->features,
                             [&](Index j) { return std::isfinite(gradient.w[static_cast<std::size_t>(j)]); });
}

void BinaryProblem::proximal_step(const Point& at, const Gradient& gradient, double L, Point& next) const {
  // Where `at` is zero, so is the step, unless the gradient is above its threshold.
  const ElasticNet& penalty = parameters_.penalty;
  const std::vector<Index> beyond = strong_features(gradient, penalty.lambda1);
  next.w.clear();
  for_each_held(at.w.columns, beyond, [&](Index j, Index held, Index) {
    const double value =
        penalty.proximal_step(j, held_value(at.w, held), gradient.w[static_cast<std::size_t>(j)], L);
    if (value != 0.0) next.w.add(j, value);
  });
  next.scores.resize(at.scores.size());
  design_->multiply(next.w.columns, next.w.values, next.scores);
  if (exact_intercept()) {
    next.b = best_intercept(parameters_.loss, samples(), next.scores, parameters_.lambda3, at.b);
  } else {
    next.b = parameters_.intercept ? (L * at.b - gradient.b) / (L + parameters_.lambda3) : 0.0;
  }
  if (next.b != 0.0) {
    for (double& score : next.scores) score += next.b;
  }
}

void BinaryProblem::extrapolate(const Point& u, const Point& previous, double omega, Point& out) const {
  const auto along = [omega](double now, double before) { return now + omega * (now - before); };
  out.b = along(u.b, previous.b);
  out.w.clear();
  for_each_held(u.w.columns, previous.w.columns, [&](Index j, Index now, Index before) {
    out.w.add(j, along(held_value(u.w, now), held_value(previous.w, before)));
  });
  out.scores.resize(u.scores.size());
  std::ranges::transform(u.scores, previous.scores, out.scores.begin(), along);
  if (exact_intercept()) minimise_intercept(out, parameters_.loss);
}

double BinaryProblem::divergence(const Point& u, const Point& at) const {
  const double total = sum_divergences(parameters_.loss, samples(), u.scores, at.scores);
  // Where b is minimised, lambda3/2 b^2 is a part of f.
  const double in_b = exact_intercept() ? 0.5 * parameters_.lambda3 * (u.b - at.b) * (u.b - at.b) : 0.0;
  return total / n_samples() + in_b;
}

double BinaryProblem::squared_distance(const Point& u, const Point& v) const {
  const double in_b = exact_intercept() ? 0.0 : (u.b - v.b) * (u.b - v.b);
  double total = in_b;
  for_each_held(u.w.columns, v.w.columns, [&](Index, Index from_u, Index from_v) {
    const double difference = held_value(u.w, from_u) - held_value(v.w, from_v);
    total += difference * difference;
  });
  return total;
}

double BinaryProblem::squared_norm(const Point& u) const {
  return u.b * u.b + squared_norm_of(u.w.values);
}

DualValue BinaryProblem::dual_value_of(const DualSums& duals, double gradient_b) const {
  const double n = n_samples();
  const double mean = duals.linear / n;
  DualValue value = dual_value(mean, duals.square / n, parameters_.loss.delta, n, s_max_);
  if (parameters_.intercept) {
    const double m = std::abs(gradient_b) + value.factor * mean;
    const double heavier = 0.5 * (mean + std::abs(gradient_b));  // the mean dual of the class that weighs more
    pay_for_intercept({.square = m * m, .cut = m, .share = heavier > 0.0 ? m / heavier : 0.0},
                      parameters_.lambda3, value);
  }
  return value;
}

double BinaryProblem::dual_objective(const Point& u, const MarginLoss& loss, const Gradient& gradient,
                                     double enough) const {
  const ElasticNet& penalty = parameters_.penalty;
  const DualValue value = dual_value_of(gradient.duals, gradient.b);
  const std::vector<Index> near = strong_features(gradient, kNearThreshold * penalty.lambda1);
  sizes_.measure(*design_, near);
  const double rounding = value.rounding();
  // What the intercept takes off the residuals, care can tell from the column's own norm, without the distance of its center; but
  // the norm's part of it stays.
  const auto rough = [&](Index j) {
    if (!is_rough(strength(gradient, j), threshold(j), rounding * sizes_[j])) return false;
    const double mended = value.factor * sizes_[j] + value.share * center_size(design_->affine(j), n_samples());
    return is_rough(strength(gradient, j), threshold(j), mended * value.residual_norm);
  };
  const auto bound = [&](double factor, std::span<const double> c, std::span<const double> sizes) {
    return penalty.best_scaled_dual(value.linear, value.quadratic, c, {factor, sizes}, near);
  };
  const double plain = bound(rounding, gradient.w, sizes_.values());
  if (std::ranges::none_of(near, rough)) return plain;
  const double exact = bound(value.share * value.residual_norm, gradient.w, sizes_.values());
  if (!is_worth_care(plain, exact, enough, objective_at_zero())) return plain;

  Residuals r;
  Gradient careful;
  residuals(u, loss, r, careful);
  careful.w = gradient.w;
  std::vector<double> sizes(sizes_.values().begin(), sizes_.values().end());
  std::vector<Index> features = near;
  std::erase_if(features, [&](Index j) { return !rough(j); });
  const CarefulProducts products = multiply_carefully(*design_, features, r, 1, 1);
  for (std::size_t c = 0; c < features.size(); ++c) {
    const auto j = static_cast<std::size_t>(features[c]);
    careful.w[j] = products.values[c];
    sizes[j] = careful_size(design_->affine(features[c]), products.norms[c], std::abs(careful.w[j]), value);
  }
  return std::max(plain, bound(rounding, careful.w, sizes));
}

CarefulObjective BinaryProblem::careful_objective(const Point& u) const {
  const double n = n_samples();
  std::vector<CarefulSum> sums(y_.size());
  for (CarefulSum& sum : sums) sum.add(u.b, 1.0);
  ColumnBuffer buffer;
  std::vector<double>
      squares;  // of what is rounded before it is summed, entries that are seen scaled; then of the scores
  for (std::size_t c = 0; c < u.w.columns.size(); ++c) {
    const double w = u.w.values[c];
    const ColumnView column = design_->column(u.w.columns[c], buffer);
    for_each_entry(column, [&](std::size_t i, double x) { sums[i].add(w, x); });
    const double norm = norm_of(column);
    squares.push_back(norm * norm);
  }
  std::vector<double> scores;
  for (const CarefulSum& sum : sums) scores.push_back(sum.value());
  squares.push_back(squared_norm_of(scores));
  design_->collective().sum(squares);
  double size = 0.0;
  for (std::size_t c = 0; c < u.w.values.size(); ++c)
    size += std::abs(u.w.values[c]) * std::sqrt(squares[c]) / std::sqrt(n);
  const double value = sum_losses(parameters_.loss, samples(), scores) / n + penalty(u);
  const double scaled = &design_->source() == design_ ? 0.0 : 4.0 * size;
  return {value, std::numeric_limits<double>::epsilon() * parameters_.loss.steepest(value) * std::sqrt(s_max_) *
                         (scaled + 2.0 * std::sqrt(squares.back() / n)) +
                     rounding_factor(n) * value};
}

double BinaryProblem::objective_rounding(const Point& u, double objective) const {
  sizes_.measure(*design_, u.w.columns);
  double size = 0.0;
  for (std::size_t c = 0; c < u.w.values.size(); ++c) size += std::abs(u.w.values[c]) * sizes_[u.w.columns[c]];
  const double n = n_samples();
  size = size / std::sqrt(n) + std::abs(u.b);
  return parameters_.loss.steepest(objective) * std::sqrt(s_max_) * size *
             rounding_factor(static_cast<double>(u.w.values.size())) +
         rounding_factor(n) * objective;
}

void BinaryProblem::refresh_scores(Point& u) const {
  design_->multiply(u.w.columns, u.w.values, u.scores);
  add_constant(u.b, u.scores);
}

Index BinaryProblem::count_nonzeros(const Point& u) const {
  return static_cast<Index>(std::ranges::count_if(u.w.values, [](double value) { return value != 0.0; }));
}

std::vector<Index> BinaryProblem::unpenalised() const {
  return unpenalised_features(parameters_.penalty.factors);
}

double BinaryProblem::lambda1_max(const Gradient& gradient) const {
  return parameters_.penalty.lambda1_max(gradient.w);
}

std::vector<Index> BinaryProblem::support(const Point& u) const {
  return u.w.columns;
}

std::vector<Index> BinaryProblem::violators(const Gradient& gradient, std::span<const Index> columns,
                                            double slack) const {
  return features_outside(strong_features(gradient, parameters_.penalty.lambda1 * (1.0 + slack)), columns);
}

}  // namespace hsvm
