// The methods behind one call: those that minimise F agree on it, whatever rule stops them, with two classes and with
// more.

#include "experiments/methods/solve.hpp"

#include <gtest/gtest.h>

#include "datasets/accuracy.hpp"

namespace hsvm::lab {
namespace {

constexpr Method kMinimisersOfF[] = {Method::b_pgh, Method::b_pgh2, Method::newton, Method::gcd};

class BinaryMethods : public testing::Test {
 protected:
  const Dataset data_ = generate(GaussianDesign{.n = 40, .p = 15, .s = 4, .rho = 0.3, .seed = 3});
  [[nodiscard]] double objective(const Solved& solved) const {
    return objective_of(*solved.model, data_, parameters_);
  }
  const Parameters parameters_{.lambda1 = 0.1, .lambda2 = 0.1, .lambda3 = 0.1, .delta = 0.5};
};

TEST_F(BinaryMethods, ReachTheSameMinimum) {
  const double best = optimum(data_, parameters_);
  for (const Method method : kMinimisersOfF) {
    const Solved solved = solve(method, data_, parameters_, {});
    EXPECT_TRUE(solved.converged()) << name_of(method);
    EXPECT_NEAR(objective(solved), best, 2e-6 * best) << name_of(method);
    EXPECT_GE(objective(solved), best * (1.0 - 2e-9)) << name_of(method);
  }
}

TEST_F(BinaryMethods, StopAtATarget) {
  const double best = optimum(data_, parameters_);
  const double loose = 1.05 * best;
  for (const Method method : kMinimisersOfF) {
    const Solved solved = solve(method, data_, parameters_, {.target = loose});
    EXPECT_TRUE(solved.converged()) << name_of(method);
    EXPECT_LE(objective(solved), loose * (1.0 + 1e-12)) << name_of(method);
    const Solved tight = solve(method, data_, parameters_, {.target = best * (1.0 + 1e-6)});
    EXPECT_TRUE(tight.converged()) << name_of(method);
    EXPECT_LE(objective(tight), best * (1.0 + 1.001e-6)) << name_of(method);
  }
  // Far from the minimum is where the paper's algorithm should have stopped.
  const Solved early = solve(Method::b_pgh, data_, parameters_, {.target = loose});
  EXPECT_GT(objective(early), best * (1.0 + 1e-6));
}

TEST_F(BinaryMethods, SayWhenATargetIsNotReached) {
  const double impossible = 0.5 * optimum(data_, parameters_);
  for (const Method method : kMinimisersOfF) {
    const Solved solved =
        solve(method, data_, parameters_, {.limits = {.time_limit = 0.05}, .target = impossible});
    EXPECT_FALSE(solved.converged()) << name_of(method);
  }
}

TEST_F(BinaryMethods, ObjectiveIsThatOfTheFit) {
  FitOptions options{.lambda1 = 0.1, .lambda2 = 0.1, .lambda3 = 0.1, .delta = 0.5, .standardize = false};
  const LinearModel model = fit({data_}, options);
  EXPECT_NEAR(objective_of(model, data_, parameters_), model.report->objective, 1e-12);
  EXPECT_DOUBLE_EQ(largest_lambda1(data_, parameters_), model.report->lambda1_max);
}

TEST_F(BinaryMethods, OthersMinimiseSomethingElse) {
  const double best = optimum(data_, parameters_);
  for (const Method method : {Method::admm, Method::liblinear}) {
    if (!is_available(method)) continue;
    EXPECT_FALSE(is_huberized(method));
    const Solved solved = solve(method, data_, parameters_, {});
    EXPECT_GT(objective(solved), best) << name_of(method);
    EXPECT_GT(datasets::accuracy_of(*solved.model, data_), 60.0) << name_of(method);
  }
}

TEST(MulticlassMethods, SolveTheSameHuberizedModelTwoWays) {
  const Dataset data = generate(FourClassDesign{.n = 40, .p = 20, .s = 8, .seed = 3});
  const Parameters parameters{.lambda1 = 0.05, .lambda2 = 0.5, .lambda3 = 1.0};
  const LinearModel pg = *solve(Method::m_pgh, data, parameters).model;
  const LinearModel newton = *solve(Method::newton, data, parameters).model;
  EXPECT_EQ(pg.report->solver, Solver::pg);
  EXPECT_EQ(pg.report->stopping, Stopping::paper);
  EXPECT_EQ(newton.report->solver, Solver::newton);
  EXPECT_NEAR(pg.report->objective, newton.report->objective, 1e-4);
  EXPECT_EQ(pg.lambda3, 1.0);
}

TEST(Paths, HaveTheModelOfEachLambda1) {
  const Dataset data = generate(GaussianDesign{.n = 40, .p = 15, .s = 4, .seed = 3});
  for (const bool intercept : {true, false}) {
    const std::vector<Parameters> falling = {{.lambda1 = 0.2, .lambda2 = 0.1, .intercept = intercept},
                                             {.lambda1 = 0.1, .lambda2 = 0.1, .intercept = intercept}};
    const std::vector<LinearModel> models = solve_path(data, falling, 1e-9, {});
    ASSERT_EQ(models.size(), falling.size());
    for (std::size_t k = 0; k < models.size(); ++k) {
      EXPECT_EQ(models[k].lambda1, falling[k].lambda1);
      const double best = optimum(data, falling[k]);
      EXPECT_NEAR(objective_of(models[k], data, falling[k]), best, 1e-8 * best);
    }
  }
}

}  // namespace
}  // namespace hsvm::lab
