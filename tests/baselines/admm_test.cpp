#include "baselines/admm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "hsvm/core/error.hpp"
#include "tests/baselines/labelled.hpp"
#include "tests/support/problems.hpp"

namespace hsvm::test {
namespace {

using baselines::admm;
using baselines::AdmmOptions;
using baselines::AdmmResult;
using baselines::HingeProblem;

// Penalties that suit tiny problems better than the paper's.
const AdmmOptions kTight{.tolerance = 1e-11, .mu1 = 0.5, .mu2 = 0.5, .max_iterations = 200'000};

struct Case {
  const char* name;
  Index n, p;
  double lambda1, lambda2;
  bool intercept;
};
void PrintTo(const Case& c, std::ostream* stream) {
  *stream << c.name;
}

class Admm : public testing::TestWithParam<Case> {
 protected:
  Admm()
      : data(random_problem({.seed = 11, .n = GetParam().n, .p = GetParam().p})),
        problem{data.x, data.y, GetParam().lambda1, GetParam().lambda2, GetParam().intercept} {}

  ProblemData data;
  HingeProblem problem;
};

INSTANTIATE_TEST_SUITE_P(Cases, Admm,
                         testing::Values(Case{"tall", 20, 6, 0.02, 0.1, true},
                                         Case{"wide", 8, 20, 0.02, 0.1, true},
                                         Case{"tall_without_intercept", 20, 6, 0.02, 0.1, false},
                                         Case{"wide_without_intercept", 8, 20, 0.02, 0.1, false},
                                         Case{"tall_l1", 20, 6, 0.05, 0.0, true},
                                         Case{"wide_l1", 8, 20, 0.05, 0.0, true}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(Admm, ClosesTheDualityGap) {
  const AdmmResult result = admm(problem, kTight);
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_NEAR(result.objective, problem.objective(result.b, result.w), 1e-14);
  EXPECT_GE(result.gap, -1e-12);
  EXPECT_LT(result.gap, 1e-6);
  EXPECT_LT(result.residual, 1e-7);
  EXPECT_TRUE(GetParam().intercept || result.b == 0.0);
}

// No point near the answer is better: the objective is convex, so none anywhere is.
TEST_P(Admm, IsNoWorseThanItsNeighbours) {
  const AdmmResult result = admm(problem, kTight);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::vector<double> w = random_vector(seed, result.w.size() + 1, 0.01);
    const double b = GetParam().intercept ? result.b + w.back() : 0.0;
    w.pop_back();
    for (std::size_t j = 0; j < w.size(); ++j) w[j] += result.w[j];
    EXPECT_GE(problem.objective(b, w), result.objective - 1e-7);
  }
}

TEST_P(Admm, IsTheSameForSparseData) {
  const CscMatrix<double> x = to_csc<double>(data.x);
  const AdmmResult dense = admm(problem, {});
  const AdmmResult sparse =
      admm(HingeProblem{x, data.y, problem.lambda1, problem.lambda2, problem.intercept}, {});
  EXPECT_EQ(sparse.iterations, dense.iterations);
  EXPECT_NEAR(sparse.objective, dense.objective, 1e-9);
}

// The same samples twice, so that the other form of the linear system is used: every mean stays what it was.
TEST_P(Admm, HasTwoFormsOfOneStep) {
  const Index copies = GetParam().p / GetParam().n + 1;
  DenseMatrix<double> x(copies * data.x.rows(), data.x.cols());
  std::vector<double> y;
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) x(i, j) = data.x(i % data.x.rows(), j);
    y.push_back(data.y[static_cast<std::size_t>(i % data.x.rows())]);
  }
  const HingeProblem repeated{x, y, problem.lambda1, problem.lambda2, problem.intercept};
  const AdmmResult once = admm(problem, {});  // mu1 = 100/n follows n, so do the multipliers
  const AdmmResult again = admm(repeated, {});
  EXPECT_EQ(once.iterations, again.iterations);
  EXPECT_NEAR(once.b, again.b, 1e-8);
  for (std::size_t j = 0; j < once.w.size(); ++j) EXPECT_NEAR(once.w[j], again.w[j], 1e-8);
}

// One feature, two points: (x, y) = (1, 1), (-1, -1). By symmetry b = 0 is among the best; P(w) = 1 - w +
// lambda1 w + lambda2/2 w^2 on 0 <= w <= 1, with its minimum at w = min(1, (1 - lambda1)/lambda2).
TEST(AdmmByHand, TwoPoints) {
  const DenseMatrix<double> x = matrix({{1.0}, {-1.0}});
  const std::vector<double> y = {1.0, -1.0};
  const AdmmResult inside = admm(HingeProblem{x, y, 0.25, 1.5}, kTight);
  EXPECT_NEAR(inside.w[0], 0.5, 1e-6);
  EXPECT_NEAR(inside.objective, 1.0 - 0.75 * 0.75 / 3.0, 1e-8);
  const AdmmResult at_kink = admm(HingeProblem{x, y, 0.25, 0.5}, kTight);
  EXPECT_NEAR(at_kink.w[0], 1.0, 1e-6);
  EXPECT_NEAR(at_kink.objective, 0.5, 1e-8);
  const AdmmResult zero = admm(HingeProblem{x, y, 1.5, 0.5}, kTight);
  EXPECT_EQ(zero.w[0], 0.0);
  EXPECT_NEAR(zero.objective, 1.0, 1e-8);
}

// Every 0 <= a <= 1 gives a lower bound, balanced or not.
TEST(Hinge, BoundsItsMinimumFromBelow) {
  const ProblemData data = random_problem({.seed = 2, .n = 15, .p = 5});
  for (const double lambda2 : {0.0, 0.1}) {
    for (const bool intercept : {true, false}) {
      const HingeProblem problem{data.x, data.y, 0.05, lambda2, intercept};
      const double minimum = admm(problem, kTight).objective;
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        std::vector<double> a = random_vector(seed, data.y.size());
        for (double& value : a) value = std::abs(value);  // some beyond 1, to be clipped
        EXPECT_LE(problem.dual_bound(a), minimum + 1e-9);
      }
    }
  }
}

TEST(AdmmLimits, AreKept) {
  const ProblemData data = random_problem({.n = 20, .p = 10});
  const HingeProblem problem{data.x, data.y, 0.01, 0.01};
  EXPECT_EQ(admm(problem, {.max_iterations = 3}).iterations, 3);
  AdmmOptions options{.tolerance = 1e-12};
  options.limits.interrupted = [] { return true; };
  EXPECT_EQ(admm(problem, options).status, Status::interrupted);
  options.limits = {.time_limit = 1e-9};
  EXPECT_EQ(admm(problem, options).status, Status::time_limit);
}

TEST(AdmmOptions, AreChecked) {
  const ProblemData data = random_problem({.n = 20, .p = 10});
  const HingeProblem problem{data.x, data.y, 0.01, 0.01};
  const auto refused = [&](const AdmmOptions& options) {
    return message_of<OptionError>([&] { (void)admm(problem, options); });
  };
  EXPECT_EQ(refused({.tolerance = 0.0}), "admm: tolerance must be greater than 0");
  EXPECT_EQ(refused({.mu1 = -1.0}), "admm: mu1 must be greater than 0");
  EXPECT_EQ(refused({.mu2 = 0.0}), "admm: mu2 must be greater than 0");
  EXPECT_EQ(refused({.max_iterations = 0}), "admm: max_iterations must be at least 1");
  EXPECT_EQ(message_of<InputError>([&] { (void)admm(problem, {.max_order = 9}); }),
            "admm: a dense matrix of order 10 would have to be factored; max_order is 9");
}

}  // namespace
}  // namespace hsvm::test
