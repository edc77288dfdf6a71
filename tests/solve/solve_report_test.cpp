#include "hsvm/solve/solve_report.hpp"

#include <gtest/gtest.h>

namespace hsvm {
namespace {

TEST(SolveReport, GapIsTheDistanceOfTheBounds) {
  SolveReport report;
  report.objective = 0.5;
  report.dual_objective = 0.375;
  report.objective_at_zero = 0.25;
  EXPECT_EQ(report.gap(), 0.125);
  EXPECT_EQ(report.relative_gap(), 0.5);
}

TEST(Status, IsSpeltAsInEveryFace) {
  EXPECT_EQ(to_string(Status::converged), "converged");
  EXPECT_EQ(to_string(Status::iteration_limit), "iteration_limit");
  EXPECT_EQ(to_string(Status::time_limit), "time_limit");
  EXPECT_EQ(to_string(Status::interrupted), "interrupted");
  EXPECT_EQ(to_string(Status::stalled), "stalled");
  EXPECT_EQ(to_string(Status::not_finite), "not_finite");
}

}  // namespace
}  // namespace hsvm
