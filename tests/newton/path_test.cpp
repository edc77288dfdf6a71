// Whole paths by newton, which goes on from point to point with what it knows: every point must be as good as a
// fit of its own.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "hsvm/newton/newton.hpp"
#include "hsvm/path/grid.hpp"
#include "hsvm/solve/null_model.hpp"
#include "tests/newton/fit_support.hpp"
#include "tests/support/effort.hpp"

namespace hsvm {
namespace {

using test::FitData;
using test::random_fit_data;

constexpr Index kPathSamples = 230;  // enough for looking ahead

LinearModel model_of(const PathModel& path, const PathPoint& point) {
  LinearModel model;
  model.kind = path.kind;
  model.classes = path.classes;
  model.n_features = path.n_features;
  model.delta = path.delta;
  model.margins = path.margins;
  model.lambda1 = point.lambda1;
  model.lambda2 = point.lambda2;
  model.lambda3 = point.lambda3;
  model.intercept = point.intercept;
  model.features = point.features;
  model.coefficients = point.coefficients;
  model.report = point.report;
  return model;
}

// What the whole gradient at the point says of its gap, as the problem computes it.
double whole_gap(const FitData& data, const LinearModel& model) {
  const std::vector<double> s(data.y.size(), 1.0);
  const auto p = static_cast<std::size_t>(data.x.cols());
  if (model.kind == ModelKind::binary) {
    std::vector<double> y;
    for (const Index k : data.y) y.push_back(k == 1 ? 1.0 : -1.0);
    const test::DenseProblem problem(
        data.x, y, s,
        {{model.delta}, {model.lambda1, model.lambda2, data.factors}, model.lambda3, true, false});
    const auto u = problem.point(model.intercept[0], test::all_coefficients(model));
    test::DenseProblem::Gradient gradient;
    problem.gradient(u, gradient);
    return problem.objective(u) - problem.dual_objective(u, gradient);
  }
  const test::DenseMulticlass problem(data.x, data.y, s,
                                      {{model.delta},
                                       {model.lambda1, model.lambda2, data.factors},
                                       model.lambda3,
                                       true,
                                       false,
                                       data.n_classes,
                                       model.margins});
  const auto n_classes = static_cast<std::size_t>(data.n_classes);
  const std::vector<double> coefficients = test::all_coefficients(model);
  test::Rows w;
  for (std::size_t j = 0; j < p; ++j) {
    w.emplace_back(coefficients.begin() + static_cast<std::ptrdiff_t>(j * n_classes),
                   coefficients.begin() + static_cast<std::ptrdiff_t>((j + 1) * n_classes));
  }
  const auto u = test::make_point(problem, model.intercept, w);
  test::DenseMulticlass::Gradient gradient;
  problem.gradient(u, gradient);
  return problem.objective(u) - problem.dual_objective(u, gradient);
}

void expect_path(const FitData& data, const FitOptions& options, const PathOptions& path_options,
                 int pg_iterations = 60) {
  const PathModel path = data.fit_path(options, path_options);
  EXPECT_EQ(path.status, Status::converged);
  EXPECT_EQ(path.solver, Solver::newton);
  ASSERT_FALSE(path.points.empty());
  if (path_options.lambda_grid.empty()) {
    EXPECT_TRUE(path.points.front().features.empty());
    EXPECT_FALSE(path.points.back().features.empty());
  }
  for (const PathPoint& point : path.points) {
    SCOPED_TRACE(testing::Message() << "lambda1 = " << point.lambda1 / path.lambda1_max << " lambda1_max");
    const LinearModel model = model_of(path, point);
    EXPECT_EQ(point.report->status, Status::converged);
    EXPECT_LE(point.report->relative_gap, options.tolerance);
    test::expect_honest(data, model);

    FitOptions single = options;
    single.alpha.reset();
    single.lambda1 = point.lambda1;
    single.lambda2 = point.lambda2;
    single.lambda3 = point.lambda3;
    const LinearModel own = data.fit(single);
    EXPECT_EQ(own.report->status, Status::converged);
    test::expect_compatible(*point.report, *own.report);
    single.solver = Solver::pg;
    single.max_iterations = pg_iterations;  // its bounds are bounds, converged or not
    test::expect_compatible(*point.report, *data.fit(single).report);
    single.solver = Solver::newton;
    single.max_iterations = 100'000;
    single.tolerance = 1e-9;
    const LinearModel best = data.fit(single);
    EXPECT_LE(point.report->dual_objective, best.report->objective + 1e-13) << "the bound must be one";
    EXPECT_LE(best.report->dual_objective, point.report->objective + 1e-13);
    if (point.lambda3 > 0.0) {
      EXPECT_LE(whole_gap(data, model), point.report->gap + 1e-9);
    }
  }
}

class Path : public testing::TestWithParam<test::ModelCase> {
 protected:
  [[nodiscard]] FitData data(std::uint64_t seed, test::Storage storage = test::Storage::dense_double,
                             double density = 1.0) const {
    return random_fit_data({.seed = seed,
                            .n = kPathSamples,
                            .p = 60,
                            .n_classes = GetParam().n_classes,
                            .margins = GetParam().margins,
                            .density = density,
                            .signal = 0.375,
                            .storage = storage});
  }
};

TEST_P(Path, IsCertifiedAtEveryPoint) {
  expect_path(data(1), {}, {.nlambda = 15, .lambda_min_ratio = 0.01});
}

TEST_P(Path, IsCertifiedAtEveryPointOfSparseData) {
  expect_path(data(2, test::Storage::sparse_double, 0.2), {}, {.nlambda = 12, .lambda_min_ratio = 0.01});
  expect_path(data(3, test::Storage::sparse_single, 0.2), {}, {.nlambda = 6, .lambda_min_ratio = 0.05});
}

TEST_P(Path, IsCertifiedWithMoreFeaturesThanSamples) {
  const FitData wide = random_fit_data({.seed = 4,
                                        .n = 210,
                                        .p = 400,
                                        .n_classes = GetParam().n_classes,
                                        .margins = GetParam().margins,
                                        .signal = 0.375});
  expect_path(wide, {.lambda2 = 0.05}, {.nlambda = 8, .lambda_min_ratio = 0.1}, 20);
}

TEST_P(Path, IsCertifiedWithANarrowElbow) {
  const int nlambda = test::unless_sanitized(8, 4);
  expect_path(data(5), {.delta = 0.1}, {.nlambda = nlambda, .lambda_min_ratio = 0.05});
  expect_path(data(6), {.lambda2 = 0.1, .delta = 0.01}, {.nlambda = 5, .lambda_min_ratio = 0.1});
}

TEST_P(Path, IsCertifiedWithPureL1AndAFreeIntercept) {
  expect_path(data(7), {.lambda2 = 0.0, .lambda3 = 0.0}, {.nlambda = 8, .lambda_min_ratio = 0.05});
  expect_path(data(8), {.lambda2 = 0.01, .lambda3 = 0.0}, {.nlambda = 8, .lambda_min_ratio = 0.05});
}

TEST_P(Path, IsCertifiedWithAlphaFixed) {
  expect_path(data(9), {.alpha = 0.7}, {.nlambda = 8, .lambda_min_ratio = 0.02});
  expect_path(data(10), {.alpha = 1.0}, {.nlambda = 6, .lambda_min_ratio = 0.05});
}

TEST_P(Path, IsCertifiedWithWeightsAndFactors) {
  FitData weighted = random_fit_data({.seed = 11,
                                      .n = kPathSamples,
                                      .p = 60,
                                      .n_classes = GetParam().n_classes,
                                      .margins = GetParam().margins,
                                      .signal = 0.375,
                                      .factors = true});
  expect_path(weighted, {}, {.nlambda = 6, .lambda_min_ratio = 0.05});
}

TEST_P(Path, TakesBigJumps) {
  const FitData one = data(12);
  const double top = one.fit({}).report->lambda1_max;
  expect_path(one, {}, {.lambda_grid = {2.0 * top, 0.9 * top, 0.01 * top, 0.001 * top, 0.0}});
}

TEST_P(Path, TakesTinySteps) {
  const FitData one = data(13);
  const double top = one.fit({}).report->lambda1_max;
  for (const double step : {1e-3, 1e-6, 1e-10}) {
    std::vector<double> grid;
    for (int k = 0; k < 6; ++k) grid.push_back(0.2 * top * (1.0 - k * step));
    expect_path(one, {}, {.lambda_grid = grid}, 20);
  }
}

TEST_P(Path, ReadsLessThanSeparateFits) {
  const FitData one = data(14);
  const PathModel path = one.fit_path({}, {.nlambda = 30, .lambda_min_ratio = 0.05});
  double separate = 0.0;
  for (const PathPoint& point : path.points) separate += one.fit({.lambda1 = point.lambda1}).report->passes;
  EXPECT_LT(path.passes, separate);
}

INSTANTIATE_TEST_SUITE_P(EveryModel, Path, testing::ValuesIn(test::kModelCases), test::name_of_case);

// Standardised text in small: more features than samples, most of their entries zero, some of them the same.
FitData rare_words(double factor) {
  FitData data = random_fit_data({.seed = 15,
                                  .n = kSamples,
                                  .p = 500,
                                  .density = 0.04,
                                  .signal = 1.5,
                                  .storage = test::Storage::sparse_double});
  data.as_it_is = false;
  for (Index j = 0; j < data.x.cols(); ++j) {
    for (Index i = 0; i < data.x.rows(); ++i) data.x(i, j) = factor * data.x(i, j % 400);
  }
  return data;
}

TEST(SparsePath, IsCertifiedForEveryLambda2AndAsGoodAsSeparateFits) {
  const FitData data = rare_words(1.0);
  for (const double lambda2 : {1.0, 0.1, 0.01, 0.001, 0.0}) {
    const PathModel path =
        data.fit_path({.lambda2 = lambda2}, {.nlambda = 25, .lambda_min_ratio = 0.02, .full_path = true});
    EXPECT_EQ(path.status, Status::converged);
    ASSERT_EQ(path.points.size(), 25u);
    EXPECT_GT(path.points.back().features.size(), 50u);
    for (const PathPoint& point : path.points) {
      SCOPED_TRACE(testing::Message() << lambda2 << ", " << point.lambda1 / path.lambda1_max << " lambda1_max");
      EXPECT_LE(point.report->relative_gap, 1e-6);
      const LinearModel own = data.fit({.lambda1 = point.lambda1, .lambda2 = lambda2, .tolerance = 1e-9});
      EXPECT_EQ(own.report->status, Status::converged);
      EXPECT_LE(point.report->dual_objective, own.report->objective + 1e-13) << "the bound must be one";
      EXPECT_LE(own.report->dual_objective, point.report->objective + 1e-13);
    }
  }
}

TEST(SparsePath, IsTheSameInEveryUnit) {
  const PathOptions path_options{.nlambda = 20, .lambda_min_ratio = 0.02, .full_path = true};
  for (const double lambda2 : {1.0, 0.01}) {
    const PathModel one = rare_words(1.0).fit_path({.lambda2 = lambda2}, path_options);
    for (const double factor : {0x1p-66, 0x1p66}) {
      const PathModel other = rare_words(factor).fit_path({.lambda2 = lambda2}, path_options);
      ASSERT_EQ(other.points.size(), one.points.size());
      for (std::size_t k = 0; k < one.points.size(); ++k) {
        EXPECT_EQ(other.points[k].features, one.points[k].features) << k;
        EXPECT_EQ(other.points[k].report->objective, one.points[k].report->objective) << k;
        EXPECT_EQ(other.points[k].report->iterations, one.points[k].report->iterations) << k;
      }
    }
  }
}

// Most points take a single step: its model is minimised as exactly as the certificate asks.
TEST(SparsePath, TakesFewSteps) {
  for (const double lambda2 : {1.0, 0.1}) {
    const PathModel path = rare_words(1.0).fit_path({.lambda2 = lambda2}, {.nlambda = 50, .full_path = true});
    int steps = 0;
    for (const PathPoint& point : path.points) steps += point.report->iterations;
    EXPECT_LE(steps, 100) << lambda2;
  }
}

// One solver for several problems in any order: up and down, and the same again.
template <class Problem>
void expect_any_order(Problem problem, double lambda1_max) {
  NewtonSolver<Problem> solver(problem, true);
  auto u = problem.constant();
  for (const double ratio : {0.5, 0.1, 0.1, 0.4, 0.02, 1.5, 1.0, 0.3, 0.3, 0.0, 0.2}) {
    for (const double lambda2 : {0.01, 0.1}) {
      SCOPED_TRACE(testing::Message() << ratio << " " << lambda2);
      problem.set_lambdas(ratio * lambda1_max, lambda2, lambda2);
      const auto one = solver.solve(u, {.tolerance = 1e-8});
      const auto fresh = newton(problem, problem.constant(), {.tolerance = 1e-8});
      EXPECT_EQ(one.report.status, Status::converged);
      EXPECT_LE(one.report.relative_gap(), 1e-8);
      EXPECT_LE(one.report.dual_objective, fresh.report.objective + 1e-13);
      EXPECT_LE(fresh.report.dual_objective, one.report.objective + 1e-13);
      u = one.point;
    }
  }
}

TEST(NewtonSolver, GoesOnFromAnyLambda1) {
  const test::ProblemData data = test::random_problem({.seed = 2, .n = kPathSamples, .p = 60, .delta = 0.5});
  const test::DenseProblem problem = data.problem();
  expect_any_order(problem, lambda1_max_at(problem, null_point(problem)));
}

TEST(NewtonSolver, GoesOnFromAnyLambda1WithManyClasses) {
  const test::MulticlassData data =
      test::random_multiclass_problem({.seed = 2, .n = kPathSamples, .p = 30, .n_classes = 4, .delta = 0.5});
  const test::DenseMulticlass problem = data.problem();
  expect_any_order(problem, lambda1_max_at(problem, null_point(problem)));
}

}  // namespace
}  // namespace hsvm
