#include "baselines/gcd.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "hsvm/api.hpp"
#include "hsvm/core/random.hpp"
#include "hsvm/solve/null_model.hpp"
#include "tests/baselines/labelled.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/reference.hpp"

namespace hsvm::test {
namespace {

using baselines::gcd;
using baselines::gcd_path;
using baselines::GcdOptions;
using baselines::GcdResult;
using baselines::Majorisation;
using testing::HasSubstr;

constexpr double kTightSteps = 1e-20;  // of squared steps

class OnSolvedProblems : public testing::TestWithParam<SolvedProblem> {};

TEST_P(OnSolvedProblems, FindsTheAnswer) {
  const SolvedProblem& data = GetParam();
  const GcdResult result = gcd(data.problem(), {.tolerance = kTightSteps});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_NEAR(result.objective, data.objective, 1e-9);
  EXPECT_NEAR(result.b, data.b, 1e-7);
  ASSERT_EQ(result.w.size(), data.w.size());
  for (std::size_t j = 0; j < data.w.size(); ++j) EXPECT_NEAR(result.w[j], data.w[j], 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Gcd, OnSolvedProblems, testing::ValuesIn(solved_problems()));

class OnRandomProblems : public testing::TestWithParam<ProblemData> {};

TEST_P(OnRandomProblems, MeetsTheOptimalityConditions) {
  const ProblemData& data = GetParam();
  for (const Majorisation majorisation : {Majorisation::tight, Majorisation::published}) {
    for (const bool strong_rule : {true, false}) {
      const GcdResult result = gcd(
          data.problem(), {.tolerance = kTightSteps, .majorisation = majorisation, .strong_rule = strong_rule});
      EXPECT_EQ(result.status, Status::converged);
      EXPECT_LT(reference_violation(data, result.b, result.w), 1e-7);
      EXPECT_NEAR(result.objective, reference_objective(data, result.b, result.w), 1e-12);
      EXPECT_GE(result.gap, -1e-12);
      EXPECT_LT(result.gap, 1e-6);
    }
  }
}

TEST_P(OnRandomProblems, IsTheSameForSparseData) {
  const ProblemData& data = GetParam();
  const CscMatrix<double> x = to_csc<double>(data.x);
  const GcdResult dense = gcd(data.problem(), {.tolerance = kTightSteps});
  const GcdResult sparse = gcd(BinaryProblem(x, data.y, data.s, data.parameters), {.tolerance = kTightSteps});
  EXPECT_NEAR(sparse.objective, dense.objective, 1e-10);
  EXPECT_LT(reference_violation(data, sparse.b, sparse.w), 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Gcd, OnRandomProblems, testing::ValuesIn(random_problems()));

// phi(t + d) <= phi(t) + phi'(t) d + M/2 d^2 for M = 1/delta, and for no smaller M.
TEST(Gcd, MajorisesWithTheSmallestConstant) {
  for (const double delta : {1.0, 0.1}) {
    const MarginLoss loss = huberized_hinge(delta);
    const double M = loss.curvature();
    double closest = 1.0;
    for (double t = -1.0; t < 2.0; t += 0.0625) {
      for (double d = -1.0; d <= 1.0; d += 0.0625) {
        const double divergence = loss.divergence(t + d, t);
        EXPECT_LE(divergence, 0.5 * M * d * d + 1e-15);
        if (d != 0.0) closest = std::min(closest, 1.0 - divergence / (0.5 * M * d * d));
      }
    }
    EXPECT_LT(closest, 1e-12);
  }
}

struct Instance {
  GaussianDesign design;
  double delta;
  bool sparse;
};

// All but a fifth of the entries set to zero.
CscMatrix<double> thinned(DenseMatrix<double> x) {
  Random random(5);
  for (Index j = 0; j < x.cols(); ++j) {
    for (Index i = 0; i < x.rows(); ++i) {
      if (random.uniform() >= 0.2) x(i, j) = 0.0;
    }
  }
  return to_csc<double>(x);
}

void expect_agreement(const Dataset& data, double delta) {
  const LinearModel model =
      fit({.data = data},
          {.lambda1_ratio = 0.1, .lambda3 = 0.01, .delta = delta, .standardize = false, .tolerance = 1e-10});
  std::vector<double> y;
  for (const Index k : data.labels->of_sample) y.push_back(k == 1 ? 1.0 : -1.0);
  const std::vector<double> s(y.size(), 1.0);
  BinaryParameters parameters;
  parameters.loss.delta = delta;
  parameters.penalty.lambda1 = model.lambda1;
  parameters.penalty.lambda2 = model.lambda2;
  parameters.lambda3 = model.lambda3;
  const GcdResult result = gcd(BinaryProblem(data.design, y, s, parameters), {.tolerance = 1e-13});
  EXPECT_NEAR(result.objective, model.report->objective, 1e-6 * model.report->objective);
  EXPECT_GE(result.objective, model.report->dual_objective - 1e-12);
}

TEST(Gcd, ReachesTheCertifiedOptimum) {
  for (const Instance& instance :
       {Instance{{.n = 30, .p = 80, .s = 6}, 1.0, false}, Instance{{.n = 30, .p = 80, .s = 6}, 0.1, true},
        Instance{{.n = 90, .p = 20, .s = 5, .rho = 0.5}, 0.1, false},
        Instance{{.n = 90, .p = 20, .s = 5}, 0.01, true}, Instance{{.n = 20, .p = 50, .s = 4}, 0.01, false}}) {
    Dataset data = generate(instance.design);
    if (instance.sparse) data.design = thinned(*data.design.get_if<DenseMatrix<double>>());
    expect_agreement(data, instance.delta);
  }
}

double top_lambda1(const ProblemData& data) {
  return lambda1_max_at(data.problem(), null_point(data.problem()));
}

TEST(Gcd, FollowsAPathToTheSameAnswers) {
  const ProblemData data = random_problem({.seed = 3, .n = 20, .p = 15});
  const double top = top_lambda1(data);
  const std::vector<double> lambda1s = {1.01 * top, 0.6 * top, 0.3 * top, 0.1 * top};
  const std::vector<GcdResult> path = gcd_path(data.problem(), lambda1s, {.tolerance = kTightSteps});
  ASSERT_EQ(path.size(), lambda1s.size());
  EXPECT_THAT(path.front().w, testing::Each(0.0));
  for (std::size_t k = 0; k < path.size(); ++k) {
    ProblemData one = data;
    one.parameters.penalty.lambda1 = lambda1s[k];
    EXPECT_LT(reference_violation(one, path[k].b, path[k].w), 1e-7);
    EXPECT_NEAR(path[k].objective, gcd(one.problem(), {.tolerance = kTightSteps}).objective, 1e-10);
  }
}

TEST(Gcd, StopsAtAnObjective) {
  const ProblemData data = random_problem({.n = 40, .p = 30, .delta = 0.1});
  const double best = gcd(data.problem(), {.tolerance = kTightSteps}).objective;
  const double target = 1.01 * best;
  const GcdResult result = gcd(data.problem(), {.tolerance = kTightSteps, .target_objective = target});
  EXPECT_TRUE(result.reached_target);
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LE(result.objective, target * (1.0 + 1e-12));
  EXPECT_GT(result.objective, best * (1.0 + 1e-6));
}

TEST(Gcd, CountsTheColumnsItReads) {
  const ProblemData data = random_problem({.seed = 5, .n = 20, .p = 12});
  const double top = top_lambda1(data);
  ProblemData empty = data;
  empty.parameters.penalty.lambda1 = 2.0 * top;
  const GcdResult none = gcd(empty.problem(), {.tolerance = kTightSteps, .strong_rule = false});
  EXPECT_EQ(none.columns % 12, 0) << "every column of a full cycle once, and none moves";
  EXPECT_GE(none.columns, 12);
  EXPECT_LE(none.columns, 12 * none.cycles);
  const GcdResult some = gcd(data.problem(), {.tolerance = kTightSteps, .max_cycles = 1, .strong_rule = false});
  EXPECT_GE(some.columns, 12 + std::ranges::count_if(some.w, [](double w) { return w != 0.0; }))
      << "those that move are read twice";
  EXPECT_LE(some.columns, 24);
}

TEST(Gcd, StopsAtLimits) {
  const ProblemData data = random_problem({.n = 40, .p = 30, .delta = 0.01});
  const GcdResult limited = gcd(data.problem(), {.tolerance = kTightSteps, .max_cycles = 2});
  EXPECT_EQ(limited.status, Status::iteration_limit);
  EXPECT_EQ(limited.cycles, 2);
  EXPECT_GT(limited.gap, 0.0);
  int asked = 0;
  GcdOptions options{.tolerance = kTightSteps};
  options.limits.interrupted = [&] { return ++asked == 3; };
  EXPECT_EQ(gcd(data.problem(), options).status, Status::interrupted);
  options.limits = {.time_limit = 1e-9};
  EXPECT_EQ(gcd(data.problem(), options).status, Status::time_limit);
}

TEST(Gcd, LeavesAnEmptyColumnAtZero) {
  ProblemData data = random_problem({.lambda2 = 0.0});
  for (Index i = 0; i < data.x.rows(); ++i) data.x(i, 2) = 0.0;
  const GcdResult result = gcd(data.problem(), {.tolerance = kTightSteps});
  EXPECT_EQ(result.w[2], 0.0);
  EXPECT_TRUE(std::isfinite(result.objective));
}

TEST(Gcd, RefusesBadOptions) {
  const ProblemData data = random_problem({});
  EXPECT_EQ(message_of<OptionError>([&] { (void)gcd(data.problem(), {.tolerance = 0.0}); }),
            "gcd: tolerance must be greater than 0");
  EXPECT_EQ(message_of<OptionError>([&] { (void)gcd(data.problem(), {.max_cycles = 0}); }),
            "gcd: max_cycles must be at least 1");
  EXPECT_EQ(message_of<OptionError>([&] {
              (void)gcd_path(data.problem(), std::vector{0.1, 0.2});
            }),
            "gcd: the lambda1s of a path must be descending");
}

}  // namespace
}  // namespace hsvm::test
