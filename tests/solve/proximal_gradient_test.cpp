// Three kinds of tests: the steps, against Algorithm 1 as printed; the answers, against hand-solved problems
// and certificates computed from (b, w) and X alone; and the ends, every status.
#include "hsvm/solve/proximal_gradient.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "hsvm/core/parallel.hpp"
#include "hsvm/penalty/elastic_net.hpp"
#include "tests/solve/algorithm1.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/reference.hpp"

namespace hsvm {
namespace {

using test::DenseProblem;
using test::ProblemData;
using test::Vector;

// f(u) = 1/2 sum_j h_j (u_j - target_j)^2, g(u) = lambda1 |u|_1, and a diary of what the solver asks for.
struct QuadraticProblem {
  struct Point {
    Vector w;
    Vector scores;  // only their number matters: L_0 = 2 L_f / n
  };
  struct Gradient {
    Vector w;
  };

  Vector h, target;
  double lambda1 = 0.0;
  double L_f = 1.0;
  double dual = 0.0;
  double rounding = 0.0;
  int objectives_until_nan = -1;
  mutable std::vector<double> L_asked = {};
  mutable int gradients = 0;
  mutable int objectives = 0;

  mutable double n_samples = 1.0;  // those of start()

  [[nodiscard]] Point start(std::size_t n) const {
    n_samples = static_cast<double>(n);
    return {Vector(h.size()), Vector(n)};
  }
  [[nodiscard]] double smooth(const Vector& u) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < u.size(); ++j) sum += 0.5 * h[j] * (u[j] - target[j]) * (u[j] - target[j]);
    return sum;
  }
  [[nodiscard]] Vector slope(const Vector& u) const {
    Vector result(u.size());
    for (std::size_t j = 0; j < u.size(); ++j) result[j] = h[j] * (u[j] - target[j]);
    return result;
  }

  [[nodiscard]] double objective_rounding(const Point& /*u*/, double /*objective*/) const { return rounding; }
  struct Careful {
    double value, rounding;
  };
  [[nodiscard]] Careful careful_objective(const Point& u) const { return {objective(u), rounding}; }
  void refresh_scores(Point& /*u*/) const {}
  [[nodiscard]] double objective(const Point& u) const {
    if (++objectives == objectives_until_nan) return std::numeric_limits<double>::quiet_NaN();
    return smooth(u.w) + ElasticNet{lambda1, 0.0, {}}.value(u.w);
  }
  [[nodiscard]] double objective_at_zero() const { return smooth(Vector(h.size())); }
  [[nodiscard]] double lipschitz() const { return L_f; }
  [[nodiscard]] double initial_bound(double bound) const { return 2.0 * bound / n_samples; }
  void gradient(const Point& u, Gradient& gradient) const {
    ++gradients;
    gradient.w = slope(u.w);
  }
  void proximal_step(const Point& at, const Gradient& gradient, double L, Point& next) const {
    L_asked.push_back(L);
    next = at;
    const ElasticNet penalty{lambda1, 0.0, {}};
    for (std::size_t j = 0; j < at.w.size(); ++j)
      next.w[j] = penalty.proximal_step(static_cast<Index>(j), at.w[j], gradient.w[j], L);
  }
  void extrapolate(const Point& u, const Point& previous, double omega, Point& out) const {
    out = u;
    for (std::size_t j = 0; j < u.w.size(); ++j) out.w[j] += omega * (u.w[j] - previous.w[j]);
  }
  [[nodiscard]] double divergence(const Point& u, const Point& at) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < h.size(); ++j) sum += 0.5 * h[j] * (u.w[j] - at.w[j]) * (u.w[j] - at.w[j]);
    return sum;
  }
  [[nodiscard]] double squared_distance(const Point& u, const Point& v) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < h.size(); ++j) sum += (u.w[j] - v.w[j]) * (u.w[j] - v.w[j]);
    return sum;
  }
  [[nodiscard]] double squared_norm(const Point& u) const {
    return squared_distance(u, {Vector(h.size()), {}});
  }
  [[nodiscard]] double dual_objective(const Point&, const Gradient&) const { return dual; }
  [[nodiscard]] Index count_nonzeros(const Point&) const { return 7; }
  [[nodiscard]] Index n_features() const { return static_cast<Index>(h.size()); }
};
static_assert(CompositeProblem<QuadraticProblem>);

