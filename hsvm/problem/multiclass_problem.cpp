#include "hsvm/problem/multiclass_problem.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <utility>

#include "hsvm/core/parallel.hpp"
#include "hsvm/penalty/elastic_net.hpp"
#include "hsvm/penalty/half_ranges.hpp"
#include "hsvm/problem/intercepts.hpp"

namespace hsvm {
namespace {

constexpr Index kBlockRows = 64;  // rows of W, or columns of X, in one task

}  // namespace

MulticlassProblem::MulticlassProblem(const Design& design, std::span<const Index> y, std::span<const double> s,
                                     MulticlassParameters parameters)
    : design_(&design), y_(y), s_(s), parameters_(std::move(parameters)) {
  assert(std::ssize(y_) == design.rows() && std::ssize(s_) == design.rows() && parameters_.n_classes >= 2);
  assert(parameters_.penalty.factors.empty() || std::ssize(parameters_.penalty.factors) == design.cols());
  n_elsewhere_ = design.n_samples() - design.rows();
  if (!s_.empty()) s_max_ = *std::ranges::max_element(s_);
  s_max_ = design.collective().maximum(s_max_);
}

MulticlassProblem::Point MulticlassProblem::zero() const {
  Point u{std::vector<double>(static_cast<std::size_t>(parameters_.n_classes), 0.0),
          {},
          ClassMatrix(0, parameters_.n_classes),
          ClassMatrix(design_->rows(), parameters_.n_classes)};
  if (exact_intercept()) minimise_intercept(u, parameters_.loss);
  return u;
}

MulticlassProblem::Point MulticlassProblem::constant() const {
  Point u = zero();
  if (parameters_.intercept) minimise_intercept(u, parameters_.loss);
  return u;
}

double MulticlassProblem::objective_at_zero() const {
  return (parameters_.n_classes - 1) * parameters_.loss.value(0.0);
}

void MulticlassProblem::add_intercept(Point& u, double sign) const {
  add_to_rows(sign, u.b, u.scores);
}

void MulticlassProblem::minimise_intercept(Point& u, const MarginLoss& loss) const {
  if (!parameters_.intercept) return;
  add_intercept(u, -1.0);
  u.b = best_intercepts(loss, samples(), u.scores, parameters_.lambda3, std::move(u.b));
  add_intercept(u, 1.0);
}

double MulticlassProblem::smooth(const Point& u) const {
  return sum_losses(parameters_.loss, samples(), u.scores) / n_samples();
}

double MulticlassProblem::penalty(const Point& u) const {
  double total = 0.0;
  for (std::size_t c = 0; c < u.rows.size(); ++c) {
    total += parameters_.penalty.value(u.rows[c], u.w.row(static_cast<Index>(c)));
  }
  double square = 0.0;
  for (const double b : u.b) square += b * b;
  return total + 0.5 * parameters_.lambda3 * square;
}

double MulticlassProblem::lipschitz() const {
  const double ones = parameters_.intercept && !exact_intercept() ? 1.0 : 0.0;
  const double squares = weighted_squared_norm(*design_, s_) / n_samples();
  return parameters_.n_classes * (ones + squares) * parameters_.loss.curvature();
}

double MulticlassProblem::initial_bound(double lipschitz) const {
  return lipschitz / (n_samples() * parameters_.n_classes);
}

void MulticlassProblem::gradient(const Point& u, Gradient& gradient) const {
  Residuals r;
  residuals(u, parameters_.loss, r, gradient);
  feature_gradient(r, gradient);
}

void MulticlassProblem::residuals(const Point& u, const MarginLoss& loss, Residuals& r,
                                  Gradient& gradient) const {
  ClassGradientSums sums = loss_gradient(loss, samples(), u.scores, 1.0 / n_samples(), r);
  gradient.b = std::move(sums.by_class);
  gradient.duals = sums.duals;
  gradient.losses = sums.losses;
  gradient.flows = std::move(sums.by_pairs);
  if (!parameters_.intercept) std::fill(gradient.b.begin(), gradient.b.end(), 0.0);
}

void MulticlassProblem::feature_gradient(const Residuals& r, Gradient& gradient) const {
  design_->multiply_transposed(r, gradient.w);
  gradient.half_ranges.resize(static_cast<std::size_t>(gradient.w.rows()));
  parallel_blocks(gradient.w.rows(), kBlockRows, [&](Index begin, Index end) {
    half_ranges(gradient.w, begin,
                std::span(gradient.half_ranges)
                    .subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
  });
}

std::vector<Index> MulticlassProblem::combine(std::span<const Gradient* const> parts,
                                              std::span<const double> alpha, double level,
                                              const MayReach& reach, Gradient& sum) const {
  constexpr Index kBlock = 512;  // features
  const std::span<const double> v = parameters_.penalty.factors;
  const auto stride = static_cast<std::size_t>(sum.w.stride());
  return find_in_blocks(n_features(), kBlock, [&](Index first, Index count) {
    const auto begin = static_cast<std::size_t>(first);
    const auto size = static_cast<std::size_t>(count);
    const std::span<double> rows = sum.w.values().subspan(begin * stride, size * stride);
    std::ranges::fill(rows, 0.0);
    for (std::size_t s = 0; s < parts.size(); ++s)
      add_scaled(alpha[s], parts[s]->w.values().subspan(begin * stride, size * stride), rows);
    const std::span<double> strengths = std::span(sum.half_ranges).subspan(begin, size);
    half_ranges(sum.w, first, strengths);
    const MayReach here{reach.y.subspan(begin, size), reach.factor, reach.limit};
    return indices_near(strengths, level, here, v.empty() ? v : v.subspan(begin, size));
  });
}

bool MulticlassProblem::is_finite(const Gradient& gradient) const {
  if (!gradient.contenders) return std::isfinite(squared_norm_of(gradient.w.values()));
  return std::ranges::all_of(gradient.contenders->features,
                             [&](Index j) { return std::isfinite(squared_norm_of(gradient.w.row(j))); });
}

void MulticlassProblem::feature_gradient(const Residuals& r, std::span<const Index> features,
                                         Gradient& gradient) const {
  ClassMatrix products;
  design_->multiply_transposed(features, r, products);
  set_entries(features, products, gradient);
}

ClassMatrix MulticlassProblem::entries(const Gradient& gradient, std::span<const Index> features) {
  ClassMatrix result(static_cast<Index>(features.size()), gradient.w.n_classes());
  for (std::size_t k = 0; k < features.size(); ++k)
    std::ranges::copy(gradient.w.row(features[k]), result.row(static_cast<Index>(k)).begin());
  return result;
}

void MulticlassProblem::set_entries(std::span<const Index> features, const ClassMatrix& entries,
                                    Gradient& gradient) {
  for (std::size_t k = 0; k < features.size(); ++k) {
    const std::span<const double> row = entries.row(static_cast<Index>(k));
    std::copy(row.begin(), row.end(), gradient.w.row(features[k]).begin());
    gradient.half_ranges[static_cast<std::size_t>(features[k])] = half_range(row);
  }
}

void MulticlassProblem::proximal_step(const Point& at, const Gradient& gradient, double L, Point& next) const {
  // The rows that may be nonzero: for a row that is zero at `at`, the step is zero exactly when its half-range
  // allows it.
  const std::vector<Index> beyond = strong_features(gradient, parameters_.penalty.lambda1);
  struct Candidate {
    Index feature;
    Index row_of_at;  // -1 where `at` has none
  };
  std::vector<Candidate> candidates;
  for_each_held(at.rows, beyond, [&](Index j, Index row, Index) { candidates.push_back({j, row}); });

  const Index n_candidates = static_cast<Index>(candidates.size());
  ClassMatrix steps(n_candidates, parameters_.n_classes);
  std::vector<char> nonzero(candidates.size());
  const std::vector<double> zeros(static_cast<std::size_t>(parameters_.n_classes), 0.0);
  parallel_for((n_candidates + kBlockRows - 1) / kBlockRows, [&](Index block) {
    RowSolver solver(parameters_.n_classes);
    const Index end = block * kBlockRows + std::min(kBlockRows, n_candidates - block * kBlockRows);
    for (Index c = block * kBlockRows; c < end; ++c) {
      const Candidate& candidate = candidates[static_cast<std::size_t>(c)];
      const std::span<const double> from =
          candidate.row_of_at < 0 ? std::span<const double>(zeros) : at.w.row(candidate.row_of_at);
      nonzero[static_cast<std::size_t>(c)] = parameters_.penalty.proximal_step(
          candidate.feature, from, gradient.w.row(candidate.feature), L, solver, steps.row(c));
    }
  });

  next.rows.clear();
  next.w.reset(static_cast<Index>(std::count(nonzero.begin(), nonzero.end(), char{1})), parameters_.n_classes);
  for (Index c = 0; c < n_candidates; ++c) {
    if (nonzero[static_cast<std::size_t>(c)] == 0) continue;
    std::ranges::copy(steps.row(c), next.w.row(static_cast<Index>(next.rows.size())).begin());
    next.rows.push_back(candidates[static_cast<std::size_t>(c)].feature);
  }
  design_->multiply(next.rows, next.w, next.scores);

  if (exact_intercept()) {
    next.b = best_intercepts(parameters_.loss, samples(), next.scores, parameters_.lambda3, at.b);
  } else if (parameters_.intercept) {  // [XAC15, eq. 16]: the mean is what (P'P)^{-1} P' takes away
    next.b.resize(at.b.size());
    double mean = 0.0;
    for (std::size_t k = 0; k < at.b.size(); ++k) {
      next.b[k] = (L * at.b[k] - gradient.b[k]) / (L + parameters_.lambda3);
      mean += next.b[k] / static_cast<double>(at.b.size());
    }
    for (double& b : next.b) b -= mean;
  } else {
    next.b.assign(at.b.size(), 0.0);
  }
  if (parameters_.intercept) add_intercept(next, 1.0);
}

void MulticlassProblem::extrapolate(const Point& u, const Point& previous, double omega, Point& out) const {
  out.b.resize(u.b.size());
  for (std::size_t k = 0; k < u.b.size(); ++k) out.b[k] = u.b[k] + omega * (u.b[k] - previous.b[k]);

  const std::vector<double> zeros(u.b.size(), 0.0);
  out.rows.clear();
  for_each_held(u.rows, previous.rows, [&](Index j, Index, Index) { out.rows.push_back(j); });
  out.w.reset(static_cast<Index>(out.rows.size()), parameters_.n_classes);
  Index row = 0;
  for_each_held(u.rows, previous.rows, [&](Index, Index from_u, Index from_previous) {
    const std::span<const double> a = from_u < 0 ? std::span<const double>(zeros) : u.w.row(from_u);
    const std::span<const double> c =
        from_previous < 0 ? std::span<const double>(zeros) : previous.w.row(from_previous);
    const std::span<double> to = out.w.row(row++);
    for (std::size_t k = 0; k < to.size(); ++k) to[k] = a[k] + omega * (a[k] - c[k]);
  });

  out.scores = u.scores;
  const std::span<double> scores = out.scores.values();
  const std::span<const double> before = previous.scores.values();
  for (std::size_t k = 0; k < scores.size(); ++k) scores[k] += omega * (scores[k] - before[k]);
  if (exact_intercept()) minimise_intercept(out, parameters_.loss);
}

double MulticlassProblem::divergence(const Point& u, const Point& at) const {
  const double total = sum_divergences(parameters_.loss, samples(), u.scores, at.scores);
  // Where b is minimised, lambda3/2 |b|^2 is a part of f.
  double in_b = 0.0;
  if (exact_intercept()) {
    for (std::size_t k = 0; k < u.b.size(); ++k) in_b += (u.b[k] - at.b[k]) * (u.b[k] - at.b[k]);
  }
  return total / n_samples() + 0.5 * parameters_.lambda3 * in_b;
}

double MulticlassProblem::squared_distance(const Point& u, const Point& v) const {
  double total = 0.0;
  if (!exact_intercept()) {
    for (std::size_t k = 0; k < u.b.size(); ++k) total += (u.b[k] - v.b[k]) * (u.b[k] - v.b[k]);
  }
  for_each_held(u.rows, v.rows, [&](Index, Index from_u, Index from_v) {
    for (std::size_t k = 0; k < u.b.size(); ++k) {
      const double difference =
          (from_u < 0 ? 0.0 : u.w.row(from_u)[k]) - (from_v < 0 ? 0.0 : v.w.row(from_v)[k]);
      total += difference * difference;
    }
  });
  return total;
}

double MulticlassProblem::squared_norm(const Point& u) const {
  double total = 0.0;
  for (const double b : u.b) total += b * b;
  for (const double w : u.w.values()) total += w * w;
  return total;
}

void MulticlassProblem::refresh_scores(Point& u) const {
  design_->multiply(u.rows, u.w, u.scores);
  add_intercept(u, 1.0);
}

Index MulticlassProblem::count_nonzeros(const Point& u) const {
  return static_cast<Index>(u.rows.size());
}

std::vector<Index> MulticlassProblem::unpenalised() const {
  return unpenalised_features(parameters_.penalty.factors);
}

double MulticlassProblem::lambda1_max(const Gradient& gradient) const {
  return parameters_.penalty.lambda1_max(gradient.half_ranges);
}

std::vector<Index> MulticlassProblem::violators(const Gradient& gradient, std::span<const Index> columns,
                                                double slack) const {
  return features_outside(strong_features(gradient, parameters_.penalty.lambda1 * (1.0 + slack)), columns);
}

}  // namespace hsvm
