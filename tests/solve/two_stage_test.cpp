#include "hsvm/solve/two_stage.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "hsvm/core/parallel.hpp"
#include "hsvm/problem/binary_problem.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/reference.hpp"

namespace hsvm {
namespace {

using test::DenseProblem;
using test::ProblemData;

TEST(TwoStage, SolvesTheSolvedProblems) {
  for (test::SolvedProblem solved : test::solved_problems()) {
    for (const bool by_gradient : {false, true}) {
      SCOPED_TRACE(solved.name);
      solved.parameters.intercept_by_gradient = by_gradient;
      const DenseProblem problem = solved.problem();
      const auto [point, report] = two_stage(problem, problem.zero(), {.tolerance = 1e-13});
      EXPECT_EQ(report.status, Status::converged);
      EXPECT_NEAR(report.objective, solved.objective, 1e-12);
      EXPECT_LE(report.dual_objective, solved.objective + 1e-15);
      EXPECT_NEAR(point.b, solved.b, 2e-6);
      for (Index j = 0; j < problem.n_features(); ++j)
        EXPECT_NEAR(point.w[j], solved.w[static_cast<std::size_t>(j)], 2e-6);
    }
  }
}

TEST(TwoStage, AgreesWithProximalGradient) {
  for (const ProblemData& data : test::random_problems()) {
    SCOPED_TRACE(data.name);
    const DenseProblem problem = data.problem();
    const auto one = proximal_gradient(problem, problem.zero(), {.tolerance = 1e-10});
    const auto two = two_stage(problem, problem.zero(), {.tolerance = 1e-10});
    EXPECT_EQ(two.report.status, Status::converged);
    EXPECT_LE(two.report.gap(), 1e-10 * two.report.objective_at_zero);
    EXPECT_NEAR(two.report.objective, test::reference_objective(data, two.point), 1e-13);
    EXPECT_LE(two.report.dual_objective, one.report.objective + 1e-14);
    EXPECT_LE(one.report.dual_objective, two.report.objective + 1e-14);
    if (data.parameters.penalty.lambda2 > 0.0) {
      for (Index j = 0; j < problem.n_features(); ++j) EXPECT_NEAR(two.point.w[j], one.point.w[j], 1e-4);
    }
    const DenseProblem::Point fresh = problem.point(two.point.b, two.point.w);
    for (std::size_t i = 0; i < fresh.scores.size(); ++i)
      EXPECT_NEAR(two.point.scores[i], fresh.scores[i], 1e-12);
  }
}

// No intercept, delta = 1. Half of the samples are x = (1, -1, +-M), half x = (0, 1, +-M), all of them y = +1.
//   At w = 0 every a = 1, so c_2 = 0; once w_1 has taken care of the first half, c_2 = (1 - (1 - w_1))/2 =
//   w_1/2. The third feature never matters, but makes L_f so large that stage 1 moves by 1e-4 a step and stops
//   before w_1 gets anywhere: it detects the first feature alone.
// Over both features, with margins w_1 - w_2 and w_2 in the elbow: -(1-w_1+w_2)/2 + lambda1 + lambda2 w_1 = 0
// and
//   (1-w_1+w_2)/2 - (1-w_2)/2 + lambda1 + lambda2 w_2 = 0, for lambda1 = lambda2 = 1/10:  w = (39/41, 14/41).
ProblemData misleading_problem() {
  constexpr double kLarge = 100.0;
  ProblemData data;
  data.name = "misleading";
  data.x = test::matrix({{1, -1, kLarge}, {1, -1, -kLarge}, {0, 1, kLarge}, {0, 1, -kLarge}});
  data.y = data.s = {1, 1, 1, 1};
  data.parameters = {.loss = {1.0}, .penalty = {0.1, 0.1, {}}, .lambda3 = 0.0, .intercept = false};
  return data;
}

TEST(TwoStage, TakesInWhatTheFirstStageLeftOut) {
  const ProblemData data = misleading_problem();
  const DenseProblem problem = data.problem();
  {
    DenseProblem::Point u = problem.zero();
    SolveReport report;
    EXPECT_EQ(detail::detect_support(problem, u, {}, {}, Stopwatch(), report), std::vector<Index>{0});
    EXPECT_LT(report.iterations, 20);
  }
  for (const Stopping stopping : {Stopping::gap, Stopping::paper}) {
    const double tolerance = stopping == Stopping::gap ? 1e-12 : 1e-9;
    const auto [point, report] =
        two_stage(problem, problem.zero(), {.tolerance = tolerance, .stopping = stopping});
    EXPECT_EQ(report.status, Status::converged);
    EXPECT_EQ(problem.support(point), (std::vector<Index>{0, 1}));
    EXPECT_NEAR(point.w[0], 39.0 / 41.0, 1e-5);
    EXPECT_NEAR(point.w[1], 14.0 / 41.0, 1e-5);
    EXPECT_LE(test::reference_violation(data, point), 1e-5);
    if (stopping == Stopping::gap) {
      EXPECT_LE(report.gap(), tolerance * report.objective_at_zero);
    }
  }
}

TEST(TwoStage, StartsFromAnyPoint) {
  const ProblemData data = misleading_problem();
  const DenseProblem problem = data.problem();
  const auto solution = two_stage(problem, problem.point(0.0, {-1.0, 3.0, 0.5}), {.tolerance = 1e-12});
  EXPECT_EQ(solution.report.status, Status::converged);
  EXPECT_NEAR(solution.point.w[0], 39.0 / 41.0, 1e-5);
}

TEST(TwoStage, EndsAtZeroFromLambda1Max) {
  test::SolvedProblem solved = test::two_point_problem();
  solved.parameters.penalty.lambda1 = 1.0;
  const DenseProblem problem = solved.problem();
  const auto solution = two_stage(problem, problem.zero(), {});
  EXPECT_EQ(solution.report.status, Status::converged);
  EXPECT_EQ(solution.point.w[0], 0.0);
}

TEST(TwoStage, TheSameBitsForAnyNumberOfThreads) {
  const ProblemData data = test::random_problem({.seed = 4, .n = 30, .p = 300, .lambda1 = 0.1});
  const DenseProblem problem = data.problem();
  std::vector<Solution<DenseProblem::Point>> solutions;
  for (const int threads : {1, 2, 4}) {
    with_threads(threads, [&] { solutions.push_back(two_stage(problem, problem.zero(), {})); });
  }
  for (const auto& solution : solutions) {
    EXPECT_EQ(solution.point.w, solutions[0].point.w);
    EXPECT_EQ(solution.report.iterations, solutions[0].report.iterations);
  }
}

TEST(TwoStage, CountsAPassOverFewColumnsAsFew) {
  const ProblemData data = test::random_problem({.seed = 4, .n = 30, .p = 300, .lambda1 = 0.2});
  const DenseProblem problem = data.problem();
  const auto solution = two_stage(problem, problem.zero(), {.tolerance = 1e-10});
  ASSERT_EQ(solution.report.status, Status::converged);
  ASSERT_LT(problem.count_nonzeros(solution.point), 60);
  EXPECT_LT(solution.report.passes, solution.report.iterations);
}

TEST(TwoStageStatus, IterationLimit) {
  const ProblemData data = misleading_problem();
  const DenseProblem problem = data.problem();
  for (const int limit : {1, 2, 5, 12, 20}) {
    const auto solution = two_stage(problem, problem.zero(), {.max_iterations = limit, .tolerance = 1e-13});
    EXPECT_EQ(solution.report.status, Status::iteration_limit) << limit;
    EXPECT_LE(solution.report.iterations, limit);
    EXPECT_NEAR(solution.report.objective, problem.objective(solution.point), 1e-15);
  }
}

// Nothing below rounding can be certified; the rounds of tightening must end at the limit, not go on for ever.
TEST(TwoStageStatus, IterationLimitWhereNoGapIsSmallEnough) {
  for (const ProblemData& data : test::random_problems()) {
    const DenseProblem problem = data.problem();
    const auto solution = two_stage(problem, problem.zero(), {.max_iterations = 3000, .tolerance = 1e-300});
    EXPECT_LE(solution.report.iterations, 3000) << data.name;
    EXPECT_LE(solution.report.gap(), 1e-3) << data.name;
  }
}

TEST(TwoStage, TakesAProblemWithoutFeatures) {
  test::SolvedProblem solved = test::intercept_only_problem();
  solved.x = DenseMatrix<double>(3, 0);
  const DenseProblem problem = solved.problem();
  for (const bool two : {false, true}) {
    const auto solution =
        two ? two_stage(problem, problem.zero(), {}) : proximal_gradient(problem, problem.zero(), {});
    EXPECT_EQ(solution.report.status, Status::converged);
    EXPECT_NEAR(solution.point.b, 1.0 / 3.0, 1e-3);
    EXPECT_TRUE(std::isfinite(solution.report.passes));
  }
}

TEST(TwoStageStatus, TimeLimit) {
  const ProblemData data = misleading_problem();
  const DenseProblem problem = data.problem();
  const auto solution = two_stage(problem, problem.zero(), {.tolerance = 1e-13, .time_limit = 1e-12});
  EXPECT_EQ(solution.report.status, Status::time_limit);
  EXPECT_NEAR(solution.report.objective, problem.objective(solution.point), 1e-15);
}

TEST(TwoStageStatus, Interrupted) {
  const ProblemData data = misleading_problem();
  const DenseProblem problem = data.problem();
  for (const int when : {1, 3, 15}) {
    int asked = 0;
    const SolveMonitor monitor{.interrupted = [&] { return ++asked >= when; }, .progress = {}};
    const auto solution = two_stage(problem, problem.zero(), {.tolerance = 1e-13}, monitor);
    EXPECT_EQ(solution.report.status, Status::interrupted) << when;
    EXPECT_LE(solution.report.dual_objective, solution.report.objective);
  }
}

TEST(TwoStageStatus, NotFinite) {
  ProblemData data = misleading_problem();
  data.x(0, 0) = 1e200;  // its square overflows
  const DenseProblem problem = data.problem();
  const auto solution = two_stage(problem, problem.zero(), {});
  EXPECT_EQ(solution.report.status, Status::not_finite);
  EXPECT_EQ(solution.report.iterations, 0);
  EXPECT_EQ(solution.report.objective, problem.objective(problem.zero()));
}

}  // namespace
}  // namespace hsvm