QuadraticProblem ill_conditioned() {
  return {.h = {1.0, 0.2, 0.03, 0.004, 0.0005}, .target = {1, -2, 3, -4, 5}, .lambda1 = 0.001, .L_f = 4.0};
}

test::Composite composite(const QuadraticProblem& problem, double n) {
  test::Composite result;
  result.f = [&problem](const Vector& u) { return problem.smooth(u); };
  result.gradient = [&problem](const Vector& u) { return problem.slope(u); };
  result.g = [&problem](const Vector& u) { return ElasticNet{problem.lambda1, 0.0, {}}.value(u); };
  result.prox = [&problem](const Vector& v, double L) {
    Vector out(v.size());
    for (std::size_t j = 0; j < v.size(); ++j) out[j] = shrink(v[j], problem.lambda1 / L);
    return out;
  };
  result.L_f = problem.L_f;
  result.n = n;
  return result;
}

// The four settings of the loop: the paper's, Nesterov's, Schmidt's, and the first stage of the two-stage
// method.
const std::vector<test::Settings> kSettings = {{},
                                               {.monotone = false},
                                               {.backtracking = false, .monotone = false},
                                               {.backtracking = false, .extrapolation = false},
                                               {.eta = 3.0}};

ProximalGradientOptions options_of(const test::Settings& settings, int iterations) {
  ProximalGradientOptions options;
  options.max_iterations = iterations;
  options.tolerance = 1e-300;
  options.backtracking = settings.backtracking;
  options.monotone = settings.monotone;
  options.extrapolation = settings.extrapolation;
  options.eta = settings.eta;
  return options;
}

void expect_near(const Vector& actual, const Vector& expected, double error, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t j = 0; j < actual.size(); ++j)
    ASSERT_NEAR(actual[j], expected[j], error) << what << ", entry " << j;
}

TEST(ProximalGradient, TakesTheStepsOfAlgorithm1OnAQuadratic) {
  constexpr int kIterations = 150;
  int backtracks = 0;
  int re_updates = 0;
  for (const test::Settings& settings : kSettings) {
    const QuadraticProblem problem = ill_conditioned();
    const test::History history = algorithm1(composite(problem, 40.0), Vector(5), settings, kIterations);
    for (int k = 1; k <= kIterations; k += k < 20 ? 1 : 10) {
      const auto solution = proximal_gradient(problem, problem.start(40), options_of(settings, k));
      ASSERT_EQ(solution.report.iterations, k);
      expect_near(solution.point.w, history.u[static_cast<std::size_t>(k)], 1e-10,
                  "iteration " + std::to_string(k));
    }
    backtracks += history.backtracks;
    re_updates += history.re_updates;
  }
  EXPECT_GT(backtracks, 5);  // else the comparison says little
  EXPECT_GT(re_updates, 1);
}

TEST(ProximalGradient, StartsAtTwiceLfOverNAndGrowsByEta) {
  QuadraticProblem problem = ill_conditioned();
  problem.L_f = 1.05;  // f needs 1.0; 1.05 is less than a factor of eta above it
  static_cast<void>(proximal_gradient(problem, problem.start(10), options_of({}, 50)));
  ASSERT_FALSE(problem.L_asked.empty());
  EXPECT_DOUBLE_EQ(problem.L_asked.front(), 0.21);  // 2 L_f / n
  for (std::size_t k = 1; k < problem.L_asked.size(); ++k) {
    const double before = problem.L_asked[k - 1];
    const double now = problem.L_asked[k];
    EXPECT_TRUE(now == before || now == std::min(1.5 * before, 1.05)) << before << " to " << now;
    EXPECT_LE(now, 1.05);
  }
  EXPECT_GT(problem.L_asked.back(), 0.21);
}

