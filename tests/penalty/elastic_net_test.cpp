#include "hsvm/penalty/elastic_net.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "hsvm/core/random.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

TEST(Shrink, MovesTowardsZeroByItsThreshold) {
  EXPECT_EQ(shrink(3.0, 1.0), 2.0);
  EXPECT_EQ(shrink(-3.0, 1.0), -2.0);
  EXPECT_EQ(shrink(1.0, 1.0), 0.0);
  EXPECT_EQ(shrink(-1.0, 1.0), 0.0);
  EXPECT_EQ(shrink(0.5, 1.0), 0.0);
  EXPECT_EQ(shrink(0.5, 0.0), 0.5);
}

TEST(ElasticNet, ValueByHand) {
  const std::vector<double> w = {1.0, -2.0, 0.0, 4.0};
  EXPECT_DOUBLE_EQ((ElasticNet{0.5, 0.0, {}}.value(w)), 3.5);
  EXPECT_DOUBLE_EQ((ElasticNet{0.0, 0.5, {}}.value(w)), 5.25);
  EXPECT_DOUBLE_EQ((ElasticNet{0.5, 0.5, {}}.value(w)), 8.75);
  EXPECT_DOUBLE_EQ((ElasticNet{0.5, 0.5, {2, 1, 9, 0}}.value(w)), 0.5 * 4.0 + 5.25);
  EXPECT_EQ((ElasticNet{0.5, 0.5, {}}.value({})), 0.0);
}

struct Case {
  ElasticNet penalty;
  double L;
};
std::vector<Case> cases() {
  std::vector<Case> result;
  for (const double lambda1 : {0.0, 0.3, 2.0}) {
    for (const double lambda2 : {0.0, 0.5, 10.0}) {
      for (const double L : {0.1, 1.0, 30.0}) {
        result.push_back({{lambda1, lambda2, {}}, L});
        result.push_back({{lambda1, lambda2, {0.0, 1.0, 2.0, 0.5, 3.0, 0.1}}, L});
      }
    }
  }
  return result;
}

TEST(ElasticNet, ProximalStepBeatsItsNeighbours) {
  const std::vector<double> at = {0.0, 0.4, -0.4, 2.0, 1e-3, -1.0};
  const std::vector<double> gradient = {1.0, -0.2, 0.1, 4.0, 0.0, -0.7};
  for (const auto& [penalty, L] : cases()) {
    std::vector<double> w(6);
    for (Index j = 0; j < 6; ++j) {
      const auto k = static_cast<std::size_t>(j);
      w[k] = penalty.proximal_step(j, at[k], gradient[k], L);
    }
    for (std::size_t j = 0; j < 6; ++j) {
      const auto model = [&](double t) {
        return gradient[j] * t + 0.5 * L * (t - at[j]) * (t - at[j]) + penalty.threshold(j) * std::abs(t) +
               0.5 * penalty.lambda2 * t * t;
      };
      const double best = model(w[j]);
      for (double step = 1e-5; step < 10.0; step *= 1.5) {
        EXPECT_LE(best, model(w[j] + step) + 1e-14);
        EXPECT_LE(best, model(w[j] - step) + 1e-14);
      }
      EXPECT_LE(best, model(0.0) + 1e-14);
    }
  }
}

TEST(ElasticNet, ProximalStepSatisfiesTheOptimalityCondition) {
  for (const auto& [penalty, L] : cases()) {
    const std::vector<double> at = test::random_vector(1, 6);
    const std::vector<double> gradient = test::random_vector(2, 6);
    std::vector<double> w(6);
    for (Index j = 0; j < 6; ++j) {
      const auto k = static_cast<std::size_t>(j);
      w[k] = penalty.proximal_step(j, at[k], gradient[k], L);
    }
    for (std::size_t j = 0; j < 6; ++j) {
      // -(smooth part's slope) must be a subgradient of threshold |w|.
      const double pull = -(gradient[j] + L * (w[j] - at[j]) + penalty.lambda2 * w[j]);
      const double rounding = 1e-14 * (1.0 + L + penalty.lambda2);
      if (w[j] == 0.0) {
        EXPECT_LE(std::abs(pull), penalty.threshold(j) + rounding);
      } else {
        EXPECT_NEAR(pull, std::copysign(penalty.threshold(j), w[j]), rounding);
      }
    }
  }
}

TEST(ElasticNet, IsTheSameOfTheFeaturesThatAreNotZero) {
  const std::vector<double> all = {0.0, 2.0, 0.0, -0.5, 0.0};
  const std::vector<Index> features = {1, 3};
  const std::vector<double> held = {2.0, -0.5};
  for (const std::vector<double>& factors : {std::vector<double>{}, {9.0, 0.5, 9.0, 2.0, 9.0}}) {
    const ElasticNet penalty{0.3, 0.5, factors};
    EXPECT_EQ(penalty.value(features, held), penalty.value(all));
  }
  EXPECT_EQ((ElasticNet{0.3, 0.5, {9.0, 0.5, 9.0, 2.0, 9.0}}.value(features, held)), 0.3 * 2.0 + 0.25 * 4.25);
}

