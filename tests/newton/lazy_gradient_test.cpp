#include "hsvm/loss/margin_loss.hpp"

#include "hsvm/newton/lazy_gradient.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "tests/newton/newton_support.hpp"
#include "tests/support/multiclass.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

constexpr Index kSamples = 220;  // enough for looking ahead
constexpr Index kFeatures = 150;

// What LazyGradient promises at u, against the product with all of X. Returns how much of X it read.
template <class Problem>
double expect_promise(LazyGradient<Problem>& lazy, const Problem& problem, const typename Problem::Point& u,
                      const MarginLoss& loss) {
  double passes = 0.0;
  const typename Problem::Gradient& gradient = lazy.at(u, loss, passes);
  typename Problem::Gradient exact;
  typename Problem::Residuals r;
  problem.residuals(u, loss, r, exact);
  problem.feature_gradient(r, exact);
  EXPECT_EQ(gradient.b, exact.b);
  for (Index j = 0; j < problem.n_features(); ++j) {
    if (problem.strength(gradient, j) < problem.threshold(j)) {
      EXPECT_LT(problem.strength(exact, j), problem.threshold(j)) << "feature " << j;
    } else {
      EXPECT_EQ(problem.strength(gradient, j), problem.strength(exact, j)) << "feature " << j;
    }
  }
  // Whatever of it is an estimate, the bound is that of the whole product: features below their thresholds add
  // nothing to it.
  EXPECT_NEAR(problem.dual_objective(u, loss, gradient), problem.dual_objective(u, loss, exact), 1e-12);
  return passes;
}

test::ProblemData binary_data(bool factors = false) {
  return test::random_problem({.seed = 5,
                               .n = kSamples,
                               .p = kFeatures,
                               .delta = 0.5,
                               .lambda1 = 0.08,
                               .lambda2 = 0.05,
                               .factors = factors,
                               .density = 0.5});
}
test::MulticlassData multiclass_data() {
  return test::random_multiclass_problem(
      {.seed = 5, .n = kSamples, .p = 60, .n_classes = 4, .delta = 0.5, .lambda1 = 0.06, .lambda2 = 0.05});
}

TEST(LazyGradient, KeepsItsPromiseAlongARandomWalk) {
  for (const bool factors : {false, true}) {
    const test::ProblemData data = binary_data(factors);
    test::for_each_storage(data.x, [&]<class X>(const X& design) {
      const BinaryProblem problem(design, data.y, data.s, data.parameters);
      LazyGradient<BinaryProblem> lazy(problem, true);
      Random random(1);
      std::vector<double> w(kFeatures);
      double read = 0.0;
      for (int step = 0; step < 40; ++step) {
        const double size = step % 10 == 9 ? 0.3 : std::pow(10.0, -1.0 - step % 10);
        for (double& value : w) {
          if (random.below(10) == 0) value += size * random.normal();
        }
        read += expect_promise(lazy, problem, problem.point(0.1 * step, w), data.parameters.loss);
      }
      EXPECT_GT(read, 0.0);
    });
  }
}

// With the bounds for data whose residuals are far: by the largest residuals, and with snapshots of near features.
TEST(LazyGradient, KeepsItsPromiseWithFarResiduals) {
  const test::ProblemData data = test::random_problem({.seed = 7,
                                                       .n = kSamples,
                                                       .p = kFeatures,
                                                       .delta = 0.5,
                                                       .lambda1 = 0.08,
                                                       .lambda2 = 0.05,
                                                       .density = 0.2});
  test::for_each_storage(data.x, [&]<class X>(const X& design) {
    const BinaryProblem problem(design, data.y, data.s, data.parameters);
    LazyGradient<BinaryProblem> lazy(problem, true, 0);
    Random random(1);
    std::vector<double> w(kFeatures);
    double read = 0.0;
    for (int step = 0; step < 120; ++step) {
      for (double& value : w) {
        if (random.below(20) == 0) value += 0.01 * random.normal();
      }
      read += expect_promise(lazy, problem, problem.point(0.001 * step, w), data.parameters.loss);
    }
    EXPECT_GT(read, 0.0);
    EXPECT_LT(read, 60.0);  // half a pass a step is all of X
  });
}

TEST(ResidualTail, BoundsTheLargestResiduals) {
  const std::vector<double> r = test::random_vector(1, 20000);
  const std::vector<double> part = test::random_vector(2, 20000);
  const std::vector<std::span<const double>> parts = {part};
  const std::vector<double> factors = {0.5};
  std::vector<double> squares;
  double sum = 0.0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    const double e = r[i] - 0.5 * part[i];
    squares.push_back(e * e);
    sum += e;
  }
  std::sort(squares.rbegin(), squares.rend());
  const ResidualTail tail = residual_tail(r, parts, factors, 1.1, single_process());
  EXPECT_NEAR(tail.sum, sum, 1e-9);
  double largest = 0.0;
  for (std::size_t k = 1; k <= squares.size(); ++k) {
    largest += squares[k - 1];
    ASSERT_GE(tail.norm_of_largest(static_cast<double>(k)), std::sqrt(largest)) << k;
  }
  EXPECT_NEAR(tail.norm(), std::sqrt(largest), 1e-6 * std::sqrt(largest));
  EXPECT_LT(tail.norm_of_largest(20.0),
            0.2 * tail.norm());  // of 20000 normal ones they are a hundredth of the squares
}

