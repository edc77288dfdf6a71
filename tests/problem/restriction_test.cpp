#include "hsvm/problem/restriction.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/multiclass.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

using test::DenseMulticlass;
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
    EXPECT_EQ(v.w, (SparseCoefficients{{0, 1}, {0.4, -0.7}}));
    EXPECT_EQ(v.b, u.b);
    EXPECT_EQ(v.scores, u.scores);
    EXPECT_NEAR(restriction.problem().objective(v), problem.objective(u), 1e-15) << data.name;

    DenseProblem::Gradient full;
    DenseProblem::Gradient part;
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
  EXPECT_EQ(u.w, (SparseCoefficients{{1, 4}, {-1.0, 0.5}}));
  EXPECT_EQ(u.scores, v.scores);
  const DenseProblem::Point fresh = problem.point(u.b, u.w);
  for (std::size_t i = 0; i < u.scores.size(); ++i) EXPECT_NEAR(u.scores[i], fresh.scores[i], 1e-13);
}

TEST(Restriction, MayHaveNoColumns) {
  const test::ProblemData data = test::random_problem({.seed = 3});
  const DenseProblem problem = data.problem();
  const Restriction<DenseProblem> restriction(problem, {});
  const auto v = restriction.restrict_point(problem.constant());
  EXPECT_EQ(v.w, SparseCoefficients{});
  EXPECT_NEAR(restriction.problem().objective(v), problem.objective(problem.constant()), 1e-15);
}

TEST(MulticlassRestriction, IsTheProblemWithTheOtherRowsAtZero) {
  for (const test::MulticlassData& data : test::random_multiclass_problems()) {
    SCOPED_TRACE(data.name);
    const DenseMulticlass problem = data.problem();
    const std::size_t J = data.n_classes();
    test::Rows w = test::random_rows(1, data.n_features(), J, 0.5);
    for (std::size_t j = 0; j < w.size(); ++j) {
      if (j != 0 && j != 2) w[j].assign(J, 0.0);
    }
    const std::vector<double> b = test::random_intercepts(1, J, data.parameters.intercept ? 0.1 : 0.0);
    const DenseMulticlass::Point u = test::make_point(problem, b, w);
    const Restriction<DenseMulticlass> restriction(problem, {0, 1, 2});
    const auto v = restriction.restrict_point(u);
    EXPECT_EQ(v.rows, u.rows);  // the columns are the first ones
    EXPECT_EQ(v.b, u.b);
    EXPECT_NEAR(restriction.problem().objective(v), problem.objective(u), 1e-14);

    DenseMulticlass::Gradient full;
    DenseMulticlass::Gradient part;
    problem.gradient(u, full);
    restriction.problem().gradient(v, part);
    EXPECT_EQ(part.b, full.b);
    ASSERT_EQ(part.w.rows(), 3);
    for (Index j = 0; j < 3; ++j) EXPECT_TRUE(std::ranges::equal(part.w.row(j), full.w.row(j)));

    // A restricted problem has less to choose from: its minimum, and so its bound, is not lower, but for how
    // well the best scaling is found.
    EXPECT_GE(restriction.problem().dual_objective(v, part), 0.98 * problem.dual_objective(u, full) - 1e-14);
    EXPECT_LE(restriction.problem().lipschitz(), problem.lipschitz() * (1.0 + 1e-12));
  }
}

TEST(MulticlassRestriction, TakesPointsThereAndBack) {
  const test::MulticlassData data = test::random_multiclass_problem({.seed = 2, .p = 6, .factors = true});
  const DenseMulticlass problem = data.problem();
  const Restriction<DenseMulticlass> restriction(problem, {1, 3, 4});
  EXPECT_EQ(restriction.problem().parameters().penalty.factors,
            (std::vector<double>{data.parameters.penalty.factors[1], data.parameters.penalty.factors[3],
                                 data.parameters.penalty.factors[4]}));

  const test::Rows small = {{0, 0, 0}, {1, -1, 0}, {0.5, 0.5, -1}};
  const auto v = test::make_point(restriction.problem(), {0.25, -0.5, 0.25}, small);
  EXPECT_EQ(v.rows, (std::vector<Index>{1, 2}));
  DenseMulticlass::Point u = test::make_point(problem, {0, 0, 0}, test::random_rows(3, 6, 3, 1.0));
  restriction.extend(v, u);
  EXPECT_EQ(u.rows, (std::vector<Index>{3, 4}));
  EXPECT_EQ(u.b, (std::vector<double>{0.25, -0.5, 0.25}));
  const test::Rows w = test::all_rows(u, 6);
  EXPECT_EQ(w, (test::Rows{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, -1, 0}, {0.5, 0.5, -1}, {0, 0, 0}}));
  const DenseMulticlass::Point fresh = test::make_point(problem, u.b, w);
  for (std::size_t k = 0; k < fresh.scores.values().size(); ++k) {
    EXPECT_NEAR(u.scores.values()[k], fresh.scores.values()[k], 1e-13);
  }
  const auto back = restriction.restrict_point(u);
  EXPECT_EQ(back.rows, v.rows);
  EXPECT_EQ(test::all_rows(back, 3), small);
}

TEST(MulticlassRestriction, MayHaveNoColumns) {
  const test::MulticlassData data = test::random_multiclass_problem({.seed = 3});
  const DenseMulticlass problem = data.problem();
  const Restriction<DenseMulticlass> restriction(problem, {});
  const auto v = restriction.restrict_point(problem.constant());
  EXPECT_TRUE(v.rows.empty());
  EXPECT_NEAR(restriction.problem().objective(v), problem.objective(problem.constant()), 1e-15);
}

}  // namespace
}  // namespace hsvm
