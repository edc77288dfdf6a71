// What a monitor sees of every iteration, whatever the solver.
#include <gtest/gtest.h>

#include <vector>

#include "hsvm/solve/two_stage.hpp"
#include "tests/support/multiclass.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

using Trace = std::vector<Progress>;

SolveMonitor tracing(Trace& trace) {
  SolveMonitor monitor;
  monitor.trace = [&trace](const Progress& progress) { trace.push_back(progress); };
  return monitor;
}

// One look for each iteration; what is counted only grows, the objective of a monotone method only falls.
void expect_orderly(const Trace& trace, const SolveReport& report) {
  ASSERT_EQ(std::ssize(trace), report.iterations);
  for (std::size_t k = 0; k < trace.size(); ++k) {
    EXPECT_EQ(trace[k].iteration, static_cast<int>(k) + 1);
    EXPECT_GE(trace[k].gap, 0.0);
    EXPECT_EQ(trace[k].point, 0);
    if (k == 0) continue;
    EXPECT_GE(trace[k].seconds, trace[k - 1].seconds);
    EXPECT_GT(trace[k].passes, trace[k - 1].passes);
    EXPECT_LE(trace[k].objective, trace[k - 1].objective * (1.0 + 1e-14));
  }
  EXPECT_EQ(trace.back().objective, report.objective);
  EXPECT_EQ(trace.back().gap, report.gap());
  EXPECT_EQ(trace.back().passes, report.passes);
  EXPECT_LE(trace.back().seconds, report.seconds);
}

TEST(Trace, ProximalGradientTellsEveryIteration) {
  const test::ProblemData data = test::random_problem({.seed = 3, .n = 30, .p = 50});
  const auto problem = data.problem();
  Trace trace;
  const auto solution = proximal_gradient(problem, problem.zero(), {.tolerance = 1e-9}, tracing(trace));
  ASSERT_EQ(solution.report.status, Status::converged);
  expect_orderly(trace, solution.report);
  for (const Progress& progress : trace) EXPECT_EQ(progress.working_set, 50);
  EXPECT_EQ(trace.back().nonzeros, problem.count_nonzeros(solution.point));
}

TEST(Trace, TwoStageCountsOnOverItsStages) {
  const test::ProblemData data = test::random_problem({.seed = 4, .n = 30, .p = 300, .lambda1 = 0.2});
  const auto problem = data.problem();
  Trace trace;
  const auto solution = two_stage(problem, problem.zero(), {.tolerance = 1e-9}, tracing(trace));
  ASSERT_EQ(solution.report.status, Status::converged);
  expect_orderly(trace, solution.report);
  EXPECT_EQ(trace.front().working_set, 300);
  EXPECT_LT(trace.back().working_set, 100);
  EXPECT_GE(trace.back().working_set, trace.back().nonzeros);
  EXPECT_EQ(trace.back().nonzeros, problem.count_nonzeros(solution.point));
}

// Whatever is said on the way is true of the full problem: the minimum is never below objective - gap.
TEST(Trace, EveryGapIsABoundOnTheFullProblem) {
  for (const test::ProblemData& data : test::random_problems()) {
    const auto problem = data.problem();
    const double best = proximal_gradient(problem, problem.zero(), {.tolerance = 1e-12}).report.dual_objective;
    Trace trace;
    const auto solution = two_stage(problem, problem.zero(), {.tolerance = 1e-9}, tracing(trace));
    expect_orderly(trace, solution.report);
    for (const Progress& progress : trace) {
      EXPECT_LE(progress.objective - progress.gap, best + 1e-11) << data.name;
    }
  }
}

TEST(Trace, CoversMulticlassProblemsAndEarlyStops) {
  const test::MulticlassData data = test::random_multiclass_problem({.seed = 2, .n = 20, .p = 30});
  const auto problem = data.problem();
  for (const int limit : {1, 2, 7, 30}) {
    const ProximalGradientOptions options{.max_iterations = limit, .tolerance = 1e-14};
    Trace one;
    const auto plain = proximal_gradient(problem, problem.zero(), options, tracing(one));
    expect_orderly(one, plain.report);
    Trace two;
    const auto solution = two_stage(problem, problem.zero(), options, tracing(two));
    expect_orderly(two, solution.report);
  }
}

TEST(Trace, ChangesNothingInTheSolve) {
  const test::ProblemData data = test::random_problem({.seed = 5, .n = 25, .p = 60});
  const auto problem = data.problem();
  Trace trace;
  EXPECT_EQ(two_stage(problem, problem.zero(), {}, tracing(trace)).point.w,
            two_stage(problem, problem.zero(), {}).point.w);
}

TEST(Trace, ProgressOfTheTwoStageMethodCountsOnToo) {
  const test::ProblemData data = test::random_problem({.seed = 4, .n = 30, .p = 300, .lambda1 = 0.2});
  const auto problem = data.problem();
  Trace seen;
  SolveMonitor monitor;
  monitor.progress = [&](const Progress& progress) { seen.push_back(progress); };
  monitor.interval = 0.0;
  const auto solution = two_stage(problem, problem.zero(), {.tolerance = 1e-9}, monitor);
  ASSERT_EQ(std::ssize(seen), solution.report.iterations);
  for (std::size_t k = 0; k < seen.size(); ++k) EXPECT_EQ(seen[k].iteration, static_cast<int>(k) + 1);
}

}  // namespace
}  // namespace hsvm
