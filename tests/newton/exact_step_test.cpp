#include "hsvm/newton/exact_step.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hsvm/core/random.hpp"
#include "hsvm/loss/margin_loss.hpp"
#include "tests/support/effort.hpp"

namespace hsvm {
namespace {

// f(t) = sum_i phi(z_i + t dz_i) + linear t + square t^2/2 + sum_k tau_k |v_k + t d_k|
struct Line {
  MarginLoss loss;
  std::vector<double> z, dz, v, d, tau;
  double linear = 0.0;
  double square = 0.0;

  [[nodiscard]] double value(double t) const {
    double sum = linear * t + 0.5 * square * t * t;
    for (std::size_t i = 0; i < z.size(); ++i) sum += loss.value(z[i] + t * dz[i]);
    for (std::size_t k = 0; k < v.size(); ++k) sum += tau[k] * std::abs(v[k] + t * d[k]);
    return sum;
  }
  [[nodiscard]] SlopeAndCurvature smooth(double t) const {
    SlopeAndCurvature at{linear + square * t, square};
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double a = loss.dual(z[i] + t * dz[i]);
      at.slope -= a * dz[i];
      if (a > 0.0 && a < 1.0) at.curvature += dz[i] * dz[i] / loss.delta;
    }
    return at;
  }
  [[nodiscard]] double step(double limit) const {
    double base = 0.0;
    std::vector<Kink> kinks;
    for (std::size_t k = 0; k < v.size(); ++k) {
      if (d[k] == 0.0) continue;
      base += v[k] == 0.0 ? tau[k] * std::abs(d[k]) : std::copysign(tau[k], v[k]) * d[k];
      if (const double at = -v[k] / d[k]; at > 0.0) kinks.push_back({at, 2.0 * tau[k] * std::abs(d[k])});
    }
    return exact_step([this](double t) { return smooth(t); }, base, kinks, limit);
  }
  // Convex: thirds are enough.
  [[nodiscard]] double brute_force(double limit) const {
    double low = 0.0;
    double high = limit;
    for (int round = 0; round < 300; ++round) {
      const double left = low + (high - low) / 3.0;
      const double right = high - (high - low) / 3.0;
      (value(left) <= value(right) ? high : low) = value(left) <= value(right) ? right : left;
    }
    return low;
  }
};

Line random_line(std::uint64_t seed) {
  Random random(seed);
  Line line;
  constexpr double kDeltas[] = {1.0, 0.1, 0.01, 3.0};
  line.loss.delta = kDeltas[random.below(4)];
  const std::uint64_t n = random.below(60);
  for (std::uint64_t i = 0; i < n; ++i) {
    line.z.push_back(2.0 * random.normal());
    line.dz.push_back(random.normal() + 0.3);
  }
  const std::uint64_t m = random.below(20);
  for (std::uint64_t k = 0; k < m; ++k) {
    line.v.push_back(random.below(4) == 0 ? 0.0 : random.normal());
    line.d.push_back(random.normal());
    line.tau.push_back(random.below(5) == 0 ? 3.0 : 0.3 * random.uniform() + 0.01);
  }
  line.linear = random.below(2) == 0 ? 0.0 : random.normal();
  line.square = random.below(2) == 0 ? 0.0 : random.uniform();
  return line;
}

TEST(ExactStep, IsTheMinimiserOfRandomLines) {
  int moved = 0;
  int at_kinks = 0;
  constexpr int kLines = test::unless_sanitized(3000, 300);
  for (std::uint64_t seed = 1; seed <= kLines; ++seed) {
    SCOPED_TRACE(seed);
    const Line line = random_line(seed);
    for (const double limit : {10.0, 1.0}) {
      const double t = line.step(limit);
      ASSERT_GE(t, 0.0);
      ASSERT_LE(t, limit);
      const double best = line.value(line.brute_force(limit));
      EXPECT_NEAR(line.value(t), best, 1e-9 * (1.0 + std::abs(best)));
      EXPECT_LE(line.value(t), line.value(0.0) + 1e-14 * std::abs(line.value(0.0)));
      moved += t > 0.0 ? 1 : 0;
      for (std::size_t k = 0; k < line.v.size(); ++k)
        at_kinks += t > 0.0 && -line.v[k] / line.d[k] == t ? 1 : 0;
    }
  }
  EXPECT_GT(moved, kLines / 3);
  EXPECT_GT(at_kinks, kLines / 30);
}

// (1 - t)^2/2 around kinks: the model's own step, with a kink of slope 2 in its way.
Line parabola(double minimiser) {
  Line line;
  line.linear = -minimiser;
  line.square = 1.0;
  return line;
}

TEST(ExactStep, TakesTheWholeStepOfAParabola) {
  EXPECT_EQ(parabola(1.0).step(10.0), 1.0);
}

TEST(ExactStep, GoesBeyondOneAndNotBeyondTheLimit) {
  EXPECT_NEAR(parabola(3.0).step(10.0), 3.0, 1e-12);
  EXPECT_EQ(parabola(3.0).step(2.0), 2.0);
  EXPECT_EQ(parabola(1.0).step(0.25), 0.25);
  Line falling;  // and nothing stops it
  falling.linear = -1.0;
  EXPECT_EQ(falling.step(10.0), 10.0);
}

TEST(ExactStep, FindsAShortStep) {
  for (const double t : {1e-12, 1e-6, 1e-3, 0.5}) EXPECT_NEAR(parabola(t).step(10.0), t, 1e-9 * t);
}

TEST(ExactStep, StopsExactlyAtAKink) {
  for (const double at : {0.25, 0.5, 1.0 / 3.0, 1.0, 1.5}) {
    Line line = parabola(2.0);  // the slope t - 2 jumps by 2 tau at the kink
    line.v = {-at};
    line.d = {1.0};
    line.tau = {2.0};
    line.linear += 2.0;  // what the absolute value takes away before the kink
    EXPECT_EQ(line.step(10.0), at);
    EXPECT_EQ(moved(line.v[0], line.d[0], 123.0, line.step(10.0)), at == 1.0 ? 123.0 : 0.0);
  }
}

TEST(ExactStep, StopsAtTheRightOneOfManyKinks) {
  Line line = parabola(1.0);
  for (int k = 1; k <= 9; ++k) {
    line.v.push_back(-0.1 * k);
    line.d.push_back(1.0);
    line.tau.push_back(0.05);
    line.linear += 0.05;
  }
  // The slope before 0.1 k is t - 1 + 0.1 (k - 1): it passes zero at 0.6, or where it jumps there.
  EXPECT_NEAR(line.value(line.step(10.0)), line.value(line.brute_force(10.0)), 1e-15);
}

TEST(ExactStep, IsNoneWhereTheFunctionDoesNotFall) {
  EXPECT_EQ(parabola(0.0).step(10.0), 0.0);
  EXPECT_EQ(parabola(-1.0).step(10.0), 0.0);
  Line line = parabola(1.0);
  line.v = {0.0};  // the way is blocked at the start
  line.d = {1.0};
  line.tau = {1.0};
  EXPECT_EQ(line.step(10.0), 0.0);
}

TEST(ExactStep, IsNoneWhereTheSlopeIsNotANumber) {
  Line line = parabola(1.0);
  line.linear = std::nan("");
  EXPECT_EQ(line.step(10.0), 0.0);
}

TEST(ExactStep, MovesToZeroExactlyAtAKink) {
  Random random(3);
  for (int round = 0; round < 1000; ++round) {
    const double v = random.normal();
    const double d = random.normal();
    EXPECT_EQ(moved(v, d, 7.0, -v / d), -v / d == 1.0 ? 7.0 : 0.0);
    EXPECT_EQ(moved(v, d, 7.0, 1.0), 7.0);
    EXPECT_EQ(moved(v, 0.0, 7.0, 0.3), v);
    EXPECT_DOUBLE_EQ(moved(v, d, 7.0, 0.25), v + 0.25 * d);
  }
}

}  // namespace
}  // namespace hsvm
