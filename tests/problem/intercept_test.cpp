#include "hsvm/problem/intercept.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hsvm/core/random.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/reference.hpp"

namespace hsvm {
namespace {

struct Case {
  MarginLoss loss;
  std::vector<double> y, s, z;
  double lambda3;

  // q'(b), and the size of its terms: what rounding is measured by.
  struct Slope {
    double value, size;
  };
  [[nodiscard]] Slope slope(double b) const {
    long double sum = 0.0;
    long double size = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double a = loss.dual(y[i] * (z[i] + b));
      sum -= static_cast<long double>(s[i]) * y[i] * a;
      size += s[i] * a;
    }
    const auto n = static_cast<long double>(y.size());
    return {static_cast<double>(sum / n + static_cast<long double>(lambda3) * b),
            static_cast<double>(size / n) + std::abs(lambda3 * b)};
  }
  [[nodiscard]] double value(double b) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += s[i] * test::reference_phi(y[i] * (z[i] + b), loss.delta);
    return sum / static_cast<double>(y.size()) + 0.5 * lambda3 * b * b;
  }
  [[nodiscard]] double best(double start = 0.0) const {
    return best_intercept(loss, {y, s}, z, lambda3, start);
  }
};

// q' is as near to zero at b as the spacing of the doubles there allows.
void expect_best(const Case& c, double b) {
  const auto [slope, size] = c.slope(b);
  double largest = std::abs(b);
  for (const double z : c.z) largest = std::max(largest, std::abs(z));
  const double curvature = 1.0 / c.loss.delta + c.lambda3;
  EXPECT_LE(std::abs(slope), 1e-15 * size + 4e-16 * largest * curvature) << "b = " << b;
}

std::vector<Case> random_cases() {
  std::vector<Case> result;
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    Case c;
    c.loss.delta = std::vector{0.01, 0.5, 1.0, 2.0, 10.0}[random.below(5)];
    c.lambda3 = std::vector{0.0, 1e-6, 0.1, 10.0}[random.below(4)];
    const double scale = std::vector{0.0, 1e-8, 1.0, 1e6}[random.below(4)];
    const double share = std::vector{0.02, 0.5, 0.9, 1.0, 0.0}[random.below(5)];
    const std::size_t n = 1 + random.below(40);
    for (std::size_t i = 0; i < n; ++i) {
      c.y.push_back(random.uniform() < share ? 1.0 : -1.0);
      c.s.push_back(random.below(5) == 0 ? 0.0 : 2.0 * random.uniform());
      c.z.push_back(scale * random.normal());
    }
    result.push_back(c);
  }
  return result;
}

TEST(BestIntercept, IsTheRootOfTheDerivative) {
  for (const Case& c : random_cases()) expect_best(c, c.best());
}

TEST(BestIntercept, DoesNotDependOnWhereItStarts) {
  for (const Case& c : random_cases()) {
    const double value = c.value(c.best());
    for (const double start : {-1e6, -1.0, 0.5, 1e6}) {
      const double b = c.best(start);
      expect_best(c, b);
      // Where the best b is not unique, all of them are as good.
      EXPECT_NEAR(c.value(b), value, 1e-9 * (1.0 + value));
    }
  }
}

TEST(BestIntercept, IsAsLowAsBisectionGets) {
  for (const Case& c : random_cases()) {
    double low = -1e8;
    double high = 1e8;
    for (int step = 0; step < 200; ++step) {
      const double middle = 0.5 * (low + high);
      (c.slope(middle).value > 0.0 ? high : low) = middle;
    }
    EXPECT_LE(c.value(c.best()), c.value(low) * (1.0 + 1e-12) + 1e-14);
  }
}

TEST(BestIntercept, BeatsAGrid) {
  for (const Case& c : random_cases()) {
    const double best = c.value(c.best());
    for (double b = -3.0; b <= 3.0; b += 0.01) ASSERT_LE(best, c.value(b) + 1e-12 * (1.0 + best));
  }
}

TEST(BestIntercept, ByHand) {
  // z = 0, delta = 1, two of +1 and one of -1: -(2/3)(1-b) + 1/3 + lambda3 b = 0.
  const Case c{{1.0}, {1, 1, -1}, {1, 1, 1}, {0, 0, 0}, 1.0 / 3.0};
  EXPECT_DOUBLE_EQ(c.best(), 1.0 / 3.0);
  Case free = c;
  free.lambda3 = 0.0;
  EXPECT_DOUBLE_EQ(free.best(), 0.5);
  Case even = c;
  even.y = {1, -1, -1};
  even.s = {2, 1, 1};
  EXPECT_EQ(even.best(), 0.0);
}

TEST(BestIntercept, OfOneClassLeavesNoLoss) {
  for (const double y : {1.0, -1.0}) {
    for (const double shift : {0.0, -100.0, 1e9}) {
      const Case c{{1.0}, {y, y, y}, {1, 1, 1}, {shift, shift + 1.0, shift - 2.0}, 0.0};
      const double b = c.best();
      EXPECT_EQ(c.slope(b).value, 0.0) << "b = " << b;
      EXPECT_EQ(c.value(b), 0.0);
    }
  }
}

TEST(BestIntercept, StandsScoresOfAnySize) {
  for (const double scale : {1e-300, 1e-30, 1e15, 1e30, 1e100}) {
    for (const double lambda3 : {0.0, 0.1}) {
      const Case c{{0.5},
                   {1, -1, 1, -1, -1},
                   {1, 1, 1, 1, 1},
                   {scale, -scale, -3 * scale, 2 * scale, 0.5 * scale},
                   lambda3};
      const double b = c.best();
      EXPECT_TRUE(std::isfinite(b));
      const double value = c.value(b);
      for (const double other : {0.0, scale, -scale, 0.5 * scale, 3.0 * scale, 1.0, -1.0}) {
        EXPECT_LE(value, c.value(other) * (1.0 + 1e-12))
            << "b = " << b << ", other " << other << ", scale " << scale;
      }
    }
  }
}

TEST(BestIntercept, MakesTheWeightedDualSumVanish) {
  for (const test::ProblemData& data : test::random_problems()) {
    const std::vector<double> z = test::random_vector(4, data.y.size());
    const double b = best_intercept(data.parameters.loss, {data.y, data.s}, z, 0.0, 0.0);
    double sum = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i)
      sum += data.s[i] * data.y[i] * data.parameters.loss.dual(data.y[i] * (z[i] + b));
    EXPECT_NEAR(sum / static_cast<double>(z.size()), 0.0, 2e-15 / data.parameters.loss.delta) << data.name;
  }
}

}  // namespace
}  // namespace hsvm
