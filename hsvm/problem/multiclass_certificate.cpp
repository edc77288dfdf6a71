// The certificate of a multi-class problem: the dual bound, with care where rounding would spoil it, and how far objectives
// may be off.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "hsvm/problem/class_balance.hpp"
#include "hsvm/problem/features.hpp"
#include "hsvm/problem/multiclass_problem.hpp"

namespace hsvm {
namespace {

// What the column means of A cost the bound: they are to be equal, and become so when all classes are scaled down to the
// one with the smallest.
Imbalance imbalance_of(std::span<const double> means, double n) {
  double mean = 0.0;
  double total = 0.0;
  for (const double m : means) {
    mean += m / static_cast<double>(means.size());
    total += std::abs(m);
  }
  const double off = rounding_factor(n) * total;
  const double smallest = *std::ranges::min_element(means) - off;
  Imbalance result;
  for (const double m : means) {
    const double deviation = std::abs(m - mean) + off;
    const double above = m + off - smallest;
    result.square += deviation * deviation;
    result.cut += above;
    if (m > 0.0) result.share = std::max(result.share, above / m);
  }
  return result;
}

}  // namespace

DualValue MulticlassProblem::dual_value_of(const Gradient& gradient) const {
  const double n = n_samples();
  DualValue value =
      dual_value(gradient.duals.linear / n, gradient.duals.square / n, parameters_.loss.delta, n, s_max_);
  const bool is_relative = parameters_.margins == Margins::relative;
  // The right class has the sum of the others: its square is at most J - 1 times theirs.
  if (is_relative) value.residual_norm *= std::sqrt(static_cast<double>(parameters_.n_classes));
  if (!parameters_.intercept) return value;
  const Imbalance imbalance = is_relative ? imbalance_of_flows(gradient.flows, n) : imbalance_of(gradient.b, n);
  pay_for_intercept(imbalance, parameters_.lambda3, value);
  return value;
}

double MulticlassProblem::dual_objective(const Point& u, const MarginLoss& loss, const Gradient& gradient,
                                         double enough) const {
  const SumToZeroElasticNet& penalty = parameters_.penalty;
  const DualValue value = dual_value_of(gradient);
  std::vector<Index> near = strong_features(gradient, kNearThreshold * penalty.lambda1);
  sizes_.measure(*design_, near);
  std::erase_if(near, [&](Index j) {
    return !is_rough(strength(gradient, j), threshold(j), value.rounding() * sizes_[j]);
  });
  const double plain = best_scaled_dual(value, gradient, penalty, {value.rounding(), sizes_.values()});
  if (near.empty()) return plain;
  const double exact =
      best_scaled_dual(value, gradient, penalty, {value.share * value.residual_norm, sizes_.values()});
  if (!is_worth_care(plain, exact, enough, objective_at_zero())) return plain;

  Residuals r;
  Gradient careful = gradient;
  residuals(u, loss, r, careful);
  std::vector<double> sizes(sizes_.values().begin(), sizes_.values().end());
  const CarefulProducts products =
      multiply_carefully(*design_, near, r.values(), r.stride(), parameters_.n_classes);
  for (std::size_t c = 0; c < near.size(); ++c) {
    const Index j = near[c];
    const std::span<double> row = careful.w.row(j);
    double largest = 0.0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      row[k] = products.values[c * row.size() + k];
      largest = std::max(largest, std::abs(row[k]));
    }
    careful.half_ranges[static_cast<std::size_t>(j)] = half_range(row);
    sizes[static_cast<std::size_t>(j)] = careful_size(design_->affine(j), products.norms[c], largest, value);
  }
  return std::max(plain, best_scaled_dual(value, careful, penalty, {value.rounding(), sizes}));
}

