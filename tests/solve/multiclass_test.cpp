// Both solvers on the all-together model: against hand-solved problems, the paper's algorithm as printed, each
// other, the binary model, and a referee that knows (b, W) and X alone.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hsvm/core/parallel.hpp"
#include "hsvm/solve/null_model.hpp"
#include "hsvm/solve/two_stage.hpp"
#include "tests/solve/algorithm1.hpp"
#include "tests/support/multiclass.hpp"

namespace hsvm {
namespace {

using test::DenseMulticlass;
using test::MulticlassData;
using test::Rows;
using test::Vector;

enum class Method { pg, pg2 };
constexpr Method kMethods[] = {Method::pg, Method::pg2};

template <class Problem>
Solution<typename Problem::Point> solve(const Problem& problem, Method method,
                                        const ProximalGradientOptions& options) {
  return method == Method::pg ? proximal_gradient(problem, problem.constant(), options)
                              : two_stage(problem, problem.constant(), options);
}

// The report speaks of the returned point, and the referee agrees with both bounds.
void expect_certified(const MulticlassData& data, const Solution<DenseMulticlass::Point>& solution,
                      double tolerance) {
  const auto& [u, report] = solution;
  const Rows w = test::all_rows(u, data.n_features());
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_LE(report.gap(), tolerance * report.objective_at_zero);
  EXPECT_NEAR(report.objective, test::reference_objective(data, u.b, w), 1e-13 * report.objective_at_zero);
  EXPECT_LE(report.dual_objective, report.objective + 1e-14);
  EXPECT_LE(test::largest_sum(u.b, w), 1e-12);
  // The referee's own bound, from the point alone. F grows by lambda2/2 d^2, so the point is sqrt(2
  // gap/lambda2) off at most.
  if (data.parameters.penalty.lambda2 > 0.0 && data.exact_intercept()) {
    const double dual = test::reference_dual(data, u.b, w);
    EXPECT_LE(dual, report.objective + 1e-13);
    EXPECT_GE(dual, report.objective - 1e3 * std::sqrt(tolerance) * report.objective_at_zero);
  }
}

double largest_difference(const Rows& a, const Rows& c) {
  double largest = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    for (std::size_t k = 0; k < a[j].size(); ++k) largest = std::max(largest, std::abs(a[j][k] - c[j][k]));
  }
  return largest;
}

TEST(Multiclass, SolvesTheSolvedProblems) {
  for (test::SolvedMulticlass solved : test::solved_multiclass_problems()) {
    for (const bool by_gradient : {false, true}) {
      for (const Method method : kMethods) {
        SCOPED_TRACE(solved.name);
        solved.parameters.intercept_by_gradient = by_gradient;
        const auto solution = solve(solved.problem(), method, {.tolerance = 1e-13});
        expect_certified(solved, solution, 1e-13);
        EXPECT_NEAR(solution.report.objective, solved.objective, 1e-12 * (1.0 + solved.objective));
        EXPECT_LE(solution.report.dual_objective, solved.objective * (1.0 + 1e-14));
        const Rows w = test::all_rows(solution.point, solved.n_features());
        EXPECT_LE(largest_difference(w, solved.w), 2e-6);
        EXPECT_LE(largest_difference({solution.point.b}, {solved.b}), 2e-6);
      }
    }
  }
}

TEST(Multiclass, SolversAgreeAndTheRefereeWithThem) {
  for (const MulticlassData& data : test::random_multiclass_problems()) {
    SCOPED_TRACE(data.name);
    const DenseMulticlass problem = data.problem();
    const auto one = solve(problem, Method::pg, {.tolerance = 1e-10});
    const auto two = solve(problem, Method::pg2, {.tolerance = 1e-10});
    expect_certified(data, one, 1e-10);
    expect_certified(data, two, 1e-10);
    EXPECT_LE(two.report.dual_objective, one.report.objective + 1e-14);
    EXPECT_LE(one.report.dual_objective, two.report.objective + 1e-14);
    const Rows w = test::all_rows(one.point, data.n_features());
    EXPECT_LE(test::reference_violation(data, one.point.b, w), 1e-3);
    if (data.parameters.penalty.lambda2 > 0.0) {
      EXPECT_LE(largest_difference(w, test::all_rows(two.point, data.n_features())), 1e-3);
    }
  }
}

// M-PGH [XAC15, Alg. 3] as printed, with the row problem by bisection: the same iterates.
test::Composite as_printed(const MulticlassData& data) {
  const std::size_t J = data.n_classes();
  const std::size_t p = data.n_features();
  const auto split = [=](const Vector& u) {  // b, then the rows of W
    std::pair<Vector, Rows> result{Vector(u.begin(), u.begin() + static_cast<std::ptrdiff_t>(J)), {}};
    for (std::size_t j = 1; j <= p; ++j) {
      const auto begin = u.begin() + static_cast<std::ptrdiff_t>(j * J);
      result.second.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(J));
    }
    return result;
  };
  test::Composite composite;
  composite.f = [=, &data](const Vector& u) {
    const auto [b, w] = split(u);
    return test::reference_smooth(data, b, w);
  };
  composite.g = [=, &data](const Vector& u) {
    const auto [b, w] = split(u);
    return test::reference_objective(data, b, w) - test::reference_smooth(data, b, w);
  };
  composite.gradient = [=, &data](const Vector& u) {
    const auto [b, w] = split(u);
    const test::MulticlassGradient gradient = test::reference_gradient(data, b, w);
    Vector result = gradient.b;
    for (const Vector& row : gradient.w) result.insert(result.end(), row.begin(), row.end());
    return result;
  };
  composite.prox = [=, &data](const Vector& v, double L) {
    Vector result(v.size());
    for (std::size_t row = 0; row <= p; ++row) {
      const double lambda2 = row == 0 ? data.parameters.lambda3 : data.parameters.penalty.lambda2;
      const double threshold = row == 0 ? 0.0 : data.parameters.penalty.threshold(static_cast<Index>(row) - 1);
      const auto entry = [&](std::size_t k, double sigma) {
        const double t = L * v[row * J + k] - sigma;
        return (t > threshold ? t - threshold : std::min(0.0, t + threshold)) / (L + lambda2);
      };
      double low = -1e3;
      double high = 1e3;
      for (int step = 0; step < 200; ++step) {
        const double sigma = 0.5 * (low + high);
        double sum = 0.0;
        for (std::size_t k = 0; k < J; ++k) sum += entry(k, sigma);
        (sum > 0.0 ? low : high) = sigma;
      }
      for (std::size_t k = 0; k < J; ++k) result[row * J + k] = entry(k, low);
    }
    return result;
  };
  composite.L_f = data.problem().lipschitz();
  composite.n = 2.0 * static_cast<double>(data.y.size() * J);  // L_0 = L_m/(n J)
  return composite;
}

