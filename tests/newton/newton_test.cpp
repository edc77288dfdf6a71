#include "hsvm/newton/newton.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/newton/fit_support.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/multiclass.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/reference.hpp"

namespace hsvm {
namespace {

using test::DenseMulticlass;
using test::DenseProblem;

TEST(Newton, SolvesTheSolvedProblems) {
  for (const test::SolvedProblem& solved : test::solved_problems()) {
    SCOPED_TRACE(solved.name);
    const DenseProblem problem = solved.problem();
    const auto [point, report] = newton(problem, problem.zero(), {.tolerance = 1e-13});
    EXPECT_EQ(report.status, Status::converged);
    EXPECT_NEAR(report.objective, solved.objective, 1e-12);
    EXPECT_LE(report.dual_objective, solved.objective + 1e-15);
    EXPECT_NEAR(point.b, solved.b, 2e-6);
    for (std::size_t j = 0; j < solved.w.size(); ++j)
      EXPECT_NEAR(point.w[static_cast<Index>(j)], solved.w[j], 2e-6);
  }
}

TEST(Newton, SolvesTheSolvedMulticlassProblems) {
  for (const test::SolvedMulticlass& solved : test::solved_multiclass_problems()) {
    SCOPED_TRACE(solved.name);
    const DenseMulticlass problem = solved.problem();
    const auto [point, report] = newton(problem, problem.zero(), {.tolerance = 1e-13});
    EXPECT_EQ(report.status, Status::converged);
    EXPECT_NEAR(report.objective, solved.objective, 1e-12);
    EXPECT_LE(report.dual_objective, solved.objective + 1e-14);
    const test::Rows w = test::all_rows(point, solved.n_features());
    for (std::size_t j = 0; j < solved.w.size(); ++j) {
      for (std::size_t k = 0; k < solved.n_classes(); ++k) EXPECT_NEAR(w[j][k], solved.w[j][k], 2e-6);
    }
  }
}

// Every kind of intercept, with and without weights, factors and lambda2.
TEST(Newton, CertifiesTheBattery) {
  for (const test::ProblemData& data : test::random_problems()) {
    SCOPED_TRACE(data.name);
    const DenseProblem problem = data.problem();
    const auto one = proximal_gradient(problem, problem.zero(), {.tolerance = 1e-9});
    for (const double tolerance : {1e-4, 1e-6, 1e-10}) {
      const auto [point, report] = newton(problem, problem.zero(), {.tolerance = tolerance});
      EXPECT_EQ(report.status, Status::converged);
      EXPECT_LE(report.gap(), tolerance * problem.objective_at_zero());
      EXPECT_NEAR(report.objective, test::reference_objective(data, point), 1e-13);
      EXPECT_LE(report.dual_objective, one.report.objective + 1e-14);
      EXPECT_LE(one.report.dual_objective, report.objective + 1e-14);
      const DenseProblem::Point fresh = problem.point(point.b, point.w);
      for (std::size_t i = 0; i < fresh.scores.size(); ++i)
        EXPECT_NEAR(point.scores[i], fresh.scores[i], 1e-11);
    }
  }
}

TEST(Newton, CertifiesTheMulticlassBattery) {
  for (const test::MulticlassData& data : test::random_multiclass_problems()) {
    SCOPED_TRACE(data.name);
    const DenseMulticlass problem = data.problem();
    const auto one = proximal_gradient(problem, problem.zero(), {.max_iterations = 3000, .tolerance = 1e-8});
    for (const double tolerance : {1e-4, 1e-6, 1e-10}) {
      const auto [point, report] = newton(problem, problem.zero(), {.tolerance = tolerance});
      EXPECT_EQ(report.status, Status::converged);
      EXPECT_LE(report.gap(), tolerance * problem.objective_at_zero());
      const test::Rows w = test::all_rows(point, data.n_features());
      EXPECT_NEAR(report.objective, test::reference_objective(data, point.b, w), 1e-12);
      EXPECT_LE(test::largest_sum(point.b, w), 1e-12);
      EXPECT_LE(report.dual_objective, one.report.objective + 1e-13);
      EXPECT_LE(one.report.dual_objective, report.objective + 1e-13);
      EXPECT_TRUE(std::ranges::is_sorted(point.rows));
    }
  }
}

TEST(Newton, StartsFromAnyPoint) {
  for (const test::ProblemData& data : test::random_problems()) {
    SCOPED_TRACE(data.name);
    const DenseProblem problem = data.problem();
    const double objective = newton(problem, problem.zero(), {.tolerance = 1e-10}).report.objective;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const auto start =
          problem.point(0.3, test::random_vector(seed,
                                                 data.parameters.penalty.factors.empty()
                                                     ? static_cast<std::size_t>(data.x.cols())
                                                     : data.parameters.penalty.factors.size(),
                                                 std::pow(10.0, static_cast<double>(seed) - 2.0)));
      DenseProblem::Point u = start;
      if (!data.parameters.intercept) u = problem.point(0.0, start.w);
      const auto solution = newton(problem, u, {.tolerance = 1e-10});
      EXPECT_EQ(solution.report.status, Status::converged);
      EXPECT_NEAR(solution.report.objective, objective, 2e-10);
    }
  }
}

TEST(Newton, StartsFromAnyPointOfManyClasses) {
  for (const test::MulticlassData& data : test::random_multiclass_problems()) {
    SCOPED_TRACE(data.name);
    const DenseMulticlass problem = data.problem();
    const double objective = newton(problem, problem.zero(), {.tolerance = 1e-9}).report.objective;
    const std::vector<double> b = data.parameters.intercept ? test::random_intercepts(3, data.n_classes(), 0.5)
                                                            : std::vector<double>(data.n_classes());
    const auto start =
        test::make_point(problem, b, test::random_rows(4, data.n_features(), data.n_classes(), 1.0));
    const auto solution = newton(problem, start, {.tolerance = 1e-9});
    EXPECT_EQ(solution.report.status, Status::converged);
    EXPECT_NEAR(solution.report.objective, objective, 2e-9 * problem.objective_at_zero());
  }
}

// A solution is a start that needs no step.
TEST(Newton, StaysAtASolution) {
  for (const test::ProblemData& data : test::random_problems()) {
    const DenseProblem problem = data.problem();
    const auto solution = newton(problem, problem.zero(), {.tolerance = 1e-8});
    const auto again = newton(problem, solution.point, {.tolerance = 1e-5});
    EXPECT_EQ(again.report.status, Status::converged) << data.name;
    EXPECT_LE(again.report.gap(), 1e-5 * problem.objective_at_zero());
    EXPECT_LE(again.report.objective, solution.report.objective + 1e-5);
  }
}

// Everything that changes what is solved, in every combination of delta, lambda2 and lambda1, the rest taking
// turns.
TEST(NewtonGrid, AgreesWithTheOtherSolvers) {
  std::uint64_t seed = 0;
  for (const double delta : {1.0, 0.5, 0.1, 0.01, 3.0}) {
    for (const double lambda2 : {0.0, 1e-8, 1e-4, 1e-2, 1.0}) {
      for (const double ratio : {1.0, 0.5, 0.1, 0.02, 0.0}) {
        if (lambda2 == 0.0 && ratio == 0.0) continue;  // no penalty at all
        ++seed;
        const bool wide = seed % 2 == 0;
        test::FitRecipe recipe{.seed = seed, .n = wide ? 15 : 40, .p = wide ? 50 : 10};
        recipe.storage = test::kStorages[seed % 4];
        recipe.density = seed % 3 == 0 ? 0.3 : 1.0;
        recipe.weights = seed % 3 == 1;
        recipe.factors = seed % 5 < 2;
        test::FitData data = test::random_fit_data(recipe);
        FitOptions options{.lambda1_ratio = ratio, .lambda2 = lambda2, .delta = delta};
        if (seed % 7 < 2) options.lambda3 = 0.0;
        if (seed % 7 == 2) options.no_intercept = true;
        if (recipe.factors && lambda2 >= 1e-4) data.factors[1] = 0.0;
        const bool hard = ratio == 0.0 && delta < 0.5;  // hard_cases_test.cpp; here their bounds alone
        options.max_iterations = hard ? 200 : 1500;
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", delta " << delta << ", lambda2 " << lambda2
                                        << ", lambda1 ratio " << ratio);
        test::expect_certified(data, options, {.max_iterations = 300, .must_converge = !hard});
      }
    }
  }
}

