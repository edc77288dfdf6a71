#include "hsvm/solve/certificate.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "hsvm/problem/binary_problem.hpp"
#include "hsvm/solve/proximal_gradient.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Two samples x = 1, -1 of the classes +1, -1: F(w) = phi(w) + lambda1 |w|, its minimum below F(0) = 1/2.
struct TwoSamples {
  DenseMatrix<double> x{2, 1};
  std::vector<double> y = {1.0, -1.0};
  std::vector<double> s = {1.0, 1.0};

  TwoSamples() {
    x(0, 0) = 1.0;
    x(1, 0) = -1.0;
  }
  [[nodiscard]] BinaryProblem problem() const {
    return {x, y, s, {huberized_hinge(1.0), {0.5, 0.0, {}}, 0.0, false, false}};
  }
};

TEST(Certificate, WhatIsNoNumberIsNoBound) {
  SolveReport report;
  for (const double bound : {kInfinite, -kInfinite, std::numeric_limits<double>::quiet_NaN(), -1.0})
    raise_bound(report, bound);
  EXPECT_EQ(report.dual_objective, 0.0);
  raise_bound(report, 0.25);
  raise_bound(report, 0.125);
  EXPECT_EQ(report.dual_objective, 0.25);
}

TEST(Certificate, ABoundAboveTheObjectiveIsForgotten) {
  const TwoSamples data;
  const BinaryProblem problem = data.problem();
  const BinaryProblem::Point u = problem.zero();
  SolveReport report;
  report.objective = problem.objective(u);
  report.dual_objective = report.objective * (1.0 + 1e-15);  // above by rounding alone
  EXPECT_FALSE(doubt_bound(problem, u, report));
  report.dual_objective = report.objective * (1.0 + 1e-9);
  EXPECT_TRUE(doubt_bound(problem, u, report));
  EXPECT_EQ(report.dual_objective, 0.0);
}

// At w = 0: c = 1, so k = 1/2 is feasible and gives 1/2 - 1/8 = 3/8; F(0) = 1/2.
TEST(Certificate, AFalseClaimIsComputedAnewAndTakenBack) {
  const TwoSamples data;
  const BinaryProblem problem = data.problem();
  BinaryProblem::Point u = problem.zero();
  SolveReport report;
  report.objective_at_zero = problem.objective_at_zero();
  report.objective = problem.objective(u);
  report.dual_objective = 31232.0;
  conclude(problem, u, {Status::converged, {}}, 1e-6, report);
  EXPECT_EQ(report.status, Status::stalled);
  EXPECT_NE(report.reason.text().find("in doubt"), std::string::npos);
  EXPECT_NEAR(report.dual_objective, 0.375, 1e-12);
  EXPECT_NEAR(report.gap(), 0.125, 1e-12);
}

TEST(Certificate, ATrueClaimStands) {
  const TwoSamples data;
  const BinaryProblem problem = data.problem();
  BinaryProblem::Point u = problem.point(0.0, {0.5});  // phi'(1/2) = -1/2: the optimum
  BinaryProblem::Gradient gradient;
  problem.gradient(u, gradient);
  SolveReport report;
  report.objective_at_zero = problem.objective_at_zero();
  report.objective = problem.objective(u);
  raise_bound(report, problem.dual_objective(u, gradient));
  conclude(problem, u, {Status::converged, {}}, 1e-12, report);
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_NEAR(report.dual_objective, 0.375, 1e-14);
  EXPECT_GE(report.gap(), 0.0);
}

// Scores that have come away from the coefficients prove nothing.
TEST(Certificate, AnObjectiveBelowATrueBoundIsComputedAnew) {
  const TwoSamples data;
  const BinaryProblem problem = data.problem();
  BinaryProblem::Point u = problem.zero();
  u.scores = {3.0, -3.0};
  SolveReport report;
  report.objective_at_zero = problem.objective_at_zero();
  report.objective = problem.objective(u);
  EXPECT_EQ(report.objective, 0.0);
  report.dual_objective = 0.375;
  conclude(problem, u, {Status::converged, {}}, 1e-6, report);
  EXPECT_EQ(report.status, Status::stalled);
  EXPECT_EQ(report.objective, 0.5);
  EXPECT_NEAR(report.dual_objective, 0.375, 1e-12);
}

TEST(Certificate, CarefulAndPlainObjectivesAgree) {
  const test::ProblemData data = test::random_problem({.seed = 4, .n = 30, .p = 8});
  const BinaryProblem problem(data.x, data.y, data.s, data.parameters);
  const BinaryProblem::Point u = problem.point(0.3, test::random_vector(5, 8));
  const CarefulObjective careful = problem.careful_objective(u);
  EXPECT_NEAR(careful.value, problem.objective(u), 1e-13 * careful.value);
  EXPECT_LT(careful.rounding, 1e-13 * (1.0 + careful.value));
  EXPECT_LT(careful.rounding, problem.objective_rounding(u, careful.value));
}

}  // namespace
}  // namespace hsvm