TEST(Multiclass, StepsAreThoseOfThePaper) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const MulticlassData data = test::random_multiclass_problem({.seed = seed,
                                                                 .n = 12,
                                                                 .p = 4,
                                                                 .n_classes = static_cast<Index>(2 + seed),
                                                                 .intercept = test::InterceptKind::by_gradient,
                                                                 .weights = seed == 2,
                                                                 .factors = seed == 3});
    const DenseMulticlass problem = data.problem();
    constexpr int kIterations = 25;
    const test::History history = test::algorithm1(
        as_printed(data), Vector((data.n_features() + 1) * data.n_classes(), 0.0), {}, kIterations);
    for (const int iterations : {1, 2, 5, kIterations}) {
      const auto solution =
          proximal_gradient(problem, problem.zero(),
                            {.max_iterations = iterations, .tolerance = 1e-300, .stopping = Stopping::paper});
      Vector u = solution.point.b;
      for (const Vector& row : test::all_rows(solution.point, data.n_features()))
        u.insert(u.end(), row.begin(), row.end());
      const Vector& expected = history.u[static_cast<std::size_t>(iterations)];
      for (std::size_t k = 0; k < u.size(); ++k)
        ASSERT_NEAR(u[k], expected[k], 1e-9) << seed << ", " << iterations;
    }
  }
}

TEST(Multiclass, PaperRuleEndsNearTheAnswer) {
  for (MulticlassData data : test::random_multiclass_problems()) {
    if (data.parameters.penalty.lambda2 == 0.0) continue;
    SCOPED_TRACE(data.name);
    const auto exact = solve(data.problem(), Method::pg, {.tolerance = 1e-9});
    data.parameters.intercept_by_gradient = true;
    const DenseMulticlass problem = data.problem();
    for (const Method method : kMethods) {
      const ProximalGradientOptions options{.tolerance = 1e-8, .stopping = Stopping::paper};
      const auto solution = method == Method::pg ? proximal_gradient(problem, problem.zero(), options)
                                                 : two_stage(problem, problem.zero(), options);
      EXPECT_EQ(solution.report.status, Status::converged);
      EXPECT_LE(test::largest_sum(solution.point.b, test::all_rows(solution.point, data.n_features())), 1e-12);
      EXPECT_NEAR(solution.report.objective, exact.report.objective, 1e-4 * exact.report.objective_at_zero);
      EXPECT_LE(solution.report.dual_objective, exact.report.objective + 1e-14);
    }
  }
}