double MulticlassProblem::best_scaled_dual(const DualValue& value, const Gradient& gradient,
                                           const SumToZeroElasticNet& penalty, const Rounding& rounding) const {
  const double linear = value.linear;
  const double quadratic = value.quadratic;
  const std::vector<Index> beyond =
      features_above(gradient.contenders, gradient.half_ranges, rounding, penalty.lambda1, penalty.factors);
  const auto error = [&](Index j) { return rounding.of(static_cast<std::size_t>(j)); };
  double feasible = 1.0;  // the largest k with all half-ranges within their thresholds
  for (const Index j : beyond) {
    feasible = std::min(feasible,
                        penalty.threshold(j) / (gradient.half_ranges[static_cast<std::size_t>(j)] + error(j)));
  }
  const auto smooth_part = [&](double k) { return k * linear - 0.5 * quadratic * k * k; };
  // Feasible without a division by lambda2, however small that is.
  double best = std::max(0.0, smooth_part(quadratic * feasible > linear ? linear / quadratic : feasible));
  if (penalty.lambda2 == 0.0 || beyond.empty()) return best;

  // Concave in k. Its slope at k = 1 is negative unless the point is far off; a few secant steps find the top
  // well enough, and every value is a bound.
  RowSolver solver(parameters_.n_classes);
  std::vector<double> scratch(static_cast<std::size_t>(parameters_.n_classes));
  const auto evaluate = [&](double k) {
    SumToZeroElasticNet::Excess sum;
    for (const Index j : beyond) {
      const auto one = penalty.excess(j, gradient.w.row(j), k, error(j), solver, scratch);
      sum.square += one.square;
      sum.slope += one.slope;
    }
    if (sum.square > 0.0) sum.square /= 2.0 * penalty.lambda2;
    if (sum.slope > 0.0) sum.slope /= penalty.lambda2;
    return std::pair(smooth_part(k) - sum.square, linear - quadratic * k - sum.slope);
  };
  const auto [at_one, slope_at_one] = evaluate(1.0);
  best = std::max(best, at_one);
  double high = 1.0;
  double high_slope = slope_at_one;
  double low = feasible;
  double low_slope = linear - quadratic * feasible;
  constexpr int kSteps = 6;
  const double worth =
      1e-9 * objective_at_zero();  // by concavity no more than slope times distance can be gained
  for (int step = 0; step < kSteps && -high_slope * (high - low) > worth && low_slope > 0.0; ++step) {
    const double secant = low + (high - low) * low_slope / (low_slope - high_slope);
    const double k = step % 3 == 2 ? 0.5 * (low + high) : secant;
    const auto [value_at_k, slope_at_k] = evaluate(k);
    best = std::max(best, value_at_k);
    (slope_at_k > 0.0 ? low : high) = k;
    (slope_at_k > 0.0 ? low_slope : high_slope) = slope_at_k;
  }
  return best;
}

CarefulObjective MulticlassProblem::careful_objective(const Point& u) const {
  const double n = n_samples();
  ClassMatrix scores(design_->rows(), parameters_.n_classes);
  ColumnBuffer buffer;
  std::vector<double> squares(
      u.rows.size(),
      0.0);  // of what is rounded before it is summed, entries that are seen scaled; then of the scores
  for (std::size_t k = 0; k < u.b.size(); ++k) {
    std::vector<CarefulSum> sums(y_.size());
    for (CarefulSum& sum : sums) sum.add(u.b[k], 1.0);
    for (std::size_t c = 0; c < u.rows.size(); ++c) {
      const double w = u.w.row(static_cast<Index>(c))[k];
      if (w == 0.0) continue;
      const ColumnView column = design_->column(u.rows[c], buffer);
      for_each_entry(column, [&](std::size_t i, double x) { sums[i].add(w, x); });
      const double norm = norm_of(column);
      squares[c] = norm * norm;
    }
    for (std::size_t i = 0; i < sums.size(); ++i) scores.data(static_cast<Index>(i))[k] = sums[i].value();
  }
  squares.push_back(squared_norm_of(scores.values()));
  design_->collective().sum(squares);
  double size = 0.0;
  for (std::size_t k = 0; k < u.b.size(); ++k) {
    for (std::size_t c = 0; c < u.rows.size(); ++c) {
      const double w = u.w.row(static_cast<Index>(c))[k];
      if (w != 0.0) size += std::abs(w) * std::sqrt(squares[c]) / std::sqrt(n);
    }
  }
  const double value = sum_losses(parameters_.loss, samples(), scores) / n + penalty(u);
  const double scaled = &design_->source() == design_ ? 0.0 : 4.0 * size;
  return {value, std::numeric_limits<double>::epsilon() * parameters_.loss.steepest(value) * std::sqrt(s_max_) *
                         (scaled + 2.0 * std::sqrt(squares.back() * parameters_.n_classes / n)) +
                     rounding_factor(n) * value};
}

double MulticlassProblem::objective_rounding(const Point& u, double objective) const {
  sizes_.measure(*design_, u.rows);
  const auto absolute_sum = [](std::span<const double> values) {
    double total = 0.0;
    for (const double value : values) total += std::abs(value);
    return total;
  };
  double size = 0.0;
  for (std::size_t c = 0; c < u.rows.size(); ++c)
    size += absolute_sum(u.w.row(static_cast<Index>(c))) * sizes_[u.rows[c]];
  const double n = n_samples();
  size = size / std::sqrt(n) + absolute_sum(u.b);
  return parameters_.loss.steepest(objective) * std::sqrt(s_max_) * size *
             rounding_factor(static_cast<double>(u.rows.size())) +
         rounding_factor(n) * objective;
}

}  // namespace hsvm