TEST(ElasticNet, Lambda1MaxByHand) {
  const std::vector<double> c = {0.5, -3.0, 2.0};
  EXPECT_EQ(ElasticNet{}.lambda1_max(c), 3.0);
  EXPECT_EQ((ElasticNet{0.0, 0.0, {1.0, 6.0, 1.0}}.lambda1_max(c)), 2.0);
  EXPECT_EQ((ElasticNet{0.0, 0.0, {0.1, 6.0, 0.0}}.lambda1_max(c)), 5.0);
  EXPECT_EQ((ElasticNet{0.0, 0.0, {0.0, 0.0, 0.0}}.lambda1_max(c)), 0.0);
  EXPECT_EQ(ElasticNet{}.lambda1_max({}), 0.0);
}

// linear k - quadratic k^2/2 - g*(k c), -infinity where g* is infinite.
double scaled_dual(const ElasticNet& penalty, double linear, double quadratic, const std::vector<double>& c,
                   double k) {
  double result = k * linear - quadratic * k * k / 2.0;
  for (std::size_t j = 0; j < c.size(); ++j) {
    const double excess = std::max(0.0, k * std::abs(c[j]) - penalty.threshold(j));
    if (penalty.lambda2 > 0.0) {
      result -= excess * excess / (2.0 * penalty.lambda2);
    } else if (excess > 1e-15) {
      return -std::numeric_limits<double>::infinity();
    }
  }
  return result;
}

double best_on_grid(const ElasticNet& penalty, double linear, double quadratic, const std::vector<double>& c) {
  constexpr int kPoints = 20000;
  double best = 0.0;
  for (int k = 0; k <= kPoints; ++k) {
    best = std::max(best, scaled_dual(penalty, linear, quadratic, c, static_cast<double>(k) / kPoints));
  }
  return best;
}

TEST(ElasticNet, BestScaledDualIsTheBestOfAGrid) {
  Random random(5);
  int at_one = 0;
  int inside = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const std::size_t p = random.below(6);
    ElasticNet penalty;
    penalty.lambda1 = trial % 5 == 0 ? 0.0 : 0.3 * random.uniform();
    penalty.lambda2 = trial % 3 == 0 ? 0.0 : std::pow(10.0, 2.0 - 4.0 * random.uniform());
    if (trial % 2 == 0) {
      for (std::size_t j = 0; j < p; ++j)
        penalty.factors.push_back(random.below(3) == 0 ? 0.0 : 2.0 * random.uniform());
    }
    const double linear = trial % 11 == 0 ? 0.0 : random.uniform();
    const double quadratic = trial % 7 == 0 ? 0.0 : 2.0 * random.uniform();
    const std::vector<double> c = test::random_vector(static_cast<std::uint64_t>(trial), p, 0.5);
    const double result = penalty.best_scaled_dual(linear, quadratic, c);
    const double grid = best_on_grid(penalty, linear, quadratic, c);
    // The grid may miss the best k by half a step, on the slope where lambda2 = 0.
    EXPECT_GE(result, grid - 1e-14) << trial;
    EXPECT_LE(result, grid + 1e-4) << trial;
    at_one += std::abs(result - scaled_dual(penalty, linear, quadratic, c, 1.0)) < 1e-15;
    inside += result > 0.0 && result > scaled_dual(penalty, linear, quadratic, c, 1.0) + 1e-6;
  }
  EXPECT_GT(at_one, 10);  // both kinds were met
  EXPECT_GT(inside, 10);
}

TEST(ElasticNet, BestScaledDualByHand) {
  // One feature, c = 1, lambda1 = 1/2: k - k^2/2 - max(0, k - 1/2)^2/(2 lambda2).
  EXPECT_DOUBLE_EQ((ElasticNet{0.5, 1.0, {}}.best_scaled_dual(1.0, 1.0, std::vector<double>{1.0})),
                   0.4375);  // k = 3/4
  EXPECT_DOUBLE_EQ((ElasticNet{0.5, 0.0, {}}.best_scaled_dual(1.0, 1.0, std::vector<double>{1.0})),
                   0.375);  // k = 1/2
  EXPECT_DOUBLE_EQ((ElasticNet{0.5, 0.0, {}}.best_scaled_dual(1.0, 1.0, std::vector<double>{-1.0})), 0.375);
  EXPECT_DOUBLE_EQ((ElasticNet{0.5, 0.0, {}}.best_scaled_dual(1.0, 1.0, {})), 0.5);    // k = 1
  EXPECT_DOUBLE_EQ((ElasticNet{0.5, 0.0, {}}.best_scaled_dual(1.0, 4.0, {})), 0.125);  // k = 1/4
  EXPECT_DOUBLE_EQ((ElasticNet{0.5, 0.0, {0.0}}.best_scaled_dual(1.0, 1.0, std::vector<double>{1.0})),
                   0.0);  // k = 0
  EXPECT_DOUBLE_EQ((ElasticNet{0.5, 1.0, {}}.best_scaled_dual(0.0, 1.0, std::vector<double>{1.0})), 0.0);
}

}  // namespace
}  // namespace hsvm
