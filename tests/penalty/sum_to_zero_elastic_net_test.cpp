#include "hsvm/penalty/sum_to_zero_elastic_net.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "hsvm/core/random.hpp"
#include "tests/support/multiclass.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

TEST(SumToZeroElasticNet, ValueByHand) {
  const std::vector<double> w = {1.0, -3.0, 2.0};
  EXPECT_DOUBLE_EQ((SumToZeroElasticNet{0.5, 0.0, {}}.value(0, w)), 3.0);
  EXPECT_DOUBLE_EQ((SumToZeroElasticNet{0.0, 0.5, {}}.value(0, w)), 3.5);
  EXPECT_DOUBLE_EQ((SumToZeroElasticNet{0.5, 0.5, {1.0, 4.0}}.value(1, w)), 12.0 + 3.5);
  EXPECT_EQ((SumToZeroElasticNet{0.5, 0.5, {1.0, 0.0}}.threshold(1)), 0.0);
}

TEST(SumToZeroElasticNet, Lambda1MaxIsTheLargestHalfRangeOverItsFactor) {
  const std::vector<double> ranges = {0.5, 3.0, 2.0};
  EXPECT_EQ(SumToZeroElasticNet{}.lambda1_max(ranges), 3.0);
  EXPECT_EQ((SumToZeroElasticNet{0.0, 0.0, {1.0, 6.0, 1.0}}.lambda1_max(ranges)), 2.0);
  EXPECT_EQ((SumToZeroElasticNet{0.0, 0.0, {0.1, 6.0, 0.0}}.lambda1_max(ranges)), 5.0);
  EXPECT_EQ((SumToZeroElasticNet{0.0, 0.0, {0.0, 0.0, 0.0}}.lambda1_max(ranges)), 0.0);
}

TEST(SumToZeroElasticNet, ProximalStepBeatsItsNeighboursThatSumToZero) {
  Random random(21);
  int nonzero = 0;
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    const std::size_t J = 2 + random.below(6);
    const SumToZeroElasticNet penalty{0.6 * random.uniform(), trial % 3 == 0 ? 0.0 : random.uniform(),
                                      trial % 2 == 0
                                          ? std::vector<double>{}
                                          : std::vector<double>{9.0, 0.5 * static_cast<double>(trial % 5)}};
    const double L = std::vector{0.1, 1.0, 20.0}[random.below(3)];
    const std::vector<double> at =
        trial % 4 == 0 ? std::vector<double>(J, 0.0) : test::random_intercepts(trial, J, 0.3);
    const std::vector<double> gradient = test::random_vector(trial + 1000, J, 0.5);
    std::vector<double> w(J);
    RowSolver solver(static_cast<Index>(J));
    const bool held = penalty.proximal_step(1, at, gradient, L, solver, w);
    nonzero += held ? 1 : 0;
    EXPECT_EQ(held, w != std::vector<double>(J, 0.0));
    EXPECT_NEAR(std::accumulate(w.begin(), w.end(), 0.0), 0.0, 1e-14);
    const auto model = [&](const std::vector<double>& u) {
      double total = 0.0;
      for (std::size_t k = 0; k < J; ++k) {
        total += gradient[k] * u[k] + 0.5 * L * (u[k] - at[k]) * (u[k] - at[k]) +
                 0.5 * penalty.lambda2 * u[k] * u[k] + penalty.threshold(1) * std::abs(u[k]);
      }
      return total;
    };
    const double best = model(w);
    for (std::uint64_t other = 0; other < 30; ++other) {
      const std::vector<double> step =
          test::random_intercepts(other, J, std::pow(10.0, -static_cast<double>(other % 5)));
      std::vector<double> u = w;
      for (std::size_t k = 0; k < J; ++k) u[k] += step[k];
      ASSERT_GE(model(u), best - 1e-13 * (1.0 + std::abs(best))) << trial;
    }
    // A row at zero leaves it exactly when its half-range is above the threshold.
    if (trial % 4 == 0) {
      EXPECT_EQ(held, half_range(gradient) > penalty.threshold(1));
    }
  }
  EXPECT_GT(nonzero, 100);
  EXPECT_LT(nonzero, 390);
}

// h(k c) and its derivative in k.
struct Conjugate {
  double value, slope;
};
Conjugate conjugate_of(const SumToZeroElasticNet& penalty, const std::vector<double>& c, double k) {
  RowSolver solver(static_cast<Index>(c.size()));
  std::vector<double> room(c.size());
  const auto excess = penalty.excess(0, c, k, 0.0, solver, room);
  return {excess.square / (2.0 * penalty.lambda2), excess.slope / penalty.lambda2};
}

