#ifdef HSVM_HAS_CLP
#include "baselines/linear_program.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hsvm::test {
namespace {

using baselines::kUnbounded;
using baselines::LinearProgram;
using baselines::LpColumns;
using baselines::LpSolution;

// minimise -3 x - 2 y, x + y <= 4, x + 3 y <= 7, 0 <= x <= 3: at (3, 1), where the duals are (-2, 0).
LpColumns two_columns() {
  LpColumns columns;
  columns.add_entry(0, 1.0);
  columns.add_entry(1, 1.0);
  columns.end_column(-3.0, 0.0, 3.0);
  columns.add_entry(0, 1.0);
  columns.add_entry(1, 3.0);
  columns.end_column(-2.0);
  return columns;
}

const std::vector<double> kNone = {-kUnbounded, -kUnbounded};
const std::vector<double> kLimits = {4.0, 7.0};

TEST(LinearProgram, IsSolved) {
  LinearProgram program(kNone, kLimits);
  program.add(two_columns());
  const LpSolution solution = program.solve();
  EXPECT_EQ(solution.status, Status::converged);
  ASSERT_EQ(solution.x.size(), 2U);
  EXPECT_NEAR(solution.x[0], 3.0, 1e-8);
  EXPECT_NEAR(solution.x[1], 1.0, 1e-8);
  EXPECT_NEAR(solution.objective, -11.0, 1e-8);
  EXPECT_NEAR(solution.dual_objective, -11.0, 1e-8);
  ASSERT_EQ(solution.row_duals.size(), 2U);
  EXPECT_NEAR(solution.row_duals[0], -2.0, 1e-8);
  EXPECT_NEAR(solution.row_duals[1], 0.0, 1e-8);
}

// A third variable that costs -10: it takes all of the first row.
TEST(LinearProgram, GoesOnWithMoreColumns) {
  LinearProgram program(kNone, kLimits);
  program.add(two_columns());
  EXPECT_NEAR(program.solve().objective, -11.0, 1e-8);
  LpColumns more;
  more.add_entry(0, 1.0);
  more.end_column(-10.0);
  program.add(more);
  const LpSolution solution = program.solve();
  EXPECT_EQ(solution.status, Status::converged);
  EXPECT_NEAR(solution.objective, -40.0, 1e-8);
  EXPECT_NEAR(solution.dual_objective, -40.0, 1e-8);
  EXPECT_NEAR(solution.x[2], 4.0, 1e-8);
}

TEST(LinearProgram, SaysWhenThereIsNoSolution) {
  LpColumns columns;
  columns.add_entry(0, 1.0);
  columns.end_column(-1.0);
  LinearProgram unbounded(std::vector{0.0}, std::vector{kUnbounded});
  unbounded.add(columns);
  EXPECT_EQ(unbounded.solve().status, Status::not_finite);
  LinearProgram infeasible(std::vector{-2.0}, std::vector{-1.0});
  infeasible.add(columns);
  EXPECT_EQ(infeasible.solve().status, Status::not_finite);
}

}  // namespace
}  // namespace hsvm::test

#else
#include <gtest/gtest.h>

TEST(LinearProgram, IsInThisBuild) {
  GTEST_SKIP() << "no coinor-libclp-dev when this was built";
}
#endif
