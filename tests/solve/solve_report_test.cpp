// What a report promises, held against problems whose minimum is known by hand.
#include "hsvm/solve/solve_report.hpp"

#include <gtest/gtest.h>

#include <string_view>

#include "hsvm/solve/proximal_gradient.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

constexpr double kRounding = 1e-12;

// However early a solve is stopped, the minimum lies between the two bounds, and the gap is a bound on what is missing.
TEST(SolveReport, EnclosesTheMinimumWheneverItStops) {
  for (const test::SolvedProblem& data : test::solved_problems()) {
    const auto problem = data.problem();
    for (const int max_iterations : {1, 2, 3, 5, 10, 1000}) {
      const SolveReport report =
          proximal_gradient(problem, problem.zero(), {.max_iterations = max_iterations, .tolerance = 1e-9})
              .report;
      EXPECT_LE(report.dual_objective, data.objective + kRounding) << data.name;
      EXPECT_GE(report.objective, data.objective - kRounding) << data.name;
      EXPECT_GE(report.gap(), report.objective - data.objective - kRounding) << data.name;
      EXPECT_EQ(report.status == Status::converged, report.relative_gap() <= 1e-9) << data.name;
    }
  }
}

// F(0) is the unit of the relative gap: with no better point and no better bound than those one starts with, all of
// it is missing.
TEST(SolveReport, RelativeGapIsOneAtZeroWithTheBoundThatNeedsNoWork) {
  for (const test::SolvedProblem& data : test::solved_problems()) {
    const auto problem = data.problem();
    SolveReport report;
    report.objective_at_zero = problem.objective_at_zero();
    report.objective = report.objective_at_zero;
    EXPECT_EQ(report.relative_gap(), 1.0) << data.name;
  }
}

// The words of files that exist: each is read as the status it is written for.
TEST(Status, WordsOfFilesStayReadable) {
  constexpr std::string_view kWords[] = {"converged",   "iteration_limit", "time_limit",
                                         "interrupted", "stalled",         "not_finite"};
  EXPECT_EQ(std::size(kWords), kStatusNames.size());
  for (const std::string_view word : kWords) {
    const auto status = find_named<Status>(kStatusNames, word);
    ASSERT_TRUE(status) << word;
    EXPECT_EQ(to_string(*status), word);
  }
  EXPECT_FALSE(find_named<Status>(kStatusNames, "Converged"));
}

}  // namespace
}  // namespace hsvm