TEST(LazyGradient, KeepsItsPromiseAlongARandomWalkOfManyClasses) {
  const test::MulticlassData data = multiclass_data();
  test::for_each_storage(data.x, [&]<class X>(const X& design) {
    using Problem = MulticlassProblem;
    const Problem problem(design, data.y, data.s, data.parameters);
    LazyGradient<Problem> lazy(problem, true);
    test::Rows w(60, std::vector<double>(4));
    const std::vector<double> b(4);
    for (std::uint64_t step = 0; step < 30; ++step) {
      const double size = step % 10 == 9 ? 0.3 : std::pow(10.0, -1.0 - static_cast<double>(step % 10));
      const test::Rows change = test::random_rows(step, 60, 4, size);
      for (std::size_t j = 0; j < 60; ++j) {
        for (std::size_t k = 0; k < 4; ++k) w[j][k] += change[j][k];
      }
      expect_promise(lazy, problem, test::make_point(problem, b, w), data.parameters.loss);
    }
  });
}

// Along a line in tiny steps the last residuals are all but the same: what predicts must not blow up.
TEST(LazyGradient, KeepsItsPromiseInTinyStepsAlongALine) {
  const test::ProblemData data = binary_data();
  const test::DenseProblem problem = data.problem();
  for (const double size : {1e-3, 1e-7, 1e-11, 1e-14}) {
    LazyGradient<test::DenseProblem> lazy(problem, true);
    std::vector<double> w = test::random_vector(1, kFeatures, 0.05);
    const std::vector<double> d = test::random_vector(2, kFeatures);
    for (int step = 0; step < 30; ++step) {
      for (std::size_t j = 0; j < w.size(); ++j) w[j] += size * d[j];
      expect_promise(lazy, problem, problem.point(0.0, w), data.parameters.loss);
    }
  }
}

TEST(LazyGradient, KeepsItsPromiseWhenLambda1AndTheLossChange) {
  const test::ProblemData data = binary_data();
  test::DenseProblem problem = data.problem();
  LazyGradient<test::DenseProblem> lazy(problem, true);
  Random random(4);
  std::vector<double> w(kFeatures);
  for (int step = 0; step < 60; ++step) {
    const double lambda1 = 0.3 * random.uniform() * random.uniform();
    problem.set_lambdas(lambda1, 0.05, 0.05);
    if (step % 3 != 0) {  // else the same point under other thresholds
      for (double& value : w) value += random.below(10) == 0 ? 0.01 * random.normal() : 0.0;
    }
    const MarginLoss loss{step % 4 == 0 ? 1.0 : 0.5};
    expect_promise(lazy, problem, problem.point(0.0, w), loss);
  }
}

TEST(LazyGradient, ReadsLittleWhereLittleChanges) {
  const test::ProblemData data = binary_data();
  const test::DenseProblem problem = data.problem();
  LazyGradient<test::DenseProblem> lazy(problem, true);
  std::vector<double> w(kFeatures);
  expect_promise(lazy, problem, problem.point(0.0, w), data.parameters.loss);
  double read = 0.0;
  for (int step = 0; step < 20; ++step) {
    w[3] += 1e-4;
    read += expect_promise(lazy, problem, problem.point(0.0, w), data.parameters.loss);
  }
  EXPECT_LT(read, 0.5 * 20 * 0.5) << "not even half of the whole products";
  // The same point once more costs nothing.
  EXPECT_EQ(expect_promise(lazy, problem, problem.point(0.0, w), data.parameters.loss), 0.0);
}

TEST(LazyGradient, IsTheWholeProductWithoutLookAhead) {
  const test::ProblemData small = test::random_problem({.seed = 6, .n = 20, .p = 30});
  const test::ProblemData large = binary_data();
  for (const auto* data : {&small, &large}) {
    const test::DenseProblem problem = data->problem();
    LazyGradient<test::DenseProblem> lazy(problem, data == &small);  // too few rows for it
    const auto p = static_cast<std::size_t>(problem.n_features());
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const test::DenseProblem::Point u = problem.point(0.0, test::random_vector(seed, p, 0.1));
      double passes = 0.0;
      const std::vector<double> got = lazy.at(u, data->parameters.loss, passes).w;
      test::DenseProblem::Gradient exact;
      problem.gradient(u, exact);
      EXPECT_EQ(got, exact.w);
      EXPECT_EQ(passes, 0.5);
    }
  }
}

TEST(LazyGradient, IsExactWhereItIsCompleted) {
  const test::ProblemData data = binary_data();
  const test::DenseProblem problem = data.problem();
  LazyGradient<test::DenseProblem> lazy(problem, true);
  std::vector<double> w = test::random_vector(1, kFeatures, 0.05);
  const std::vector<Index> features = {0, 3, 70, kFeatures - 1};
  for (int step = 0; step < 8; ++step) {
    for (double& value : w) value *= 1.0 + 1e-4;
    const auto u = problem.point(0.0, w);
    double passes = 0.0;
    const auto& gradient = lazy.at(u, data.parameters.loss, passes);
    lazy.complete(features, passes);
    test::DenseProblem::Gradient exact;
    problem.gradient(u, exact);
    for (const Index j : features)
      EXPECT_EQ(gradient.w[static_cast<std::size_t>(j)], exact.w[static_cast<std::size_t>(j)]) << j;
  }
}

}  // namespace
}  // namespace hsvm
