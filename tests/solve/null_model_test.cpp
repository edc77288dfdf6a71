#include "hsvm/solve/null_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>

#include "hsvm/problem/binary_problem.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/reference.hpp"

namespace hsvm {
namespace {

using test::DenseProblem;
using test::ProblemData;

struct NullModel {
  DenseProblem::Point point;
  double lambda1_max = 0.0;
};

NullModel solve_null_model(const DenseProblem& problem) {
  const DenseProblem::Point point = null_point(problem);
  return {point, lambda1_max_at(problem, point)};
}

TEST(NullModel, OfTheSolvedProblems) {
  for (const test::SolvedProblem& solved : test::solved_problems()) {
    EXPECT_NEAR(solve_null_model(solved.problem()).lambda1_max, solved.lambda1_max, 1e-13) << solved.name;
  }
}

// Coefficients of penalised features in the solution at lambda1.
Index penalised_nonzeros(ProblemData data, double lambda1) {
  data.parameters.penalty.lambda1 = lambda1;
  const DenseProblem problem = data.problem();
  const auto solution = proximal_gradient(problem, problem.constant(), {.tolerance = 1e-11});
  EXPECT_EQ(solution.report.status, Status::converged);
  return static_cast<Index>(std::ranges::count_if(problem.support(solution.point),
                                                  [&](Index j) { return problem.threshold(j) > 0.0; }));
}

TEST(NullModel, Lambda1MaxIsWhereTheFirstFeatureComesIn) {
  for (ProblemData data : test::random_problems()) {
    SCOPED_TRACE(data.name);
    data.parameters.penalty.lambda1 = 0.0;  // it must not matter
    const auto null_model = solve_null_model(data.problem());
    const bool exact = data.problem().unpenalised().empty();
    EXPECT_GT(null_model.lambda1_max, 0.0);
    EXPECT_EQ(penalised_nonzeros(data, null_model.lambda1_max * (exact ? 1.0 : 1.0 + 1e-4)), 0);
    EXPECT_GT(penalised_nonzeros(data, 0.999 * null_model.lambda1_max), 0);
    if (exact) {
      EXPECT_EQ(null_model.point.w, SparseCoefficients{});
    }
  }
}

TEST(NullModel, DoesNotDependOnLambda1) {
  for (ProblemData data : test::random_problems()) {
    const double before = solve_null_model(data.problem()).lambda1_max;
    data.parameters.penalty.lambda1 *= 7.0;
    EXPECT_EQ(solve_null_model(data.problem()).lambda1_max, before) << data.name;
  }
}

TEST(NullModel, UnpenalisedFeaturesAreInIt) {
  const ProblemData data = test::random_problem({.seed = 6, .n = 20, .lambda1 = 100.0, .factors = true});
  const auto null_model = solve_null_model(data.problem());
  EXPECT_EQ(null_model.point.w.columns, (std::vector<Index>{0}));
  EXPECT_LE(test::reference_violation(data, null_model.point), 1e-5);
}

}  // namespace
}  // namespace hsvm