TEST(ProximalGradient, NeverGoesAboveLf) {
  QuadraticProblem liar = ill_conditioned();
  liar.L_f = 0.3;  // too small to bound f: the loop must still end at it, not run on for ever
  const auto solution = proximal_gradient(liar, liar.start(100), options_of({}, 5));
  EXPECT_EQ(solution.report.iterations, 5);
  for (const double L : liar.L_asked) EXPECT_LE(L, 0.3);

  QuadraticProblem one_sample = ill_conditioned();
  static_cast<void>(proximal_gradient(one_sample, one_sample.start(1), options_of({}, 5)));
  for (const double L : one_sample.L_asked) EXPECT_EQ(L, one_sample.L_f);  // 2 L_f / n would be above

  QuadraticProblem constant = ill_conditioned();
  static_cast<void>(proximal_gradient(constant, constant.start(100), options_of({.backtracking = false}, 20)));
  for (const double L : constant.L_asked) EXPECT_EQ(L, constant.L_f);
}

TEST(ProximalGradient, CountsItsPasses) {
  for (const test::Settings& settings : kSettings) {
    const QuadraticProblem problem = ill_conditioned();
    const auto solution = proximal_gradient(problem, problem.start(40), options_of(settings, 60));
    const double products =
        1.0 + problem.gradients + static_cast<double>(problem.L_asked.size());  // 1: for L_f
    EXPECT_EQ(solution.report.passes, 0.5 * products);
  }
}

// Algorithm 1 on the binary problem itself, from the formulas; the intercept is a variable, as in the paper.
test::Composite composite(const ProblemData& data) {
  const auto split = [](const Vector& u) { return Vector(u.begin() + 1, u.end()); };
  test::Composite result;
  result.f = [=, &data](const Vector& u) { return test::reference_smooth(data, u[0], split(u)); };
  result.g = [=, &data](const Vector& u) {
    return test::reference_objective(data, u[0], split(u)) - test::reference_smooth(data, u[0], split(u));
  };
  result.gradient = [=, &data](const Vector& u) {
    const test::ReferenceGradient gradient = test::reference_gradient(data, u[0], split(u));
    Vector all = {gradient.b};
    all.insert(all.end(), gradient.w.begin(), gradient.w.end());
    return all;
  };
  result.prox = [&data](const Vector& v, double L) {
    const ElasticNet& penalty = data.parameters.penalty;
    Vector out = {data.parameters.intercept ? L * v[0] / (L + data.parameters.lambda3) : 0.0};
    for (std::size_t j = 1; j < v.size(); ++j) {
      out.push_back(shrink(L * v[j], penalty.threshold(j - 1)) / (L + penalty.lambda2));
    }
    return out;
  };
  result.L_f = data.problem().lipschitz();
  result.n = static_cast<double>(data.y.size());
  return result;
}

TEST(ProximalGradient, TakesTheStepsOfAlgorithm1OnTheBinaryProblem) {
  constexpr int kIterations = 40;
  int backtracks = 0;
  for (const ProblemData& data : test::random_problems()) {
    if (data.exact_intercept()) continue;
    SCOPED_TRACE(data.name);
    const DenseProblem problem = data.problem();
    for (const test::Settings& settings : kSettings) {
      const Vector start(static_cast<std::size_t>(data.x.cols()) + 1);
      const test::History history = algorithm1(composite(data), start, settings, kIterations);
      for (const int k : {1, 2, 3, 5, 10, 20, 40}) {
        const auto solution = proximal_gradient(problem, problem.zero(), options_of(settings, k));
        ASSERT_EQ(solution.report.iterations, k);
        Vector u = {solution.point.b};
        std::ranges::copy(test::all_coefficients(solution.point.w, data.x.cols()), std::back_inserter(u));
        expect_near(u, history.u[static_cast<std::size_t>(k)], 1e-9, "iteration " + std::to_string(k));
      }
      backtracks += history.backtracks;
    }
  }
  EXPECT_GT(backtracks, 20);
}

