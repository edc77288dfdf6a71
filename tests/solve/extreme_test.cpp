// Bounds that are never false, over problems at the ends of what numbers can hold; make bench-bounds tries many more.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "hsvm/api.hpp"
#include "hsvm/core/random.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/extreme.hpp"

namespace hsvm {
namespace {

TEST(Extremes, NoBoundIsFalseAndConvergedIsConverged) {
  constexpr int kCases = test::unless_sanitized(250, 25);
  int converged = 0;
  for (std::uint64_t number = 1; number <= kCases; ++number) {
    const test::ExtremeOutcome outcome = test::solve_extreme(test::extreme_case(number), 1e-6, 100);
    for (const std::string& violation : outcome.violations) ADD_FAILURE() << violation;
    converged += outcome.statuses[0] == Status::converged ? 1 : 0;
  }
  EXPECT_GT(converged, kCases * 3 / 4);  // by newton: what does not converge says so, but it should be rare
}

// Samples in blobs around their class's corner, all features times `scale`.
Dataset blobs(std::uint64_t seed, Index n, Index p, Index n_classes, double scale) {
  Random random(seed);
  DenseMatrix<double> x(n, p);
  std::vector<Index> y;
  for (Index i = 0; i < n; ++i) {
    y.push_back(i % n_classes);
    for (Index j = 0; j < p; ++j)
      x(i, j) = scale * (random.normal() + (j < 5 * n_classes && j % n_classes == y.back() ? 1.0 : 0.0));
  }
  std::vector<std::string> names;
  for (Index k = 0; k < n_classes; ++k) names.push_back(std::to_string(k));
  Dataset data;
  data.source = "blobs";
  data.design = std::move(x);
  data.labels = make_labels(names, y);
  return data;
}

// All solvers converge, to the same objective, with bounds below all of them; returns it.
double expect_agreement(const Dataset& data, FitOptions options) {
  std::vector<LinearModel> models;
  double lowest = std::numeric_limits<double>::infinity();
  for (const Solver solver : {Solver::newton, Solver::pg, Solver::pg2}) {
    options.solver = solver;
    models.push_back(fit({.data = data}, options));
    lowest = std::min(lowest, models.back().report->objective);
  }
  for (const LinearModel& model : models) {
    SCOPED_TRACE(to_string(model.report->solver));
    EXPECT_EQ(model.report->status, Status::converged);
    EXPECT_LE(model.report->dual_objective, lowest);
    EXPECT_LE(model.report->relative_gap, options.tolerance);
    EXPECT_LE(model.report->objective, lowest + 2.0 * model.report->gap + 1e-12);
    const std::string json = report_to_json(model);
    for (const char* key : {"\"objective\"", "\"dual_objective\"", "\"gap\"", "\"relative_gap\""}) {
      const std::size_t at = json.find(key);
      EXPECT_NE(at, std::string::npos);
      if (at == std::string::npos) continue;
      EXPECT_TRUE(std::isfinite(std::stod(json.substr(json.find(':', at) + 1))));
    }
  }
  return lowest;
}

// As colon-cancer, two classes all together with lambda2 = 1e-34: a point far from the optimum was "the optimum but for
// rounding".
TEST(Extremes, HardlyAnyLambda2OnAWideTwoClassProblem) {
  const Dataset data = blobs(1, 62, 300, 2, 1.0);
  FitOptions options;
  options.multiclass = true;
  options.lambda2 = 1e-34;
  const double objective = expect_agreement(data, options);
  options.lambda2 = 0.0;
  EXPECT_NEAR(expect_agreement(data, options), objective, 2e-6);  // the penalty is next to nothing
}

// As wine with its features times 1e17: the model without any feature was "the optimum but for rounding".
TEST(Extremes, HugeFeaturesWithDefaultOptions) {
  FitOptions options;
  options.lambda1_ratio = 0.1;
  options.lambda2 = 0.01;
  EXPECT_NEAR(expect_agreement(blobs(2, 90, 13, 3, 1e17), options),
              expect_agreement(blobs(2, 90, 13, 3, 1.0), options), 2e-6);
  options.lambda3 = 0.01;
  options.standardize = false;
  const double objective = expect_agreement(blobs(2, 90, 13, 3, 1e17), options);
  options.lambda2 = 1e-36;  // the same problem on the scale of 1
  EXPECT_NEAR(expect_agreement(blobs(2, 90, 13, 3, 1.0), options), objective, 2e-6);
}

// The bounds of pg were 31232, or infinite, beside objectives below 1.
TEST(Extremes, ProximalGradientKeepsNoBoundAboveItsObjective) {
  for (const double scale : {1e-20, 1e-9, 1e9, 1e20}) {
    for (const double lambda2 : {0.0, 1e-300, 1e-34, 1e6}) {
      for (const Index n_classes : {2, 3}) {
        const Dataset data = blobs(3, 30, 8, n_classes, scale);
        for (const Solver solver : {Solver::pg, Solver::pg2}) {
          FitOptions options;
          options.solver = solver;
          options.lambda2 = lambda2;
          options.max_iterations = 30;
          options.multiclass = true;
          const FitReport report = *fit({.data = data}, options).report;
          EXPECT_LE(report.dual_objective, report.objective) << scale << " " << lambda2;
          EXPECT_GE(report.dual_objective, 0.0) << scale << " " << lambda2;
          EXPECT_LE(report.objective, 2.0) << scale << " " << lambda2;
        }
      }
    }
  }
}

}  // namespace
}  // namespace hsvm
