// Newton on problems with relative margins, where the classes couple through the curvature: tall and wide ones, in
// every storage, against the proximal-gradient loop and against their own coefficients.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hsvm/core/parallel.hpp"
#include "hsvm/loss/class_sums.hpp"
#include "hsvm/newton/coupled_column_hessian.hpp"
#include "hsvm/newton/coupled_gram_hessian.hpp"
#include "hsvm/newton/newton.hpp"
#include "hsvm/newton/pair_gram_hessian.hpp"
#include "hsvm/newton/secant.hpp"
#include "hsvm/newton/support_system.hpp"
#include "tests/newton/newton_support.hpp"
#include "tests/support/multiclass.hpp"

namespace hsvm {
namespace {

using test::MulticlassData;
using Point = MulticlassProblem::Point;

// The gap of the coefficients and intercepts alone: scores, gradient and bound are formed afresh.
double gap_from_coefficients(const MulticlassProblem& problem, const Point& u) {
  const test::Rows w = test::all_rows(u, static_cast<std::size_t>(problem.n_features()));
  const Point fresh = test::make_point(problem, u.b, w);
  MulticlassProblem::Gradient gradient;
  problem.gradient(fresh, gradient);
  return problem.objective(fresh) - problem.dual_objective(fresh, gradient);
}

void expect_solved(const MulticlassProblem& problem, const Solution<Point>& solution, double tolerance) {
  EXPECT_EQ(solution.report.status, Status::converged);
  EXPECT_LE(test::largest_sum(solution.point.b,
                              test::all_rows(solution.point, static_cast<std::size_t>(problem.n_features()))),
            1e-12);
  EXPECT_LE(gap_from_coefficients(problem, solution.point),
            tolerance * problem.objective_at_zero() + 1e-12 * solution.report.objective);
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
      const Solution<Point> ours = newton(problem, problem.zero(), {.tolerance = 1e-9});
      EXPECT_FALSE(ours.report.fell_back);
      expect_solved(problem, ours, 1e-9);
      const Solution<Point> other = proximal_gradient(problem, problem.zero(), {.tolerance = 1e-6});
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
    Point u = problem.constant();
    MulticlassProblem::Gradient gradient;
    problem.gradient(u, gradient);
    double lambda1 = problem.lambda1_max(gradient);
    for (int k = 0; k < 30; ++k, lambda1 *= 0.85) {
      problem.set_lambdas(lambda1, data.parameters.penalty.lambda2, data.parameters.lambda3);
      Solution<Point> solution = solver.solve(std::move(u), {.tolerance = 1e-7});
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
  const Point before = solve(0.0102);
  const Point last = solve(0.0101);
  const Point exact = solve(0.0100);
  Point u = last;
  follow_secant(problem, before, 1.0, u);
  MulticlassProblem::Gradient gradient;
  problem.gradient(u, gradient);
  EXPECT_LT(problem.objective(u) - problem.objective(exact),
            0.1 * (problem.objective(last) - problem.objective(exact)));
  EXPECT_LE(test::largest_sum(u.b, test::all_rows(u, data.n_features())), 1e-12);
  EXPECT_LE(problem.dual_objective(u, gradient), problem.objective(exact) + 1e-14);
  Point far = last;
  follow_secant(problem, before, 1e6, far);
  EXPECT_EQ(far.rows, last.rows);
  EXPECT_LE(problem.objective(far), problem.objective(last));
}

TEST(RelativeNewton, HasTheSameBitsForAnyNumberOfThreads) {
  for (const MulticlassData& data : shapes()) {
    const MulticlassProblem problem = data.problem();
    std::vector<Solution<Point>> solutions;
    for (const int threads : {1, 3})
      with_threads(threads, [&] { solutions.push_back(newton(problem, problem.zero(), {})); });
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
      const Solution<Point> ours = newton(problem, problem.zero(), {.tolerance = 1e-10});
      expect_solved(problem, ours, 1e-10);
      found.push_back(ours.report.objective);
    });
    // Four as they are, four standardised.
    for (std::size_t k : {1U, 2U, 3U}) EXPECT_NEAR(found[k], found[0], 1e-9);
    for (std::size_t k : {5U, 6U, 7U}) EXPECT_NEAR(found[k], found[4], 1e-7);
  }
}

ClassMatrix random_steps(std::uint64_t seed, Index rows, Index n_classes) {
  Random random(seed);
  ClassMatrix d(rows, n_classes);
  for (Index j = 0; j < rows; ++j) {
    double sum = 0.0;
    for (double& value : d.row(j)) sum += value = random.normal();
    for (double& value : d.row(j)) value -= sum / static_cast<double>(n_classes);
  }
  return d;
}

// Rows moved one after the other change the gradient by what apply says, and apply is the sum over samples.
TEST(CoupledColumnHessian, MovesAndProductsAgree) {
  Random random(9);
  const Index n = 20;
  const Index n_classes = 5;
  const DenseMatrix<double> x = test::coarse_matrix(random, n, 6, 0.5);
  std::vector<Index> y;
  std::vector<double> s;
  ClassMatrix z(n, n_classes);
  for (Index i = 0; i < n; ++i) {
    y.push_back(static_cast<Index>(random.below(5)));
    s.push_back(random.uniform());
    for (double& value : z.row(i)) value = random.normal();
  }
  ClassMatrix curvatures;
  find_curvatures(huberized_hinge(2.0), {y, s, Margins::relative}, z, 1.0, false, curvatures);
  for (const bool intercept : {false, true}) {
    test::for_each_storage(x, [&](const Design& design) {
      WorkingColumns columns(design, intercept);
      columns.change(std::vector<Index>{0, 2, 3, 5});
      const Index m = columns.size();
      const std::vector<double> ridge(static_cast<std::size_t>(m), 0.3);
      const ClassMatrix g = random_steps(1, m, n_classes);
      const ClassMatrix d = random_steps(2, m, n_classes);
      CoupledColumnHessian hessian;
      hessian.begin(columns, y, curvatures, ridge, g);
      hessian.prepare_sweeps();
      ClassMatrix whole(m, n_classes);
      ClassMatrix product(m, n_classes);
      const std::vector<Index> rows = all_indices(m);
      hessian.apply(rows, d, whole);
      for (Index j = 0; j < m; ++j) hessian.move(j, d.row(j));
      std::vector<double> q(static_cast<std::size_t>(n_classes));
      std::vector<double> h(q.size());
      for (Index j = 0; j < m; ++j) {
        hessian.gradient(j, q);
        for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(q[k], g.row(j)[k] + whole.row(j)[k], 1e-11);
        // The block of the row is at most the curvature: for this step, and exactly half of it for unit ones.
        hessian.curvature(j, h);
        ClassMatrix one(m, n_classes);
        std::ranges::copy(d.row(j), one.row(j).begin());
        hessian.apply(rows, one, product);
        double along = 0.0;
        double bound = 0.0;
        for (std::size_t k = 0; k < q.size(); ++k) {
          along += d.row(j)[k] * product.row(j)[k];
          bound += h[k] * d.row(j)[k] * d.row(j)[k];
        }
        EXPECT_LE(along, bound + 1e-10);
        for (std::size_t k = 0; k < q.size(); ++k) {
          one.reset(m, n_classes);
          one.row(j)[k] = 1.0;
          hessian.apply(rows, one, product);
          EXPECT_NEAR(2.0 * (product.row(j)[k] - 0.3) + 0.3, h[k], 1e-10);
        }
      }
    });
  }
}

// The same model with matrices for the pairs, made anew and brought up to date.
TEST(PairGramHessian, IsTheModelOfTheColumns) {
  Random random(11);
  const Index n = 40;
  const Index n_classes = 4;
  const DenseMatrix<double> x = test::coarse_matrix(random, n, 6, 0.6);
  std::vector<Index> y;
  std::vector<double> s;
  ClassMatrix z(n, n_classes);
  for (Index i = 0; i < n; ++i) {
    y.push_back(static_cast<Index>(random.below(4)));
    s.push_back(random.below(6) == 0 ? 0.0 : random.uniform());
    for (double& value : z.row(i)) value = random.normal();
  }
  const MarginLoss loss = huberized_hinge(2.0);
  test::for_each_storage(x, [&](const Design& design) {
    WorkingColumns columns(design, true);
    PairGramHessian pairs;
    CoupledColumnHessian own;
    for (int round = 0; round < 4; ++round) {
      // Few samples cross, many do, and the columns change.
      columns.change(round < 3 ? std::vector<Index>{0, 2, 3, 5} : std::vector<Index>{0, 2, 3});
      ClassMatrix moved = z;
      for (double& value : moved.row(round)) value += round == 2 ? 9.0 : 0.5;
      if (round == 2) std::ranges::reverse(moved.values());
      ClassMatrix curvatures;
      find_curvatures(loss, {y, s, Margins::relative}, moved, 0.5, false, curvatures);
      const Index m = columns.size();
      const std::vector<double> ridge(static_cast<std::size_t>(m), 0.3);
      const ClassMatrix g = random_steps(1, m, n_classes);
      const ClassMatrix d = random_steps(2, m, n_classes);
      own.begin(columns, y, curvatures, ridge, g);
      own.prepare_sweeps();
      pairs.refresh(columns, y, s, curvatures);
      pairs.begin(0.5, ridge, g);
      const std::vector<Index> rows = all_indices(m);
      ClassMatrix expected(m, n_classes);
      ClassMatrix product(m, n_classes);
      own.apply(rows, d, expected);
      pairs.apply(rows, d, product);
      for (Index j = 0; j < m; ++j) pairs.move(j, d.row(j));
      std::vector<double> q(static_cast<std::size_t>(n_classes));
      std::vector<double> h(q.size());
      std::vector<double> expected_h(q.size());
      for (Index j = 0; j < m; ++j) {
        pairs.gradient(j, q);
        pairs.curvature(j, h);
        own.curvature(j, expected_h);
        for (std::size_t k = 0; k < q.size(); ++k) {
          EXPECT_NEAR(product.row(j)[k], expected.row(j)[k], 1e-10);
          EXPECT_NEAR(q[k], g.row(j)[k] + expected.row(j)[k], 1e-10);
          EXPECT_NEAR(h[k], expected_h[k], 1e-10);
        }
      }
    }
  });
}

// Where all samples have the same curvature the mean model is the model.
TEST(CoupledGramHessian, IsTheModelWhereCurvaturesAreAlike) {
  Random random(10);
  const Index n = 15;
  const Index n_classes = 3;
  const DenseMatrix<double> x = test::coarse_matrix(random, n, 4);
  const std::vector<Index> y(static_cast<std::size_t>(n), 1);
  const std::vector<double> s(y.size(), 1.0);
  ClassMatrix curvatures(n, n_classes);
  ClassMatrix pairs(n_classes, n_classes);
  for (Index i = 0; i < n; ++i) {
    curvatures.row(i)[0] = 0.5;
    curvatures.row(i)[2] = 0.25;
    for (std::size_t k : {0U, 2U}) pairs.row(1)[k] += curvatures.row(i)[k];
  }
  WorkingColumns columns(x, true);
  columns.change(std::vector<Index>{0, 1, 3});
  SymmetricMatrix gram(columns.size());
  columns.add_gram(all_indices(n), s, 1.0, 0, gram);
  gram.mirror();
  const std::vector<double> ridge(static_cast<std::size_t>(columns.size()), 0.1);
  const ClassMatrix g = random_steps(1, columns.size(), n_classes);
  const ClassMatrix d = random_steps(2, columns.size(), n_classes);
  CoupledColumnHessian own;
  own.begin(columns, y, curvatures, ridge, g);
  CoupledGramHessian mean;
  mean.begin(gram, static_cast<double>(n), pairs, ridge, g);
  ClassMatrix expected(columns.size(), n_classes);
  ClassMatrix product(columns.size(), n_classes);
  const std::vector<Index> rows = all_indices(columns.size());
  own.apply(rows, d, expected);
  mean.apply(rows, d, product);
  for (Index j = 0; j < columns.size(); ++j) mean.move(j, d.row(j));
  std::vector<double> q(static_cast<std::size_t>(n_classes));
  for (Index j = 0; j < columns.size(); ++j) {
    mean.gradient(j, q);
    for (std::size_t k = 0; k < q.size(); ++k) {
      EXPECT_NEAR(product.row(j)[k], expected.row(j)[k], 1e-11);
      EXPECT_NEAR(q[k], g.row(j)[k] + expected.row(j)[k], 1e-11);
    }
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
  ClassMatrix residual = random_steps(4, 3, 4);
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
