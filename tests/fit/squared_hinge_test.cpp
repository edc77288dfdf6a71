// The squared hinge through the whole library: a hand-solved problem, agreement of the solvers, certificates, paths and
// cross-validation, both problems.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hsvm/api.hpp"
#include "hsvm/newton/newton.hpp"
#include "hsvm/solve/two_stage.hpp"
#include "tests/support/multiclass.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

// Two samples that contradict each other, x = 1 with y = +1 and weight 3/2, x = 1 with y = -1 and weight 1/2; no intercept,
// lambda1 = lambda2 = 1/4. For |w| < 1 both have a loss:
//   [-(3/2)(1-w) + (1/2)(1+w)]/2 + lambda1 + lambda2 w = 0
// Solution: w = 1/5, objective [(3/2)(16/25)/2 + (1/2)(36/25)/2]/2 + 1/20 + 1/200 = 19/40. (The huberized hinge with
// delta = 1 is linear for the second sample and has w = 1/4.)
TEST(SquaredHinge, SolvesByHand) {
  Dataset data;
  data.source = "by hand";
  data.design = test::matrix({{1}, {1}});
  data.labels = Labels{{true, {"-1", "1"}}, {1, 0}};
  const std::vector<double> weights = {1.5, 0.5};
  for (const Solver solver : {Solver::newton, Solver::pg, Solver::pg2}) {
    FitOptions options;
    options.loss = Loss::squared_hinge;
    options.solver = solver;
    options.lambda1 = 0.25;
    options.lambda2 = 0.25;
    options.no_intercept = true;
    options.standardize = false;
    options.tolerance = 1e-13;
    const LinearModel model = fit({.data = data, .sample_weights = weights}, options);
    ASSERT_EQ(model.coefficients.size(), 1U);
    EXPECT_NEAR(model.coefficients[0], 0.2, 1e-7);
    EXPECT_NEAR(model.report->objective, 19.0 / 40.0, 1e-13);
    EXPECT_NEAR(model.report->dual_objective, 19.0 / 40.0, 1e-12);
  }
}

template <class Problem>
void expect_agreement(const Problem& problem) {
  constexpr double kTolerance = 1e-9;
  const auto by_newton = newton(problem, problem.zero(), {.tolerance = kTolerance}).report;
  const auto by_pg = proximal_gradient(problem, problem.zero(), {.tolerance = kTolerance}).report;
  const auto by_pg2 = two_stage(problem, problem.zero(), {.tolerance = kTolerance}).report;
  for (const SolveReport* const report : {&by_newton, &by_pg, &by_pg2}) {
    EXPECT_EQ(report->status, Status::converged);
    EXPECT_LE(report->relative_gap(), kTolerance);
    for (const SolveReport* const other : {&by_newton, &by_pg, &by_pg2})
      EXPECT_LE(report->dual_objective, other->objective * (1.0 + 1e-12));
  }
}

TEST(SquaredHinge, SolversAgreeWithinTheirCertificates) {
  for (test::ProblemData data : test::random_problems()) {
    SCOPED_TRACE(data.name);
    data.parameters.loss = squared_hinge();
    expect_agreement(data.problem());
  }
  for (test::MulticlassData data : test::random_multiclass_problems()) {
    SCOPED_TRACE(data.name);
    data.parameters.loss = squared_hinge();
    expect_agreement(data.problem());
  }
}

Dataset two_classes() {
  return generate(GaussianDesign{.n = 60, .p = 80, .s = 6, .rho = 0.3, .seed = 4});
}

// The all-together model of two classes at (lambda1, lambda2, lambda3) is the binary one at twice that.
TEST(SquaredHinge, OfTwoClassesTogetherIsTheBinaryOne) {
  const Dataset data = two_classes();
  FitOptions options;
  options.loss = Loss::squared_hinge;
  options.tolerance = 1e-11;
  options.lambda1 = 0.1;
  options.lambda2 = 0.02;
  const LinearModel binary = fit({.data = data}, options);
  options.multiclass = true;
  options.lambda1 = 0.05;
  options.lambda2 = 0.01;
  const LinearModel together = fit({.data = data}, options);
  EXPECT_NEAR(together.report->objective, binary.report->objective, 1e-10);
  EXPECT_EQ(together.features, binary.features);
}

TEST(SquaredHinge, PathsAndCrossValidationAreCertified) {
  for (const Dataset& data :
       {two_classes(), generate(FourClassDesign{.n = 100, .p = 40, .s = 10, .rho = 0.1})}) {
    FitOptions options;
    options.loss = Loss::squared_hinge;
    const PathModel path = fit_path({.data = data}, options, {.nlambda = 15, .full_path = true});
    ASSERT_EQ(path.points.size(), 15U);
    EXPECT_TRUE(path.points.front().features.empty());
    EXPECT_FALSE(path.points.back().features.empty());
    for (const PathPoint& point : path.points) EXPECT_LE(point.report->relative_gap, 1e-6);
    TuneOptions folds;
    folds.folds = 3;
    const TunedModel tuned = tune({.data = data}, options, {.nlambda = 15}, folds);
    const double chance = 1.0 / static_cast<double>(data.labels->classes.size());
    EXPECT_GE(tuned.tuning.grid[tuned.tuning.best].score(Score::accuracy)->mean, 1.4 * chance);
    EXPECT_LE(tuned.best.report->relative_gap, 1e-6);
  }
}

}  // namespace
}  // namespace hsvm
