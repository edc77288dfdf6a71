#include "hsvm/newton/binary_secant.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hsvm/newton/newton.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

using Point = BinaryProblem::Point;

struct TwoSolutions {
  test::ProblemData data =
      test::random_problem({.seed = 3, .n = 80, .p = 40, .delta = 0.5, .lambda1 = 0.05, .lambda2 = 0.05});
  test::DenseProblem problem = data.problem();
  Point before, last;

  TwoSolutions() {
    before = solve(0.05);
    last = solve(0.045);
    problem.set_lambdas(0.04, 0.05, 0.05);
  }
  Point solve(double lambda1) {
    problem.set_lambdas(lambda1, 0.05, 0.05);
    return newton(problem, problem.constant(), {.tolerance = 1e-12}).point;
  }
};

TEST(BinarySecant, LowersTheObjectiveAndKeepsScoresAndSigns) {
  const TwoSolutions two;
  Point u = two.last;
  ASSERT_TRUE(follow_secant(two.problem, two.before, 1.0, u));
  EXPECT_LT(two.problem.objective(u), two.problem.objective(two.last));
  const Point afresh = two.problem.point(u.b, u.w);
  for (std::size_t i = 0; i < u.scores.size(); ++i) EXPECT_NEAR(u.scores[i], afresh.scores[i], 1e-12);
  for (Index j = 0; j < two.problem.n_features(); ++j) {
    EXPECT_GE(u.w[j] * two.last.w[j], 0.0) << j;
    if (two.last.w[j] == 0.0) {
      EXPECT_EQ(u.w[j], 0.0) << j;
    }
  }
}

TEST(BinarySecant, ScoresAreThoseOfTheCoefficientsWhereSignsWouldChange) {
  const TwoSolutions two;
  Point before = two.before;
  std::vector<double> w = test::all_coefficients(before.w, two.problem.n_features());
  const Index changed = two.last.w.columns.front();
  w[static_cast<std::size_t>(changed)] = 3.0 * two.last.w[changed];  // on the line it would pass zero
  before = two.problem.point(before.b, w);
  Point u = two.last;
  if (follow_secant(two.problem, before, 1.0, u)) {
    EXPECT_EQ(u.w[changed], 0.0);
  }
  const Point afresh = two.problem.point(u.b, u.w);
  for (std::size_t i = 0; i < u.scores.size(); ++i) EXPECT_NEAR(u.scores[i], afresh.scores[i], 1e-12);
}

TEST(BinarySecant, LeavesThePointWhereTheObjectiveWouldRise) {
  const TwoSolutions two;
  Point u = two.last;
  EXPECT_FALSE(follow_secant(two.problem, two.before, 1e4, u));
  EXPECT_EQ(u.w, two.last.w);
  EXPECT_EQ(u.b, two.last.b);
  EXPECT_EQ(u.scores, two.last.scores);
}

}  // namespace
}  // namespace hsvm
