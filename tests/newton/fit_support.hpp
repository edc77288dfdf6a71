// Data for fits by the Newton solver, and what must hold of every one of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "hsvm/api.hpp"
#include "tests/newton/newton_support.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/multiclass.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/reference.hpp"

namespace hsvm::test {

enum class Storage { dense_double, dense_single, sparse_double, sparse_single };
inline constexpr Storage kStorages[] = {Storage::dense_double, Storage::dense_single, Storage::sparse_double,
                                        Storage::sparse_single};

// The models that the tests with parameters are for.
struct ModelCase {
  Index n_classes;
  Margins margins;
};
inline constexpr ModelCase kModelCases[] = {
    {2, Margins::absolute}, {3, Margins::relative}, {3, Margins::absolute}};
inline std::string name_of_case(const testing::TestParamInfo<ModelCase>& given) {
  const bool absolute = given.param.n_classes > 2 && given.param.margins == Margins::absolute;
  return std::to_string(given.param.n_classes) + (absolute ? "ClassesAbsolute" : "Classes");
}
inline void PrintTo(const ModelCase& model, std::ostream* stream) {
  *stream << model.n_classes << " classes, " << to_string(model.margins) << " margins";
}

// A dataset, kept as plain numbers; classes 0 .. J-1 are named so.
struct FitData {
  DenseMatrix<double> x;
  std::vector<Index> y;
  Index n_classes = 2;
  std::optional<Margins> margins = {};  // of its models, unless the options say so
  std::vector<double> weights = {};     // empty: all 1
  std::vector<double> factors = {};     // empty: all 1
  Storage storage = Storage::dense_double;
  bool as_it_is =
      false;  // not standardised, and lambda3 = lambda2 where it is not given: the problem the referees know