TEST(Multiclass, Lambda1MaxIsWhereTheFirstRowComesIn) {
  for (MulticlassData data : test::random_multiclass_problems()) {
    SCOPED_TRACE(data.name);
    data.parameters.penalty.lambda1 = 7.0;  // it must not matter
    const auto problem = data.problem();
    const double lambda1_max = lambda1_max_at(problem, null_point(problem));
    EXPECT_GT(lambda1_max, 0.0);
    const bool exact = data.problem().unpenalised().empty();
    const auto penalised_rows = [&](double lambda1, Method method) {
      data.parameters.penalty.lambda1 = lambda1;
      const auto solution = solve(data.problem(), method, {.tolerance = 1e-11});
      EXPECT_EQ(solution.report.status, Status::converged);
      return std::count_if(solution.point.rows.begin(), solution.point.rows.end(),
                           [&](Index j) { return data.parameters.penalty.threshold(j) > 0.0; });
    };
    for (const Method method : kMethods) {
      EXPECT_EQ(penalised_rows(lambda1_max * (exact ? 1.0 : 1.0 + 1e-4), method), 0);
      EXPECT_GT(penalised_rows(0.999 * lambda1_max, method), 0);
    }
  }
}

TEST(Multiclass, OfTwoClassesIsTheBinaryModelAtTwiceThePenalties) {
  for (const test::ProblemData& binary : test::random_problems()) {
    SCOPED_TRACE(binary.name);
    const BinaryParameters& p = binary.parameters;
    MulticlassData data{binary.name, binary.x, {}, binary.s, {}};
    for (const double sign : binary.y) data.y.push_back(sign > 0.0 ? 1 : 0);
    data.parameters = {p.loss,
                       {0.5 * p.penalty.lambda1, 0.5 * p.penalty.lambda2, p.penalty.factors},
                       0.5 * p.lambda3,
                       p.intercept,
                       p.intercept_by_gradient,
                       2};
    const test::DenseProblem two = binary.problem();
    const auto expected = proximal_gradient(two, two.constant(), {.tolerance = 1e-13});
    for (const Method method : kMethods) {
      const auto solution = solve(data.problem(), method, {.tolerance = 1e-13});
      const double smallest_gap = std::min(expected.report.relative_gap(), solution.report.relative_gap());
      EXPECT_LE(smallest_gap, 1e-12);  // rounding may end a solve at 1e-13
      EXPECT_NEAR(solution.report.objective, expected.report.objective, 1e-8);
      if (p.penalty.lambda2 == 0.0) continue;  // W need not be unique
      for (std::size_t i = 0; i < data.y.size(); ++i) {
        const auto scores = solution.point.scores.row(static_cast<Index>(i));
        EXPECT_NEAR(scores[1], expected.point.scores[i], 1e-5);
        EXPECT_NEAR(scores[0], -scores[1], 1e-12);
      }
    }
  }
}

TEST(Multiclass, PermutingTheClassesPermutesTheAnswer) {
  const MulticlassData data = test::random_multiclass_problem({.seed = 3, .n = 30, .p = 8, .n_classes = 4});
  const std::vector<Index> to = {2, 0, 3, 1};
  MulticlassData permuted = data;
  for (Index& y : permuted.y) y = to[static_cast<std::size_t>(y)];
  for (const Method method : kMethods) {
    const auto one = solve(data.problem(), method, {.tolerance = 1e-13});
    const auto two = solve(permuted.problem(), method, {.tolerance = 1e-13});
    EXPECT_NEAR(one.report.objective, two.report.objective, 1e-12);
    Rows w = test::all_rows(one.point, 8);
    w.push_back(one.point.b);
    Rows v = test::all_rows(two.point, 8);
    v.push_back(two.point.b);
    for (std::size_t j = 0; j < w.size(); ++j) {
      for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(v[j][static_cast<std::size_t>(to[k])], w[j][k], 1e-5);
    }
  }
}

