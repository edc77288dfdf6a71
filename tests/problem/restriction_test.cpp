#include "hsvm/problem/restriction.hpp"

#include <gtest/gtest.h>

#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

using test::DenseProblem;

TEST(Restriction, IsTheProblemWithTheOtherCoefficientsAtZero) {
  for (const test::ProblemData& data : test::random_problems()) {
    const DenseProblem problem = data.problem();
    const std::vector<Index> columns = {0, 2};
    const Restriction<DenseProblem> restriction(problem, columns);
    std::vector<double> w(static_cast<std::size_t>(data.x.cols()), 0.0);
    w[0] = 0.4;
    w[2] = -0.7;
    const DenseProblem::Point u = problem.point(data.parameters.intercept ? 0.1 : 0.0, w);
    const auto v = restriction.restrict_point(u);
    EXPECT_EQ(v.w, (std::vector<double>{0.4, -0.7}));
    EXPECT_EQ(v.b, u.b);
    EXPECT_EQ(v.scores, u.scores);
    EXPECT_NEAR(restriction.problem().objective(v), problem.objective(u), 1e-15) << data.name;

    DenseProblem::Gradient full;
    Restriction<DenseProblem>::Problem::Gradient part;
    problem.gradient(u, full);
    restriction.problem().gradient(v, part);
    EXPECT_EQ(part.b, full.b);
    EXPECT_EQ(part.w, (std::vector<double>{full.w[0], full.w[2]}));

    // A restricted problem has less to choose from: its minimum, and so its bound, is not lower.
    EXPECT_GE(restriction.problem().dual_objective(v, part), problem.dual_objective(u, full) - 1e-15);
    EXPECT_LE(restriction.problem().lipschitz(), problem.lipschitz() + 1e-12);
  }
}

TEST(Restriction, ExtendsItsPointIntoTheFullOne) {
  const test::ProblemData data = test::random_problem({.seed = 2, .p = 5});
  const DenseProblem problem = data.problem();
  const Restriction<DenseProblem> restriction(problem, {1, 4});
  DenseProblem::Point u = problem.point(0.5, {1, 2, 3, 4, 5});
  const auto v = restriction.problem().point(0.25, {-1.0, 0.5});
  restriction.extend(v, u);
  EXPECT_EQ(u.b, 0.25);
  EXPECT_EQ(u.w, (std::vector<double>{0, -1.0, 0, 0, 0.5}));
  EXPECT_EQ(u.scores, v.scores);
  const DenseProblem::Point fresh = problem.point(u.b, u.w);
  for (std::size_t i = 0; i < u.scores.size(); ++i) EXPECT_NEAR(u.scores[i], fresh.scores[i], 1e-13);
}

TEST(Restriction, MayHaveNoColumns) {
  const test::ProblemData data = test::random_problem({.seed = 3});
  const DenseProblem problem = data.problem();
  const Restriction<DenseProblem> restriction(problem, {});
  const auto v = restriction.restrict_point(problem.constant());
  EXPECT_TRUE(v.w.empty());
  EXPECT_NEAR(restriction.problem().objective(v), problem.objective(problem.constant()), 1e-15);
}

}  // namespace
}  // namespace hsvm