TEST(SumToZeroElasticNet, ConjugateIsItsLagrangianDual) {
  Random random(22);
  int inside = 0;
  for (std::uint64_t trial = 0; trial < 1000; ++trial) {
    const std::size_t J = 2 + random.below(12);
    const SumToZeroElasticNet penalty{random.uniform(), std::pow(10.0, 4.0 * random.uniform() - 3.0), {}};
    const std::vector<double> c = test::random_vector(trial, J);
    const double k = random.uniform();
    std::vector<double> scaled = c;
    for (double& value : scaled) value *= k;
    const Conjugate conjugate = conjugate_of(penalty, c, k);
    const double expected = test::reference_row_conjugate(scaled, penalty.lambda1, penalty.lambda2);
    ASSERT_NEAR(conjugate.value, expected, 1e-11 * (1.0 + expected)) << trial;
    if (half_range(scaled) <= penalty.lambda1) {
      EXPECT_EQ(conjugate.value, 0.0);
      EXPECT_EQ(conjugate.slope, 0.0);
      ++inside;
    }
    // The slope in k, by a difference; the value is convex with curvature at most |c|^2/lambda2.
    const double h = 1e-6;
    const Conjugate up = conjugate_of(penalty, c, k + h);
    const Conjugate down = conjugate_of(penalty, c, k - h);
    double square = 0.0;
    for (const double value : c) square += value * value;
    ASSERT_NEAR(conjugate.slope, (up.value - down.value) / (2.0 * h),
                (h * square / penalty.lambda2) + 1e-9 * (1.0 + expected))
        << trial;
  }
  EXPECT_GT(inside, 50);
  EXPECT_LT(inside, 950);
}

// h(c) = max of c'w - ...: no w that sums to zero gets above it.
TEST(SumToZeroElasticNet, ConjugateIsAboveEveryPoint) {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const SumToZeroElasticNet penalty{0.2, 0.5, {0.7}};
    const std::vector<double> c = test::random_vector(trial, 5);
    const double value = conjugate_of(penalty, c, 1.0).value;
    for (std::uint64_t other = 0; other < 50; ++other) {
      const std::vector<double> w = test::random_intercepts(trial * 50 + other, 5, 1.0);
      double below = -penalty.value(0, w);
      for (std::size_t k = 0; k < 5; ++k) below += c[k] * w[k];
      ASSERT_LE(below, value + 1e-13);
    }
  }
}

// With an error allowed for, the excess is at least that of every row within it.
TEST(SumToZeroElasticNet, ExcessCoversItsError) {
  Random random(23);
  for (std::uint64_t trial = 0; trial < 500; ++trial) {
    const std::size_t J = 2 + random.below(5);
    const SumToZeroElasticNet penalty{random.uniform(), 1.0, {}};
    const double error = std::pow(10.0, -4.0 * random.uniform());
    const double k = random.uniform();
    const std::vector<double> c = test::random_vector(trial, J, 0.7);
    RowSolver solver(static_cast<Index>(J));
    std::vector<double> room(J);
    const auto covering = penalty.excess(0, c, k, error, solver, room);
    for (int other = 0; other < 20; ++other) {
      std::vector<double> near = c;
      for (double& value : near) value += error * (2.0 * random.uniform() - 1.0);
      ASSERT_LE(penalty.excess(0, near, k, 0.0, solver, room).square, covering.square + 1e-15) << trial;
    }
  }
}

// c known up to its last digits, lambda2 far below their square: nothing but a feasible point gives a bound.
TEST(SumToZeroElasticNet, ExcessHasNothingToCancel) {
  const SumToZeroElasticNet penalty{0.1, 1e-34, {}};
  RowSolver solver(3);
  std::vector<double> room(3);
  const std::vector<double> inside = {0.1, -0.1, 0.05};
  EXPECT_EQ(penalty.excess(0, inside, 1.0, 0.0, solver, room).square, 0.0);
  const std::vector<double> beyond = {0.1 + 1e-15, -0.1, 0.05};
  const auto excess = penalty.excess(0, beyond, 1.0, 0.0, solver, room);
  EXPECT_GT(excess.square, 0.0);  // h(c) > 0: about 2500 once it is divided
  EXPECT_LT(excess.square, 1e-29);
  EXPECT_GE(excess.slope, 0.0);
}

}  // namespace
}  // namespace hsvm