  [[nodiscard]] FitOptions asked(FitOptions options) const {
    if (!as_it_is) return options;
    options.standardize = false;
    if (!options.lambda3 && !options.no_intercept && !options.alpha && !options.lambda)
      options.lambda3 = options.lambda2.value_or(0.01);
    return options;
  }
  [[nodiscard]] Dataset dataset() const {
    Dataset data;
    data.source = "test";
    if (storage == Storage::dense_double) data.design = to_dense<double>(x);
    if (storage == Storage::dense_single) data.design = to_dense<float>(x);
    if (storage == Storage::sparse_double) data.design = to_csc<double>(x);
    if (storage == Storage::sparse_single) data.design = to_csc<float>(x);
    std::vector<std::string> names;
    for (Index k = 0; k < n_classes; ++k) names.push_back(std::to_string(k));
    data.labels = make_labels(names, y);
    return data;
  }
  [[nodiscard]] LinearModel fit(FitOptions options, const SolveMonitor& monitor = {}) const {
    const Dataset data = dataset();
    if (!options.margins) options.margins = margins;
    return hsvm::fit({.data = data, .sample_weights = weights, .penalty_factors = factors}, asked(options),
                     monitor);
  }
  [[nodiscard]] PathModel fit_path(FitOptions options, const PathOptions& path_options = {}) const {
    const Dataset data = dataset();
    if (!options.margins) options.margins = margins;
    return hsvm::fit_path({.data = data, .sample_weights = weights, .penalty_factors = factors}, asked(options),
                          path_options);
  }
};

struct FitRecipe {
  std::uint64_t seed = 1;
  Index n = 30;
  Index p = 12;
  Index n_classes = 2;
  std::optional<Margins> margins = {};
  double density = 1.0;
  double signal = 0.5;  // how far the classes are apart in some features
  bool weights = false;
  bool factors = false;
  Storage storage = Storage::dense_double;
};

// Every class has samples; entries are held exactly by every storage.
inline FitData random_fit_data(const FitRecipe& recipe) {
  Random random(recipe.seed, 11);
  FitData data;
  data.n_classes = recipe.n_classes;
  data.margins = recipe.margins;
  data.storage = recipe.storage;
  data.as_it_is = true;
  data.x = coarse_matrix(random, recipe.n, recipe.p, recipe.density);
  for (Index i = 0; i < recipe.n; ++i) {
    const Index y = i < recipe.n_classes
                        ? i
                        : static_cast<Index>(random.below(static_cast<std::uint64_t>(recipe.n_classes)));
    data.y.push_back(y);
    for (Index j = y; j < std::min<Index>(recipe.p, 8); j += recipe.n_classes) {
      if (data.x(i, j) != 0.0) data.x(i, j) += recipe.signal;
    }
    if (recipe.weights)
      data.weights.push_back(i >= recipe.n_classes && random.below(5) == 0 ? 0.0 : 0.25 + random.uniform());
  }
  if (recipe.factors) {
    for (Index j = 0; j < recipe.p; ++j) data.factors.push_back(0.5 + random.uniform());
  }
  return data;
}

// The model's objective from its coefficients and the data alone.
inline double referee_objective(const FitData& data, const LinearModel& model) {
  std::vector<double> s = data.weights.empty() ? std::vector<double>(data.y.size(), 1.0) : data.weights;
  double sum = 0.0;
  for (const double weight : s) sum += weight;
  for (double& weight : s) weight *= static_cast<double>(s.size()) / sum;
  const auto p = static_cast<std::size_t>(data.x.cols());
  if (model.kind == ModelKind::binary) {
    ProblemData problem{"", data.x, {}, s, {}};
    for (const Index k : data.y) problem.y.push_back(k == 1 ? 1.0 : -1.0);
    problem.parameters = {
        {model.delta}, {model.lambda1, model.lambda2, data.factors}, model.lambda3, true, false};
    std::vector<double> w(p);
    for (std::size_t c = 0; c < model.features.size(); ++c)
      w[static_cast<std::size_t>(model.features[c])] = model.coefficients[c];
    return reference_objective(problem, model.intercept[0], w);
  }
  MulticlassData problem{"", data.x, data.y, s, {}};
  problem.parameters = {
      {model.delta}, {model.lambda1, model.lambda2, data.factors}, model.lambda3, true, false, data.n_classes,
      model.margins};
  const auto n_classes = static_cast<std::size_t>(data.n_classes);
  Rows w(p, std::vector<double>(n_classes));
  for (std::size_t c = 0; c < model.features.size(); ++c) {
    for (std::size_t k = 0; k < n_classes; ++k)
      w[static_cast<std::size_t>(model.features[c])][k] = model.coefficients[c * n_classes + k];
  }
  EXPECT_LE(largest_sum(model.intercept, w), 1e-12) << "rows of W and b sum to zero";
  return reference_objective(problem, model.intercept, w);
}

// Whatever the status: the bounds are bounds, and belong to the coefficients.
inline void expect_honest(const FitData& data, const LinearModel& model) {
  const FitReport& report = *model.report;
  const double objective = referee_objective(data, model);
  EXPECT_NEAR(report.objective, objective, 1e-9 * (1e-3 + std::abs(objective)));
  EXPECT_LE(report.dual_objective, report.objective + 1e-13);
  EXPECT_GE(report.dual_objective, 0.0);
  EXPECT_NEAR(report.gap, report.objective - report.dual_objective, 1e-15);
}

// Both say that the minimum lies between their bounds: they must not contradict each other.
inline void expect_compatible(const FitReport& a, const FitReport& b) {
  const double rounding = 1e-13 * (1.0 + std::abs(a.objective));
  EXPECT_LE(a.dual_objective, b.objective + rounding)
      << to_string(a.solver) << " against " << to_string(b.solver);
  EXPECT_LE(b.dual_objective, a.objective + rounding)
      << to_string(b.solver) << " against " << to_string(a.solver);
}

struct Referees {
  bool pg = true;
  bool pg2 = true;
  int max_iterations = 1000;  // they need not converge: their bounds are bounds
  bool must_converge = true;  // newton, that is
};

// A certified fit by newton that no other solver contradicts.
inline LinearModel expect_certified(const FitData& data, FitOptions options, const Referees& referees = {}) {
  options.solver = Solver::newton;
  LinearModel model = data.fit(options);
  EXPECT_EQ(model.report->solver, Solver::newton);
  if (referees.must_converge) {
    EXPECT_EQ(model.report->status, Status::converged);
    EXPECT_LE(model.report->relative_gap, options.tolerance);
  }
  expect_honest(data, model);
  FitOptions other = options;
  other.max_iterations = std::min(referees.max_iterations, unless_sanitized(referees.max_iterations, 30));
  for (const Solver solver : {Solver::pg, Solver::pg2}) {
    if (solver == Solver::pg ? !referees.pg : !referees.pg2) continue;
    other.solver = solver;
    const LinearModel rival = data.fit(other);
    expect_compatible(*model.report, *rival.report);
    if (rival.report->status == Status::converged) {
      EXPECT_NEAR(model.report->objective, rival.report->objective,
                  std::max(model.report->gap, rival.report->gap) + 1e-13);
    }
  }
  return model;
}

// The coefficient of every feature and output, zeros included.
inline std::vector<double> all_coefficients(const LinearModel& model) {
  const auto n_outputs = static_cast<std::size_t>(model.n_outputs());
  std::vector<double> result(static_cast<std::size_t>(model.n_features) * n_outputs);
  for (std::size_t c = 0; c < model.features.size(); ++c) {
    for (std::size_t k = 0; k < n_outputs; ++k)
      result[static_cast<std::size_t>(model.features[c]) * n_outputs + k] =
          model.coefficients[c * n_outputs + k];
  }
  return result;
}

}  // namespace hsvm::test