TEST(NewtonGrid, AgreesWithTheOtherSolversOnManyClasses) {
  constexpr Index kClasses[] = {3, 4, 7, 2};
  std::uint64_t seed = 500;
  for (const double delta : {1.0, 0.5, 0.1, 0.01, 3.0}) {
    for (const double lambda2 : {0.0, 1e-8, 1e-4, 1e-2, 1.0}) {
      for (const double ratio : {1.0, 0.3, 0.05, 0.0}) {
        if (lambda2 == 0.0 && ratio == 0.0) continue;
        ++seed;
        if (test::kIsSanitized && seed % 9 > 2) continue;  // a third of them
        const bool wide = seed % 2 == 0;
        test::FitRecipe recipe{.seed = seed, .n = wide ? 16 : 40, .p = wide ? 40 : 8};
        recipe.n_classes = kClasses[seed % 4];
        recipe.storage = test::kStorages[seed / 2 % 4];
        recipe.density = seed % 3 == 0 ? 0.3 : 1.0;
        recipe.weights = seed % 3 == 1;
        recipe.factors = seed % 5 < 2;
        test::FitData data = test::random_fit_data(recipe);
        FitOptions options{.lambda1_ratio = ratio, .lambda2 = lambda2, .delta = delta, .multiclass = true};
        if (seed % 7 < 2) options.lambda3 = 0.0;
        if (seed % 7 == 2) options.no_intercept = true;
        if (recipe.factors && lambda2 >= 1e-4) data.factors[1] = 0.0;
        // Hardly any penalty at all, or none but lambda2 on a narrow elbow: here their bounds alone.
        const bool hard = ratio == 0.0 && (delta < 0.5 || lambda2 < 1e-4);
        options.max_iterations = hard ? 200 : 1500;
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", delta " << delta << ", lambda2 " << lambda2
                                        << ", lambda1 ratio " << ratio);
        test::expect_certified(
            data, options, {.pg = true, .pg2 = seed % 2 == 0, .max_iterations = 150, .must_converge = !hard});
      }
    }
  }
}

