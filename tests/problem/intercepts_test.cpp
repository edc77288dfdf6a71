#include "hsvm/problem/intercepts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "hsvm/core/random.hpp"
#include "hsvm/problem/sorted_intercepts.hpp"
#include "tests/support/multiclass.hpp"
#include "tests/support/reference.hpp"

namespace hsvm {
namespace {

using Vector = std::vector<double>;

struct ClassCase {
  MarginLoss loss;
  std::vector<Index> y;
  Vector s;
  ClassMatrix z;
  double lambda3 = 0.0;

  [[nodiscard]] std::size_t n_classes() const { return static_cast<std::size_t>(z.n_classes()); }
  // dq/db_k, in long double.
  [[nodiscard]] double slope(std::size_t k, double b) const {
    long double sum = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (static_cast<std::size_t>(y[i]) == k) continue;
      sum += static_cast<long double>(s[i]) * loss.dual(-(z.row(static_cast<Index>(i))[k] + b));
    }
    return static_cast<double>(sum / static_cast<long double>(y.size()) +
                               static_cast<long double>(lambda3) * b);
  }
  [[nodiscard]] double value(const Vector& b) const {
    long double sum = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      for (std::size_t k = 0; k < b.size(); ++k) {
        if (static_cast<std::size_t>(y[i]) == k) continue;
        sum += s[i] * test::reference_phi(-(z.row(static_cast<Index>(i))[k] + b[k]), loss.delta);
      }
    }
    double square = 0.0;
    for (const double value : b) square += value * value;
    return static_cast<double>(sum / static_cast<long double>(y.size())) + 0.5 * lambda3 * square;
  }
  [[nodiscard]] Vector best(Vector start = {}) const {
    if (start.empty()) start.assign(n_classes(), 0.0);
    return best_intercepts(loss, {y, s}, z, lambda3, start);
  }
  [[nodiscard]] double largest_score() const {
    double result = 0.0;
    for (const double value : z.values()) result = std::max(result, std::abs(value));
    return result;
  }
};

// b is the minimiser among those that sum to zero exactly when all dq/db_k are equal.
void expect_best(const ClassCase& c, const Vector& b) {
  double low = c.slope(0, b[0]);
  double high = low;
  double size = 0.0;
  for (std::size_t k = 0; k < b.size(); ++k) {
    low = std::min(low, c.slope(k, b[k]));
    high = std::max(high, c.slope(k, b[k]));
    size = std::max(size, std::abs(b[k]));
  }
  const double spacing = 4e-15 * std::max({1.0, size, c.largest_score()}) * (c.loss.curvature() + c.lambda3);
  EXPECT_LE(high - low, 3e-11 * std::max(std::abs(low), std::abs(high)) + spacing) << testing::PrintToString(b);
  EXPECT_LE(test::largest_sum(b, {}), 1e-12) << testing::PrintToString(b);
}

// Another way: for a common slope mu each b_k is a root by itself, and the sum of the roots grows with mu.
Vector by_bisection(const ClassCase& c) {
  const double far = 4.0 * (c.largest_score() + 2.0 + c.loss.delta) * static_cast<double>(c.n_classes());
  const auto roots = [&](double mu) {
    Vector b(c.n_classes());
    for (std::size_t k = 0; k < b.size(); ++k) {
      double low = -far;
      double high = far;
      for (int step = 0; step < 100; ++step) {
        const double middle = 0.5 * (low + high);
        (c.slope(k, middle) > mu ? high : low) = middle;
      }
      b[k] = low;
    }
    return b;
  };
  double low = -1.0 - c.lambda3 * far;
  double high = 3.0 + c.lambda3 * far;
  for (int step = 0; step < 100; ++step) {
    const double mu = 0.5 * (low + high);
    const Vector b = roots(mu);
    (std::accumulate(b.begin(), b.end(), 0.0) > 0.0 ? high : low) = mu;
  }
  Vector below = roots(low);
  const Vector above = roots(high);
  // Where the sum jumps, flat pieces have room: go along them to the point that sums to zero.
  const double from = std::accumulate(below.begin(), below.end(), 0.0);
  const double to = std::accumulate(above.begin(), above.end(), 0.0);
  const double share = to > from ? std::clamp(-from / (to - from), 0.0, 1.0) : 0.0;
  for (std::size_t k = 0; k < below.size(); ++k) below[k] += share * (above[k] - below[k]);
  return below;
}