TEST(Multiclass, DuplicatingTheSamplesChangesNothing) {
  const MulticlassData data =
      test::random_multiclass_problem({.seed = 4, .n = 15, .p = 6, .n_classes = 3, .weights = true});
  MulticlassData twice = data;
  twice.x = DenseMatrix<double>(30, 6);
  for (Index i = 0; i < 30; ++i) {
    for (Index j = 0; j < 6; ++j) twice.x(i, j) = data.x(i % 15, j);
  }
  twice.y.insert(twice.y.end(), data.y.begin(), data.y.end());
  twice.s.insert(twice.s.end(), data.s.begin(), data.s.end());
  const auto one = solve(data.problem(), Method::pg, {.tolerance = 1e-13});
  const auto two = solve(twice.problem(), Method::pg, {.tolerance = 1e-13});
  EXPECT_NEAR(one.report.objective, two.report.objective, 1e-12);
  EXPECT_LE(largest_difference(test::all_rows(one.point, 6), test::all_rows(two.point, 6)), 1e-5);

  // As does giving one of them twice the weight instead.
  MulticlassData heavy = data;
  heavy.s.assign(15, 15.0 / 16.0);
  heavy.s[3] *= 2.0;
  MulticlassData repeated = data;
  repeated.x = DenseMatrix<double>(16, 6);
  for (Index i = 0; i < 16; ++i) {
    for (Index j = 0; j < 6; ++j) repeated.x(i, j) = data.x(i < 15 ? i : 3, j);
  }
  repeated.y.push_back(data.y[3]);
  repeated.s.assign(16, 1.0);
  EXPECT_NEAR(solve(heavy.problem(), Method::pg, {.tolerance = 1e-12}).report.objective,
              solve(repeated.problem(), Method::pg, {.tolerance = 1e-12}).report.objective, 1e-11);
}

TEST(Multiclass, TakesAClassOfOneSampleOrNone) {
  for (const test::InterceptKind kind : {test::InterceptKind::penalised, test::InterceptKind::free}) {
    MulticlassData data =
        test::random_multiclass_problem({.seed = 8, .n = 20, .p = 5, .n_classes = 4, .intercept = kind});
    for (std::size_t i = 4; i < 20; ++i) data.y[i] = static_cast<Index>(i % 2);
    for (const bool empty : {false, true}) {  // classes 2 and 3 have a sample each, then 3 has none
      if (empty) data.y[3] = 0;
      for (const Method method : kMethods) {
        const auto solution = solve(data.problem(), method, {.tolerance = 1e-9});
        expect_certified(data, solution, 1e-9);
        EXPECT_LT(solution.point.b[3], std::max(solution.point.b[0], solution.point.b[1]));
      }
    }
  }
}

TEST(Multiclass, TakesAThousandClasses) {
  const test::SolvedMulticlass solved = test::even_odd_problem(1000);
  for (const Method method : kMethods) {
    const auto [u, report] = solve(solved.problem(), method, {.tolerance = 1e-9});
    EXPECT_EQ(report.status, Status::converged);
    EXPECT_NEAR(report.objective, solved.objective, 1e-9 * report.objective_at_zero);
    ASSERT_EQ(u.rows, std::vector<Index>{0});
    for (std::size_t k = 0; k < 1000; ++k)
      ASSERT_NEAR(u.w.row(0)[k], solved.w[0][k], 1e-2 * std::abs(solved.w[0][k]));
    EXPECT_LE(test::largest_sum(u.b, test::all_rows(u, 1)), 1e-12);
  }
}

TEST(Multiclass, ConstantFeaturesActAsIntercepts) {
  MulticlassData data = test::random_multiclass_problem({.seed = 6, .n = 18, .p = 5, .n_classes = 3});
  for (Index i = 0; i < 18; ++i) {
    data.x(i, 1) = 0.0;
    data.x(i, 3) = 1.0;
  }
  for (const Method method : kMethods) {
    const auto solution = solve(data.problem(), method, {.tolerance = 1e-10});
    expect_certified(data, solution, 1e-10);
    EXPECT_EQ(std::count(solution.point.rows.begin(), solution.point.rows.end(), 1), 0);
  }
  // Free intercepts leave nothing for the column of ones to do.
  data.parameters.lambda3 = 0.0;
  const auto free = solve(data.problem(), Method::pg, {.tolerance = 1e-10});
  expect_certified(data, free, 1e-10);
  EXPECT_EQ(std::count(free.point.rows.begin(), free.point.rows.end(), 3), 0);
}

