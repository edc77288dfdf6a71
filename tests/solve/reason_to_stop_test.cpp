#include "hsvm/solve/reason_to_stop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hsvm/newton/newton.hpp"
#include "hsvm/solve/two_stage.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

using testing::HasSubstr;

TEST(ReasonAtLimit, IsTheFirstLimitThatWasReached) {
  const SolveMonitor calm;
  const SolveMonitor impatient{.interrupted = [] { return true; }, .progress = {}};
  EXPECT_FALSE(reason_at_limit(4, 5, 0.5, 1.0, calm).has_value());
  EXPECT_EQ(reason_at_limit(5, 5, 2.0, 1.0, impatient)->status, Status::iteration_limit);
  EXPECT_EQ(reason_at_limit(4, 5, 2.0, 1.0, impatient)->status, Status::time_limit);
  EXPECT_EQ(reason_at_limit(4, 5, 0.5, 1.0, impatient)->status, Status::interrupted);
}

TEST(Reasons, HaveTheirNumbersInThem) {
  SolveReport report;
  report.objective = 1.0;
  report.dual_objective = 0.75;
  report.objective_at_zero = 2.0;
  EXPECT_THAT(reason_certified(report, 0.5).sentence.text(),
              testing::AllOf(HasSubstr("0.12"), HasSubstr("0.5")));
  EXPECT_THAT(reason_stalled(report).sentence.text(), HasSubstr("0.12"));
  EXPECT_THAT(reason_small_changes(1e-3).sentence.text(), HasSubstr("0.001"));
  EXPECT_THAT(reason_at_limit(7, 7, 0.0, 1.0, {})->sentence.text(), HasSubstr("7"));
  EXPECT_THAT(reason_at_limit(1, 7, 3.0, 2.5, {})->sentence.text(), HasSubstr("2.5"));
}

// Whatever ends a solve, the report says why.
TEST(Reasons, StandInTheReportOfEverySolver) {
  const test::ProblemData data = test::random_problem({.seed = 3, .n = 30, .p = 20});
  const test::DenseProblem problem = data.problem();
  const auto expect_reasons = [&](const auto& solve) {
    EXPECT_THAT(solve(1000).reason.text(), HasSubstr("relative gap"));
    EXPECT_THAT(solve(1).reason.text(), HasSubstr("1 iterations"));
  };
  expect_reasons([&](int most) { return newton(problem, problem.zero(), {.max_iterations = most}).report; });
  expect_reasons(
      [&](int most) { return proximal_gradient(problem, problem.zero(), {.max_iterations = most}).report; });
  expect_reasons([&](int most) { return two_stage(problem, problem.zero(), {.max_iterations = most}).report; });
}

}  // namespace
}  // namespace hsvm
