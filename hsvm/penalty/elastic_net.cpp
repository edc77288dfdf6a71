#include "hsvm/penalty/elastic_net.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/find_indices.hpp"
#include "hsvm/core/lanes.hpp"
#include "hsvm/core/vector_sums.hpp"

namespace hsvm {
namespace {

// Of e_j = max(0, k c_j - threshold_j): sum e_j c_j, sum c_j^2 where e_j > 0, and sum e_j^2.
struct Excess {
  double along;
  double curvature;
  double square;
};

HSVM_CLONES Excess excess_at(double k, std::span<const double> c, std::span<const double> thresholds) {
  Lanes along = {};
  Lanes curvature = {};
  Lanes square = {};
  Excess rest = {};
  by_lanes(
      c.size(),
      [&](std::size_t j) {
        const Lanes pull = load(c.data() + j);
        const Lanes over = k * pull - load(thresholds.data() + j);
        const auto is_over = over > Lanes{};
        const Lanes excess = is_over ? over : Lanes{};
        const Lanes moving = is_over ? pull : Lanes{};
        along += excess * pull;
        curvature += moving * pull;
        square += excess * excess;
      },
      [&](std::size_t j) {
        const double over = k * c[j] - thresholds[j];
        if (!(over > 0.0)) return;
        rest.along += over * c[j];
        rest.curvature += c[j] * c[j];
        rest.square += over * over;
      });
  return {rest.along + sum(along), rest.curvature + sum(curvature), rest.square + sum(square)};
}

}  // namespace

std::vector<Index> features_above(std::span<const double> values, double lambda1, std::span<const double> v) {
  if (v.empty()) return indices_above(values, lambda1);
  std::vector<Index> result;
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (std::abs(values[j]) > lambda1 * v[j]) result.push_back(static_cast<Index>(j));
  }
  return result;
}

std::vector<Index> features_reaching(std::span<const double> values, std::span<const double> norms,
                                     double factor, double lambda1, std::span<const double> v) {
  if (v.empty()) return indices_reaching(values, norms, factor, lambda1);
  std::vector<Index> result;
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (std::abs(values[j]) + factor * norms[j] >= lambda1 * v[j]) result.push_back(static_cast<Index>(j));
  }
  return result;
}

std::vector<Index> features_above(std::span<const double> values, const Rounding& rounding, double lambda1,
                                  std::span<const double> v) {
  if (rounding.sizes.empty()) return features_above(values, lambda1, v);
  return features_reaching(values, rounding.sizes, rounding.factor, lambda1, v);
}

double ElasticNet::value(std::span<const double> w) const {
  const double absolute = factors.empty() ? absolute_sum_of(w) : weighted_absolute_sum_of(factors, w);
  return lambda1 * absolute + 0.5 * lambda2 * squared_norm_of(w);
}

double ElasticNet::value(std::span<const Index> features, std::span<const double> w) const {
  assert(features.size() == w.size());
  double absolute = 0.0;
  for (std::size_t c = 0; c < w.size() && !factors.empty(); ++c)
    absolute += factors[static_cast<std::size_t>(features[c])] * std::abs(w[c]);
  if (factors.empty()) absolute = absolute_sum_of(w);
  return lambda1 * absolute + 0.5 * lambda2 * squared_norm_of(w);
}

double ElasticNet::lambda1_max(std::span<const double> c) const {
  double result = 0.0;
  for (std::size_t j = 0; j < c.size(); ++j) {
    const double v = factors.empty() ? 1.0 : factors[j];
    if (v > 0.0) result = std::max(result, std::abs(c[j]) / v);
  }
  return result;
}

double ElasticNet::best_scaled_dual(double linear, double quadratic, std::span<const double> c,
                                    const Rounding& rounding, std::span<const Index> features) const {
  // Only features beyond their threshold matter for k <= 1: near the optimum, little more than the support.
  std::vector<double> pulls, thresholds;
  double feasible = 1.0;  // the largest k without any excess
  pulls.reserve(features.size());
  thresholds.reserve(features.size());
  for (const Index feature : features) {
    const auto j = static_cast<std::size_t>(feature);
    const double pull = std::abs(c[j]) + rounding.of(j);
    if (pull <= threshold(j)) continue;
    pulls.push_back(pull);
    thresholds.push_back(threshold(j));
    if (threshold(j) < feasible * pull) feasible = threshold(j) / pull;
  }
  const auto smooth_part = [&](double k) { return k * linear - 0.5 * quadratic * k * k; };
  // Feasible without a division by lambda2, however small that is.
  const double inside = smooth_part(quadratic * feasible > linear ? linear / quadratic : feasible);
  if (lambda2 == 0.0 || pulls.empty()) return std::max(0.0, inside);

  // lambda2 times the derivative in k is concave, piecewise linear and decreasing: Newton's steps from k = 1
  // come down to its root from the right and reach it once they are on its piece.
  constexpr int kMaxSteps = 50;
  double k = 1.0;
  Excess excess = excess_at(k, pulls, thresholds);
  for (int step = 0; step < kMaxSteps; ++step) {
    const double slope = lambda2 * (linear - quadratic * k) - excess.along;
    const double curvature = lambda2 * quadratic + excess.curvature;
    if (slope >= 0.0 || curvature <= 0.0) break;
    const double next = std::max(0.0, k + slope / curvature);
    if (next >= k) break;
    k = next;
    excess = excess_at(k, pulls, thresholds);
  }
  const double conjugate = excess.square > 0.0 ? excess.square / (2.0 * lambda2) : 0.0;
  return std::max({0.0, inside, smooth_part(k) - conjugate});
}

}  // namespace hsvm
