// Newton on problems with relative margins, where the classes couple through the curvature: tall and wide ones, in
// every storage, against the proximal-gradient loop and against their own coefficients.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hsvm/core/parallel.hpp"
#include "hsvm/loss/class_sums.hpp"
#include "hsvm/newton/newton.hpp"
#include "hsvm/newton/secant.hpp"
#include "hsvm/newton/support_system.hpp"
#include "tests/newton/newton_support.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/multiclass.hpp"

namespace hsvm {
namespace {

using test::MulticlassData;
using ClassPoint = MulticlassProblem::Point;

// The gap of the coefficients and intercepts alone: scores, gradient and bound are formed afresh.
double gap_from_coefficients(const MulticlassProblem& problem, const ClassPoint& u) {
  const test::Rows w = test::all_rows(u, static_cast<std::size_t>(problem.n_features()));
  const ClassPoint fresh = test::make_point(problem, u.b, w);
  MulticlassProblem::Gradient gradient;
  problem.gradient(fresh, gradient);
  return problem.objective(fresh) - problem.dual_objective(fresh, gradient);
}

void expect_solved(const MulticlassProblem& problem, const Solution<ClassPoint>& solution, double tolerance) {
  EXPECT_EQ(solution.report.status, Status::converged);
  EXPECT_LE(test::largest_sum(solution.point.b,
                              test::all_rows(solution.point, static_cast<std::size_t>(problem.n_features()))),
            1e-12);
  const double allowed = tolerance * problem.objective_at_zero() + 1e-12 * solution.report.objective;
  const double gap = gap_from_coefficients(problem, solution.point);
  if (gap <= allowed) return;
  // The bound is the best of all points on the way, not that of the last one: a solve to the end has to confirm both sides.
  const Solution<ClassPoint> exact = newton(problem, problem.zero(), {.tolerance = 1e-4 * tolerance});
  ASSERT_EQ(exact.report.status, Status::converged);
  ASSERT_LE(gap_from_coefficients(problem, exact.point), 1e-3 * allowed);
  EXPECT_LE(solution.report.dual_objective, exact.report.objective + 1e-3 * allowed);
  const test::Rows w = test::all_rows(solution.point, static_cast<std::size_t>(problem.n_features()));
  EXPECT_LE(problem.objective(test::make_point(problem, solution.point.b, w)) - exact.report.dual_objective,
            allowed);
}

std::vector<MulticlassData> shapes() {
  std::vector<MulticlassData> result;
  std::uint64_t seed = 40;
  for (const auto& [n, p, n_classes] : {std::tuple{Index{160}, Index{9}, Index{3}},
                                        {Index{120}, Index{20}, Index{6}},
                                        {Index{30}, Index{90}, Index{4}}}) {
    for (const auto intercept : {test::InterceptKind::free, test::InterceptKind::penalised}) {
      for (const double delta : {1.0, 0.05}) {
        ++seed;
        if (test::kIsSanitized && seed % 4 > 1) continue;  // half of them
        result.push_back(test::random_multiclass_problem({.seed = seed,
                                                          .n = n,
                                                          .p = p,
                                                          .n_classes = n_classes,
                                                          .intercept = intercept,
                                                          .delta = delta,
                                                          .lambda1 = 0.01,
                                                          .lambda2 = 0.01,
                                                          .weights = seed % 2 == 0,
                                                          .factors = seed % 3 == 0,
                                                          .margins = Margins::relative}));
      }
    }
  }
  return result;
}

TEST(RelativeNewton, AgreesWithProximalGradientOnTallAndWideProblems) {
  for (MulticlassData data : shapes()) {
    for (const MarginLoss& loss : {data.parameters.loss, squared_hinge()}) {
      SCOPED_TRACE(data.name + ", delta " + std::to_string(loss.delta));
      data.parameters.loss = loss;
      const MulticlassProblem problem = data.problem();
      const Solution<ClassPoint> ours = newton(problem, problem.zero(), {.tolerance = 1e-9});
      EXPECT_FALSE(ours.report.fell_back);
      expect_solved(problem, ours, 1e-9);
      const Solution<ClassPoint> other = proximal_gradient(problem, problem.zero(), {.tolerance = 1e-6});
      EXPECT_LE(ours.report.dual_objective, other.report.objective + 1e-12);
      EXPECT_LE(other.report.dual_objective, ours.report.objective + 1e-12);
    }
  }
}

TEST(RelativeNewton, CertifiesEveryPointOfAPath) {
  for (MulticlassData data : shapes()) {
    SCOPED_TRACE(data.name);
    data.parameters.penalty.factors.clear();
    MulticlassProblem problem = data.problem();
    NewtonSolver<MulticlassProblem> solver(problem, true);
    ClassPoint u = problem.constant();
    MulticlassProblem::Gradient gradient;
    problem.gradient(u, gradient);
    double lambda1 = problem.lambda1_max(gradient);
    for (int k = 0; k < test::unless_sanitized(30, 10); ++k, lambda1 *= 0.85) {
      problem.set_lambdas(lambda1, data.parameters.penalty.lambda2, data.parameters.lambda3);
      Solution<ClassPoint> solution = solver.solve(std::move(u), {.tolerance = 1e-7});
      expect_solved(problem, solution, 1e-7);
      u = std::move(solution.point);
    }
    EXPECT_FALSE(u.rows.empty());
  }
}

// On a straight piece of the path the secant through two solutions is the third; it is not followed uphill.
TEST(FollowSecant, GoesOnOnlyWhereTheObjectiveFalls) {
  const MulticlassData data = shapes()[0];
  MulticlassProblem problem = data.problem();
  const auto solve = [&](double lambda1) {
    problem.set_lambdas(lambda1, data.parameters.penalty.lambda2, data.parameters.lambda3);
    return newton(problem, problem.zero(), {.tolerance = 1e-12}).point;
  };
  const ClassPoint before = solve(0.0102);
  const ClassPoint last = solve(0.0101);
  const ClassPoint exact = solve(0.0100);
  ClassPoint u = last;
  follow_secant(problem, before, 1.0, u);
  MulticlassProblem::Gradient gradient;
  problem.gradient(u, gradient);
  EXPECT_LT(problem.objective(u) - problem.objective(exact),
            0.1 * (problem.objective(last) - problem.objective(exact)));
  EXPECT_LE(test::largest_sum(u.b, test::all_rows(u, data.n_features())), 1e-12);
  EXPECT_LE(problem.dual_objective(u, gradient), problem.objective(exact) + 1e-14);
  ClassPoint far = last;
  follow_secant(problem, before, 1e6, far);
  EXPECT_EQ(far.rows, last.rows);
  EXPECT_LE(problem.objective(far), problem.objective(last));
}

TEST(RelativeNewton, HasTheSameBitsForAnyNumberOfThreads) {
  for (const MulticlassData& data : shapes()) {
    const MulticlassProblem problem = data.problem();
    std::vector<Solution<ClassPoint>> solutions;
    NewtonOptions options;
    options.max_iterations = test::unless_sanitized(options.max_iterations, 5);
    for (const int threads : {1, 3})
      with_threads(threads, [&] { solutions.push_back(newton(problem, problem.zero(), options)); });
    EXPECT_EQ(solutions[0].point.rows, solutions[1].point.rows);
    EXPECT_TRUE(std::ranges::equal(solutions[0].point.w.values(), solutions[1].point.w.values()));
    EXPECT_EQ(solutions[0].point.b, solutions[1].point.b);
    EXPECT_EQ(solutions[0].report.dual_objective, solutions[1].report.dual_objective);
  }
}

TEST(RelativeNewton, EveryStorageGivesTheSameMinimum) {
  Random random(3);
  for (const auto& [n, p] : {std::pair{Index{80}, Index{8}}, {Index{24}, Index{40}}}) {
    const DenseMatrix<double> x = test::coarse_matrix(random, n, p, 0.4);
    std::vector<Index> y;
    for (Index i = 0; i < n; ++i) y.push_back(i % 4);
    const std::vector<double> s(y.size(), 1.0);
    const MulticlassParameters parameters{huberized_hinge(1.0), {0.02, 0.05, {}}, 0.0, true, false, 4,
                                          Margins::relative};
    std::vector<double> found;
    test::for_each_storage(x, [&](const Design& design) {
      const MulticlassProblem problem(design, y, s, parameters);
      const Solution<ClassPoint> ours = newton(problem, problem.zero(), {.tolerance = 1e-10});
      expect_solved(problem, ours, 1e-10);
      found.push_back(ours.report.objective);
    });
    // Four as they are, four standardised.
    for (std::size_t k : {1U, 2U, 3U}) EXPECT_NEAR(found[k], found[0], 1e-9);
    for (std::size_t k : {5U, 6U, 7U}) EXPECT_NEAR(found[k], found[4], 1e-7);
  }
}

// H = diag(h), for which one division is the answer; rows of the solution sum to zero and keep to the pairs.
TEST(SupportSystem, SolvesOnThePairs) {
  ClassMatrix v(3, 4);
  for (const auto& [j, k] : {std::pair{0, 0U}, {0, 1U}, {0, 3U}, {2, 1U}, {2, 2U}}) v.row(j)[k] = 1.0;
  SupportSystem system;
  system.begin(v, std::vector<double>{1.0, 1.0, 1.0});
  EXPECT_EQ(std::vector<Index>(system.rows().begin(), system.rows().end()), (std::vector<Index>{0, 2}));
  ClassMatrix h(3, 4);
  for (std::size_t k = 0; k < h.values().size(); ++k) h.values()[k] = 1.0 + static_cast<double>(k % 5);
  ClassMatrix residual = test::random_steps(4, 3, 4);
  ClassMatrix expected(3, 4);
  system.project(residual);
  system.divide(residual, h, expected);
  ClassMatrix solution(3, 4);
  system.solve(
      [&](const ClassMatrix& d, ClassMatrix& out) {
        for (std::size_t k = 0; k < d.values().size(); ++k) out.values()[k] = h.values()[k] * d.values()[k];
      },
      [](const ClassMatrix& from, ClassMatrix& to) { to = from; }, 1e-13, 50, residual, solution);
  for (std::size_t k = 0; k < v.values().size(); ++k) {
    EXPECT_NEAR(solution.values()[k], expected.values()[k], 1e-12);
    if (v.values()[k] == 0.0) {
      EXPECT_EQ(solution.values()[k], 0.0);
    }
  }
}

}  // namespace
}  // namespace hsvm