// The all-together model of two classes at (lambda1, lambda2, lambda3) is the binary one at twice these.
TEST(NewtonGrid, TwoClassesAreTheBinaryModel) {
  std::uint64_t seed = 900;
  for (const double delta : {1.0, 0.1}) {
    for (const double lambda2 : {0.0, 1e-4, 0.1}) {
      for (const double lambda1 : {0.1, 0.02, 0.005}) {
        const test::FitData data = test::random_fit_data({.seed = ++seed, .weights = seed % 2 == 0});
        FitOptions options{.lambda1 = lambda1, .lambda2 = lambda2, .delta = delta, .multiclass = true};
        options.tolerance = 1e-9;
        const LinearModel together = data.fit(options);
        options.multiclass = false;
        options.lambda1 = 2.0 * lambda1;
        options.lambda2 = 2.0 * lambda2;
        const LinearModel binary = data.fit(options);
        EXPECT_EQ(together.report->status, Status::converged);
        EXPECT_EQ(binary.report->status, Status::converged);
        test::expect_compatible(*together.report, *binary.report);
        EXPECT_NEAR(together.report->lambda1_max, 0.5 * binary.report->lambda1_max,
                    1e-9 * binary.report->lambda1_max);
        if (lambda2 < 0.01) continue;
        const std::vector<double> one = test::all_coefficients(binary);
        const std::vector<double> two = test::all_coefficients(together);
        for (std::size_t j = 0; j < one.size(); ++j) {
          EXPECT_NEAR(two[2 * j + 1], one[j], 1e-3);
          EXPECT_NEAR(two[2 * j], -one[j], 1e-3);
        }
      }
    }
  }
}

TEST(NewtonLambda1Max, IsWhereTheModelBecomesEmpty) {
  for (const Index n_classes : {2, 3, 7}) {
    for (const double delta : {1.0, 0.1}) {
      for (const double lambda2 : {0.0, 0.01, 1.0}) {
        for (const double lambda3 : {0.0, 0.1}) {
          const test::FitData data = test::random_fit_data(
              {.seed = 40, .n = 35, .p = 20, .n_classes = n_classes, .weights = delta < 1.0});
          FitOptions options{.lambda1_ratio = 1.0, .lambda2 = lambda2, .lambda3 = lambda3, .delta = delta};
          options.tolerance = 1e-11;
          EXPECT_TRUE(data.fit(options).features.empty());
          options.lambda1_ratio = 0.999;
          const LinearModel below = data.fit(options);
          EXPECT_FALSE(below.features.empty()) << n_classes << " " << delta << " " << lambda2 << " " << lambda3;
          EXPECT_EQ(below.report->status, Status::converged);
        }
      }
    }
  }
}

// Features without an l1 penalty are in the model at any lambda1, but nothing beside them.
TEST(NewtonLambda1Max, LetsInWhatIsNotPenalisedAlone) {
  for (const Index n_classes : {2, 3}) {
    for (const double delta : {1.0, 0.1, 3.0}) {
      for (const double lambda2 : {1e-4, 0.01, 1.0}) {
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
          test::FitData data = test::random_fit_data(
              {.seed = seed, .n = seed % 2 == 0 ? 40 : 15, .p = 30, .n_classes = n_classes, .factors = true});
          data.factors[1] = 0.0;
          const LinearModel model = data.fit({.lambda1_ratio = 1.0, .lambda2 = lambda2, .delta = delta});
          EXPECT_EQ(model.features, std::vector<Index>{1})
              << n_classes << " classes, delta " << delta << ", lambda2 " << lambda2 << ", seed " << seed;
        }
      }
    }
  }
}

}  // namespace
}  // namespace hsvm