TEST(ProximalGradient, ObjectiveNeverRisesWhereMonotone) {
  for (const ProblemData& data : test::random_problems()) {
    SCOPED_TRACE(data.name);
    const DenseProblem problem = data.problem();
    std::vector<double> objectives;
    const SolveMonitor monitor{.interrupted = {},
                               .progress = [&](const Progress& p) { objectives.push_back(p.objective); },
                               .interval = 0.0};
    static_cast<void>(proximal_gradient(problem, problem.zero(), options_of({}, 150), monitor));
    ASSERT_GT(objectives.size(), 1U);
    for (std::size_t k = 1; k < objectives.size(); ++k)
      EXPECT_LE(objectives[k], objectives[k - 1] * (1.0 + 1e-14));
  }
}

TEST(ProximalGradient, SolvesTheSolvedProblems) {
  for (test::SolvedProblem solved : test::solved_problems()) {
    for (const bool by_gradient : {false, true}) {
      for (const test::Settings& settings : kSettings) {
        SCOPED_TRACE(solved.name);
        solved.parameters.intercept_by_gradient = by_gradient;
        const DenseProblem problem = solved.problem();
        ProximalGradientOptions options = options_of(settings, 100'000);
        options.tolerance = 1e-13;
        const auto [point, report] = proximal_gradient(problem, problem.zero(), options);
        EXPECT_EQ(report.status, Status::converged);
        EXPECT_NEAR(report.objective, solved.objective, 1e-12);
        EXPECT_LE(report.dual_objective, solved.objective + 1e-15);
        EXPECT_LE(report.gap(), 1e-13 * report.objective_at_zero);
        EXPECT_NEAR(point.b, solved.b, 2e-6);
        const Vector w = test::all_coefficients(point.w, problem.n_features());
        expect_near(w, solved.w, 2e-6, "w");
        for (std::size_t j = 0; j < w.size(); ++j) {
          if (solved.w[j] == 0.0) {
            EXPECT_EQ(w[j], 0.0);
          }
        }
      }
    }
  }
}

TEST(ProximalGradient, TwoPointsAreAllZeroExactlyFromLambda1Of1) {
  test::SolvedProblem solved = test::two_point_problem();
  for (const double lambda1 : {1.0, 1.5, 0.999}) {
    solved.parameters.penalty.lambda1 = lambda1;
    const DenseProblem problem = solved.problem();
    const auto solution = proximal_gradient(problem, problem.zero(), {.tolerance = 1e-12});
    EXPECT_EQ(solution.report.status, Status::converged);
    EXPECT_EQ(solution.point.w[0] == 0.0, lambda1 >= 1.0) << lambda1;
  }
}

// What a loose run claims is judged by a tight run's certificate, and that one by the referee.
TEST(ProximalGradient, KeepsItsWordOnRandomProblems) {
  for (const ProblemData& data : test::random_problems()) {
    SCOPED_TRACE(data.name);
    const DenseProblem problem = data.problem();
    const auto tight = proximal_gradient(problem, problem.zero(), {.tolerance = 1e-11});
    ASSERT_EQ(tight.report.status, Status::converged);
    const double lower = test::reference_dual(data, tight.point);
    const double upper = test::reference_objective(data, tight.point);
    EXPECT_NEAR(upper, tight.report.objective, 1e-14);
    EXPECT_LE(lower, upper + 1e-15);
    EXPECT_LE(upper - lower, 1e-4);
    EXPECT_LE(test::reference_violation(data, tight.point), 1e-4);

    for (const test::Settings& settings : kSettings) {
      for (const double tolerance : {1e-2, 1e-6}) {
        ProximalGradientOptions options = options_of(settings, 100'000);
        options.tolerance = tolerance;
        const auto [point, report] = proximal_gradient(problem, problem.zero(), options);
        EXPECT_EQ(report.status, Status::converged);
        EXPECT_EQ(report.objective_at_zero, problem.objective_at_zero());
        EXPECT_LE(report.gap(), tolerance * report.objective_at_zero);
        EXPECT_NEAR(report.objective, test::reference_objective(data, point), 1e-12);
        // The minimum lies between tight.report's bounds, and must lie between these.
        EXPECT_LE(report.dual_objective, upper + 1e-14);
        EXPECT_GE(report.objective, tight.report.dual_objective - 1e-14);
        EXPECT_LE(report.objective - tight.report.dual_objective,
                  tolerance * report.objective_at_zero + tight.report.gap() + 1e-14);
      }
    }
  }
}

TEST(ProximalGradient, AgreesOverEveryDesign) {
  for (const bool factors : {false, true}) {
    const ProblemData data = test::random_problem({.seed = 21,
                                                   .n = 40,
                                                   .p = 60,
                                                   .lambda1 = 0.03,
                                                   .factors = factors,
                                                   .positive_share = 0.3,
                                                   .density = 0.3});
    const DenseProblem dense = data.problem();
    const ProximalGradientOptions options{.tolerance = 1e-10};
    const auto reference = proximal_gradient(dense, dense.zero(), options);
    ASSERT_EQ(reference.report.status, Status::converged);
    const auto check = [&](const auto& design, double error) {
      const BinaryProblem problem(design, data.y, data.s, data.parameters);
      const auto solution = proximal_gradient(problem, problem.zero(), options);
      EXPECT_EQ(solution.report.status, Status::converged);
      EXPECT_NEAR(solution.report.objective, reference.report.objective, error);
      for (Index j = 0; j < problem.n_features(); ++j)
        EXPECT_NEAR(solution.point.w[j], reference.point.w[j], 100.0 * std::sqrt(error * 1e-4)) << j;
    };
    check(test::to_csc<double>(data.x), 1e-10);
    check(test::to_dense<float>(data.x), 1e-6);
    check(test::to_csc<float>(data.x), 1e-6);
  }
}

TEST(ProximalGradient, TheSameBitsForAnyNumberOfThreads) {
  const ProblemData data = test::random_problem({.seed = 4, .n = 30, .p = 300, .lambda1 = 0.1});
  const DenseProblem problem = data.problem();
  std::vector<Solution<DenseProblem::Point>> solutions;
  for (const int threads : {1, 2, 4}) {
    with_threads(threads, [&] { solutions.push_back(proximal_gradient(problem, problem.zero(), {})); });
  }
  for (const auto& solution : solutions) {
    EXPECT_EQ(solution.point.w, solutions[0].point.w);
    EXPECT_EQ(solution.point.b, solutions[0].point.b);
    EXPECT_EQ(solution.report.iterations, solutions[0].report.iterations);
  }
}

// Solutions of the same problem in other words. Strong convexity turns gaps into distances: |u - u*|^2 <= 2 gap
// / lambda.
class Invariance : public testing::TestWithParam<test::InterceptKind> {
 protected:
  [[nodiscard]] ProblemData data() const {
    return test::random_problem({.seed = 31,
                                 .n = 20,
                                 .p = 9,
                                 .intercept = GetParam(),
                                 .weights = true,
                                 .factors = true,
                                 .positive_share = 0.3});
  }
  struct Solved {
    double b;
    Vector w;
  };
  static Solved solve(const ProblemData& data) {
    const DenseProblem problem = data.problem();
    auto solution = proximal_gradient(problem, problem.zero(), {.tolerance = 1e-13});
    EXPECT_EQ(solution.report.status, Status::converged);
    return {solution.point.b, test::all_coefficients(solution.point.w, problem.n_features())};
  }
  static constexpr double kError = 3e-6;
};

TEST_P(Invariance, FlippingTheLabelsFlipsTheSigns) {
  ProblemData flipped = data();
  for (double& y : flipped.y) y = -y;
  const Solved u = solve(data());
  const Solved v = solve(flipped);
  EXPECT_NEAR(v.b, -u.b, kError);
  for (std::size_t j = 0; j < u.w.size(); ++j) EXPECT_NEAR(v.w[j], -u.w[j], kError);
}

TEST_P(Invariance, FlippingAFeatureFlipsItsCoefficient) {
  ProblemData flipped = data();
  for (Index i = 0; i < flipped.x.rows(); ++i) flipped.x(i, 3) = -flipped.x(i, 3);
  const Solved u = solve(data());
  const Solved v = solve(flipped);
  for (std::size_t j = 0; j < u.w.size(); ++j) EXPECT_NEAR(v.w[j], j == 3 ? -u.w[j] : u.w[j], kError);
}

TEST_P(Invariance, PermutingSamplesChangesNothing) {
  const ProblemData original = data();
  ProblemData permuted = original;
  const Index n = original.x.rows();
  for (Index i = 0; i < n; ++i) {
    const Index from = (7 * i + 3) % n;
    permuted.y[static_cast<std::size_t>(i)] = original.y[static_cast<std::size_t>(from)];
    permuted.s[static_cast<std::size_t>(i)] = original.s[static_cast<std::size_t>(from)];
    for (Index j = 0; j < original.x.cols(); ++j) permuted.x(i, j) = original.x(from, j);
  }
  expect_near(solve(permuted).w, solve(original).w, kError, "w");
}

TEST_P(Invariance, PermutingFeaturesPermutesTheCoefficients) {
  const ProblemData original = data();
  ProblemData permuted = original;
  const Index p = original.x.cols();
  Vector expected = solve(original).w;
  const Vector w = expected;
  for (Index j = 0; j < p; ++j) {
    const Index from = (4 * j + 2) % p;
    for (Index i = 0; i < original.x.rows(); ++i) permuted.x(i, j) = original.x(i, from);
    permuted.parameters.penalty.factors[static_cast<std::size_t>(j)] =
        original.parameters.penalty.factors[static_cast<std::size_t>(from)];
    expected[static_cast<std::size_t>(j)] = w[static_cast<std::size_t>(from)];
  }
  expect_near(solve(permuted).w, expected, kError, "w");
}

// Rows of `original` by number, any number of times.
ProblemData take_rows(const ProblemData& original, const std::vector<Index>& rows) {
  ProblemData result = original;
  result.x = DenseMatrix<double>(static_cast<Index>(rows.size()), original.x.cols());
  result.y.clear();
  result.s.clear();
  double sum = 0.0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto from = static_cast<std::size_t>(rows[k]);
    result.y.push_back(original.y[from]);
    result.s.push_back(original.s[from]);
    sum += original.s[from];
    for (Index j = 0; j < original.x.cols(); ++j) result.x(static_cast<Index>(k), j) = original.x(rows[k], j);
  }
  for (double& s : result.s) s *= static_cast<double>(rows.size()) / sum;
  return result;
}

TEST_P(Invariance, DuplicatingEverySampleChangesNothing) {
  std::vector<Index> rows;
  for (Index i = 0; i < 20; ++i) rows.insert(rows.end(), {i, i});
  expect_near(solve(take_rows(data(), rows)).w, solve(data()).w, kError, "w");
}

TEST_P(Invariance, AWeightOfZeroIsASampleLess) {
  const ProblemData original = data();
  std::vector<Index> rows;
  for (Index i = 0; i < 20; ++i) {
    if (original.s[static_cast<std::size_t>(i)] > 0.0) rows.push_back(i);
  }
  ASSERT_LT(rows.size(), 20U);
  expect_near(solve(take_rows(original, rows)).w, solve(original).w, kError, "w");
}

TEST_P(Invariance, AColumnOfZerosGetsNoCoefficient) {
  ProblemData original = data();
  for (Index i = 0; i < original.x.rows(); ++i) original.x(i, 3) = original.x(i, 0) = 0.0;  // factors > 0 and 0
  const Solved u = solve(original);
  EXPECT_EQ(u.w[3], 0.0);
  EXPECT_EQ(u.w[0], 0.0);
}

// Twice the features with a quarter of lambda2 and half of lambda1 is the same problem in w/2.
TEST_P(Invariance, ScalingEveryFeatureScalesTheCoefficients) {
  ProblemData scaled = data();
  for (Index j = 0; j < scaled.x.cols(); ++j) {
    for (Index i = 0; i < scaled.x.rows(); ++i) scaled.x(i, j) *= 0.5;
  }
  scaled.parameters.penalty.lambda1 *= 0.5;
  scaled.parameters.penalty.lambda2 *= 0.25;
  const Solved u = solve(data());
  const Solved v = solve(scaled);
  EXPECT_NEAR(v.b, u.b, 2.0 * kError);
  for (std::size_t j = 0; j < u.w.size(); ++j) EXPECT_NEAR(v.w[j], 2.0 * u.w[j], 4.0 * kError);
}

INSTANTIATE_TEST_SUITE_P(Intercepts, Invariance,
                         testing::Values(test::InterceptKind::penalised, test::InterceptKind::by_gradient,
                                         test::InterceptKind::free, test::InterceptKind::absent));

TEST(ProximalGradient, PaperRuleStopsAfterThreeSmallSteps) {
  // One coordinate, h = L_f/10: with L_k = L_f and omega = 0 every step leaves 9/10 of the distance, so
  // |u_{k-1} - u_k|/(1 + |u_{k-1}|) = 0.1 * 0.9^(k-1) / (2 - 0.9^(k-1)) for a target of 1.
  const QuadraticProblem problem{.h = {1.0}, .target = {1.0}, .L_f = 10.0};
  ProximalGradientOptions options = options_of({.backtracking = false, .extrapolation = false}, 1000);
  options.stopping = Stopping::paper;
  options.tolerance = 1e-3;
  int first_small = 0;
  for (int k = 1; first_small == 0; ++k) {
    const double left = std::pow(0.9, k - 1);  // F_{k-1} = left^2/2
    const double fall = 0.5 * left * left * (1.0 - 0.81) / (1.0 + 0.5 * left * left);
    if (0.1 * left / (2.0 - left) <= 1e-3 && fall <= 1e-3) first_small = k;
  }
  const auto [point, report] = proximal_gradient(problem, problem.start(1), options);
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_EQ(report.iterations, first_small + 2);
}

TEST(ProximalGradientStatus, Converged) {
  const test::SolvedProblem solved = test::two_point_problem();
  const DenseProblem problem = solved.problem();
  const auto solution = proximal_gradient(problem, problem.zero(), {.tolerance = 1e-3});
  EXPECT_EQ(solution.report.status, Status::converged);
  EXPECT_GT(solution.report.passes, 0.0);
  EXPECT_GE(solution.report.seconds, 0.0);
}

TEST(ProximalGradientStatus, IterationLimit) {
  const QuadraticProblem problem = ill_conditioned();
  const auto solution = proximal_gradient(problem, problem.start(5), {.max_iterations = 3, .tolerance = 1e-12});
  EXPECT_EQ(solution.report.status, Status::iteration_limit);
  EXPECT_EQ(solution.report.iterations, 3);
  EXPECT_EQ(solution.report.objective, problem.objective(solution.point));
}

TEST(ProximalGradientStatus, TimeLimit) {
  const QuadraticProblem problem = ill_conditioned();
  const auto solution = proximal_gradient(problem, problem.start(5), {.tolerance = 1e-12, .time_limit = 1e-12});
  EXPECT_EQ(solution.report.status, Status::time_limit);
  EXPECT_EQ(solution.report.iterations, 1);
  EXPECT_LT(solution.report.objective, problem.objective_at_zero());
}

TEST(ProximalGradientStatus, Interrupted) {
  const QuadraticProblem problem = ill_conditioned();
  int asked = 0;
  const SolveMonitor monitor{.interrupted = [&] { return ++asked == 4; }, .progress = {}};
  const auto solution = proximal_gradient(problem, problem.start(5), {.tolerance = 1e-12}, monitor);
  EXPECT_EQ(solution.report.status, Status::interrupted);
  EXPECT_EQ(solution.report.iterations, 4);
  EXPECT_EQ(solution.report.objective, problem.objective(solution.point));
}

TEST(ProximalGradientStatus, Stalled) {
  QuadraticProblem problem{
      .h = {1.0}, .target = {1.0}, .lambda1 = 0.5, .L_f = 1.0};  // the minimum is 3/8, the bound 0
  const auto solution = proximal_gradient(problem, problem.start(1), {});
  EXPECT_EQ(solution.report.status, Status::stalled);
  EXPECT_DOUBLE_EQ(solution.report.objective, 0.375);
  EXPECT_DOUBLE_EQ(solution.report.gap(), 0.375);
  EXPECT_LT(solution.report.iterations, 2000);
}

TEST(ProximalGradientStatus, NotFiniteFromTheStart) {
  QuadraticProblem problem = ill_conditioned();
  for (const double L_f : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    problem.L_f = L_f;
    const auto solution = proximal_gradient(problem, problem.start(5), {});
    EXPECT_EQ(solution.report.status, Status::not_finite);
    EXPECT_EQ(solution.report.iterations, 0);
    EXPECT_EQ(solution.point.w, Vector(5));
    EXPECT_EQ(solution.report.objective, problem.objective_at_zero());
  }
}

TEST(ProximalGradientStatus, NotFiniteOnTheWayKeepsTheLastGoodPoint) {
  const test::Settings plain{.backtracking = false, .monotone = false};
  const QuadraticProblem good = ill_conditioned();
  const auto expected = proximal_gradient(good, good.start(5), options_of(plain, 3));
  QuadraticProblem problem = ill_conditioned();
  problem.objectives_until_nan = 5;  // one at the start, then one for each iteration
  const auto solution = proximal_gradient(problem, problem.start(5), options_of(plain, 100));
  EXPECT_EQ(solution.report.status, Status::not_finite);
  EXPECT_EQ(solution.report.iterations, 3);
  EXPECT_EQ(solution.point.w, expected.point.w);
  EXPECT_EQ(solution.report.objective, expected.report.objective);
}

TEST(ProximalGradient, ReportsItsProgress) {
  const QuadraticProblem problem = ill_conditioned();
  std::vector<Progress> seen;
  const SolveMonitor monitor{.interrupted = {},
                             .progress = [&](const Progress& progress) { seen.push_back(progress); },
                             .interval = 0.0};
  const auto solution =
      proximal_gradient(problem, problem.start(5), {.max_iterations = 10, .tolerance = 1e-12}, monitor);
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.back().iteration, 10);
  EXPECT_EQ(seen.back().objective, solution.report.objective);
  EXPECT_EQ(seen.back().gap, solution.report.gap());
  EXPECT_EQ(seen.back().nonzeros, 7);
  for (std::size_t k = 1; k < seen.size(); ++k) EXPECT_LT(seen[k - 1].iteration, seen[k].iteration);
}

}  // namespace
}  // namespace hsvm