ClassCase random_case(Random& random, std::size_t largest_n) {
  ClassCase c;
  c.loss.delta = std::vector{0.01, 0.5, 1.0, 2.0, 10.0}[random.below(5)];
  c.lambda3 = std::vector{0.0, 0.0, 1e-6, 0.1, 10.0}[random.below(5)];
  const double scale = std::vector{0.0, 1e-8, 1.0, 30.0}[random.below(4)];
  const auto J = static_cast<Index>(2 + random.below(6));
  const auto n =
      static_cast<Index>(1 + random.below(largest_n));  // some classes are often empty or have one sample
  c.z.reset(n, J);
  for (Index i = 0; i < n; ++i) {
    const std::uint64_t classes = random.below(3) == 0 ? 1 : static_cast<std::uint64_t>(J);
    c.y.push_back(static_cast<Index>(random.below(classes)));
    c.s.push_back(random.below(5) == 0 ? 0.0 : 2.0 * random.uniform());
    for (double& score : c.z.row(i)) score = scale * random.normal();
  }
  return c;
}

TEST(BestIntercepts, HaveEqualSlopesAndSumToZero) {
  Random random(31);
  for (int trial = 0; trial < 2000; ++trial) {
    SCOPED_TRACE(trial);
    const ClassCase c = random_case(random, 40);
    expect_best(c, c.best());
  }
}

TEST(SortedIntercepts, HaveEqualSlopesAndSumToZero) {
  Random random(36);
  for (int trial = 0; trial < 2000; ++trial) {
    SCOPED_TRACE(trial);
    const ClassCase c = random_case(random, 40);
    const Vector b = sorted_intercepts(c.loss, c.y, c.s, c.z, c.lambda3);
    expect_best(c, b);
    EXPECT_NEAR(c.value(b), c.value(c.best()), 1e-10 * (1.0 + c.value(b)));
  }
}

TEST(BestIntercepts, AreAsLowAsBisectionGets) {
  Random random(32);
  for (int trial = 0; trial < 40; ++trial) {
    const ClassCase c = random_case(random, 12);
    const Vector other = by_bisection(c);
    ASSERT_NEAR(std::accumulate(other.begin(), other.end(), 0.0), 0.0, 1e-6 * (1.0 + c.largest_score()))
        << trial;
    EXPECT_NEAR(c.value(c.best()), c.value(other), 1e-6 * (1.0 + c.largest_score())) << trial;
  }
}

TEST(BestIntercepts, BeatTheirNeighbours) {
  Random random(33);
  for (int trial = 0; trial < 200; ++trial) {
    const ClassCase c = random_case(random, 20);
    const Vector b = c.best();
    const double best = c.value(b);
    for (std::uint64_t other = 0; other < 20; ++other) {
      const Vector step =
          test::random_intercepts(other, b.size(), std::pow(10.0, 1.0 - static_cast<double>(other % 5)));
      Vector near = b;
      for (std::size_t k = 0; k < b.size(); ++k) near[k] += step[k];
      ASSERT_LE(best, c.value(near) + 1e-12 * (1.0 + best)) << trial;
    }
  }
}

TEST(BestIntercepts, DoNotDependOnWhereTheyStart) {
  Random random(34);
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    const ClassCase c = random_case(random, 30);
    const double value = c.value(c.best());
    for (const double scale : {0.1, 10.0, 1e4}) {
      const Vector b = c.best(test::random_intercepts(trial, c.n_classes(), scale));
      expect_best(c, b);
      EXPECT_NEAR(c.value(b), value, 1e-9 * (1.0 + value));
    }
  }
}

// An elbow far narrower than the spread of the scores leaves next to no curvature: Newton's steps alone would
// stop well before the minimum.
TEST(BestIntercepts, WithANarrowElbow) {
  Random random(35);
  for (int trial = 0; trial < 100; ++trial) {
    SCOPED_TRACE(trial);
    ClassCase c{{1e-3}, {}, {}, ClassMatrix(80, 6), trial % 2 == 0 ? 0.0 : 1e-4};
    for (Index i = 0; i < 80; ++i) {
      c.y.push_back(static_cast<Index>(random.below(6)));
      c.s.push_back(
          trial % 3 == 0 ? 1.0 : 2.0 * random.uniform());  // equal weights: many flat pieces at the same height
      for (double& score : c.z.row(i)) score = 30.0 * random.normal();
    }
    expect_best(c, c.best());
  }
}