TEST(Multiclass, TakesAProblemWithoutFeatures) {
  test::SolvedMulticlass solved = test::three_class_intercept_problem();
  solved.x = DenseMatrix<double>(4, 0);
  for (const Method method : kMethods) {
    const auto solution = solve(solved.problem(), method, {});
    EXPECT_EQ(solution.report.status, Status::converged);
    EXPECT_NEAR(solution.report.objective, solved.objective, 1e-6);
    EXPECT_TRUE(std::isfinite(solution.report.passes));
  }
}

TEST(Multiclass, EveryDesignGivesTheSameAnswer) {
  MulticlassData data = test::random_multiclass_problem({.seed = 9, .n = 25, .p = 12, .n_classes = 4});
  for (Index j = 0; j < 12; ++j) {
    for (Index i = 0; i < 25; ++i) {
      if ((i + 2 * j) % 3 == 0) data.x(i, j) = 0.0;
    }
  }
  const ProximalGradientOptions options{.tolerance = 1e-11};
  const auto dense = solve(data.problem(), Method::pg, options);
  const Rows w = test::all_rows(dense.point, 12);
  const auto compare = [&](const auto& design, double error) {
    const MulticlassProblem problem(design, data.y, data.s, data.parameters);
    for (const Method method : kMethods) {
      const auto other = solve(problem, method, options);
      EXPECT_EQ(other.report.status, Status::converged);
      EXPECT_NEAR(other.report.objective, dense.report.objective, error);
      EXPECT_LE(largest_difference(test::all_rows(other.point, 12), w), std::sqrt(error));
    }
  };
  compare(test::to_csc<double>(data.x), 1e-9);
  compare(test::to_dense<float>(data.x), 1e-6);
  compare(test::to_csc<float>(data.x), 1e-6);
}

TEST(Multiclass, TheSameBitsForAnyNumberOfThreads) {
  const MulticlassData data =
      test::random_multiclass_problem({.seed = 10, .n = 30, .p = 300, .n_classes = 5, .lambda1 = 0.02});
  const DenseMulticlass problem = data.problem();
  for (const Method method : kMethods) {
    std::vector<Solution<DenseMulticlass::Point>> solutions;
    for (const int threads : {1, 2, 4}) {
      with_threads(threads, [&] { solutions.push_back(solve(problem, method, {})); });
    }
    EXPECT_FALSE(solutions[0].point.rows.empty());
    for (const auto& solution : solutions) {
      EXPECT_EQ(solution.point.rows, solutions[0].point.rows);
      EXPECT_TRUE(std::ranges::equal(solution.point.w.values(), solutions[0].point.w.values()));
      EXPECT_EQ(solution.point.b, solutions[0].point.b);
      EXPECT_EQ(solution.report.dual_objective, solutions[0].report.dual_objective);
    }
  }
}

TEST(MulticlassStatus, LimitsAreKeptAndTheReportIsOfThePoint) {
  const MulticlassData data =
      test::random_multiclass_problem({.seed = 11, .n = 30, .p = 20, .n_classes = 4, .lambda2 = 1e-3});
  const DenseMulticlass problem = data.problem();
  for (const Method method : kMethods) {
    for (const int limit : {1, 3, 10}) {
      const auto solution = solve(problem, method, {.max_iterations = limit, .tolerance = 1e-13});
      EXPECT_EQ(solution.report.status, Status::iteration_limit);
      EXPECT_LE(solution.report.iterations, limit);
      const Rows w = test::all_rows(solution.point, data.n_features());
      EXPECT_NEAR(solution.report.objective, test::reference_objective(data, solution.point.b, w), 1e-13);
      EXPECT_LE(solution.report.dual_objective, solution.report.objective);
    }
  }
}

TEST(MulticlassStatus, NotFinite) {
  MulticlassData data = test::random_multiclass_problem({.seed = 12});
  data.x(0, 0) = 1e200;  // its square overflows
  for (const Method method : kMethods) {
    const auto solution = solve(data.problem(), method, {});
    EXPECT_EQ(solution.report.status, Status::not_finite);
    EXPECT_EQ(solution.report.iterations, 0);
  }
}

}  // namespace
}  // namespace hsvm