// At equal slopes there is nothing to do; with many classes the rounding of their sums must not be taken for a
// slope.
TEST(BestIntercepts, OfManyEqualClassesAreZero) {
  for (const double lambda3 : {0.0, 0.1}) {
    ClassCase c{{1.0}, {}, {}, ClassMatrix(300, 300), lambda3};
    for (Index i = 0; i < 300; ++i) {
      c.y.push_back(i);
      c.s.push_back(1.0);
    }
    for (const double value : c.best()) ASSERT_NEAR(value, 0.0, 1e-12);
  }
}

// Z = 0, delta = 1, class 0 twice, classes 1 and 2 once: b = (2c, -c, -c) with [-6 (1-c) + 4]/4 + 6 lambda3 c =
// 0.
TEST(BestIntercepts, ByHand) {
  ClassCase c{{1.0}, {0, 0, 1, 2}, {1, 1, 1, 1}, ClassMatrix(4, 3), 1.0 / 12.0};
  const Vector b = c.best();
  EXPECT_NEAR(b[0], 0.5, 1e-15);
  EXPECT_NEAR(b[1], -0.25, 1e-15);
  EXPECT_NEAR(b[2], -0.25, 1e-15);
  c.lambda3 = 0.0;  // c = 1/3
  EXPECT_NEAR(c.best()[0], 2.0 / 3.0, 1e-15);
  c.y = {0, 1, 2, 0};
  c.s = {0.5, 1.0, 1.0, 0.5};  // balanced again
  for (const double value : c.best()) EXPECT_NEAR(value, 0.0, 1e-15);
}

TEST(BestIntercepts, OfOneClassLeaveNoLoss) {
  for (const Index own : {0, 2}) {
    for (const double shift : {0.0, -100.0, 1e6}) {
      ClassCase c{{1.0}, {own, own, own}, {1, 1, 1}, ClassMatrix(3, 4), 0.0};
      for (double& score : c.z.values()) score = shift;
      EXPECT_EQ(c.value(c.best()), 0.0) << own << ", " << shift;
    }
  }
}

// An empty class is wrong for every sample: of two empty ones, both get the same, lowest intercept.
TEST(BestIntercepts, OfEmptyClassesAreTheLowest) {
  for (const double lambda3 : {0.0, 0.1}) {
    ClassCase c{{1.0}, {0, 0, 2, 2, 2}, {1, 1, 1, 1, 1}, ClassMatrix(5, 4), lambda3};
    const Vector b = c.best();
    expect_best(c, b);
    EXPECT_NEAR(b[1], b[3], 1e-10);
    EXPECT_LT(b[1], b[0]);
    EXPECT_LT(b[0], b[2]);
  }
}

TEST(BestIntercepts, StandScoresOfAnySize) {
  for (const double scale : {1e-300, 1e-30, 1e3, 1e6, 1e9, 1e15}) {
    for (const double lambda3 : {0.0, 0.1}) {
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Random random(seed, 9);
        ClassCase c{{0.5}, {}, {}, ClassMatrix(9, 3), lambda3};
        for (Index i = 0; i < 9; ++i) {
          c.y.push_back(i % 3);
          c.s.push_back(1.0);
          for (double& score : c.z.row(i)) score = scale * random.normal();
        }
        const Vector b = c.best();
        EXPECT_LE(test::largest_sum(b, {}), 1e-12);
        const double value = c.value(b);
        EXPECT_TRUE(std::isfinite(value));
        for (std::uint64_t other = 0; other < 50; ++other) {
          const Vector step = test::random_intercepts(other, 3, other % 2 == 0 ? scale : 0.1 * scale);
          Vector near = b;
          for (std::size_t k = 0; k < 3; ++k) near[k] += step[k];
          EXPECT_LE(value, c.value(near) * (1.0 + 1e-9)) << scale << ", " << lambda3 << ", " << seed;
        }
        EXPECT_LE(value, c.value(Vector(3, 0.0)) * (1.0 + 1e-12)) << scale << ", " << lambda3 << ", " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace hsvm
