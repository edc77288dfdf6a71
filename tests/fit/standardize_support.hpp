// Data whose features need standardising, the same by hand, and how models are compared.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/newton/fit_support.hpp"

namespace hsvm::test {

inline bool is_dense(Storage storage) {
  return storage == Storage::dense_double || storage == Storage::dense_single;
}

// Features of all sizes, exact in every storage: in dense data far from zero, too.
inline FitData stretched(const FitRecipe& recipe) {
  FitData data = test::random_fit_data(recipe);
  data.as_it_is = false;
  for (Index j = 0; j < recipe.p; ++j) {
    const double by = j % 3 == 0 ? 1.0 / 64.0 : j % 3 == 1 ? 1.0 : 32.0;
    const double shift = is_dense(recipe.storage) ? static_cast<double>(j % 4) : 0.0;
    for (Index i = 0; i < recipe.n; ++i) data.x(i, j) = by * data.x(i, j) + shift;
  }
  return data;
}

struct ByHand {
  FitData data;
  std::vector<double> centers;
  std::vector<double> scales;
};

inline ByHand standardize_by_hand(const FitData& data, bool centred = true) {
  ByHand result{data, {}, {}};
  result.data.storage = Storage::dense_double;
  const auto weight = [&](Index i) {
    return data.weights.empty() ? 1.0L : static_cast<long double>(data.weights[static_cast<std::size_t>(i)]);
  };
  for (Index j = 0; j < data.x.cols(); ++j) {
    long double total = 0.0;
    long double mean = 0.0;
    long double variance = 0.0;
    for (Index i = 0; i < data.x.rows(); ++i) total += weight(i);
    for (Index i = 0; i < data.x.rows(); ++i) mean += weight(i) * data.x(i, j) / total;
    for (Index i = 0; i < data.x.rows(); ++i) {
      const long double d = data.x(i, j) - mean;
      variance += weight(i) * d * d / total;
    }
    if (!centred) mean = 0.0;
    const long double scale = variance > 0.0 ? 1.0 / std::sqrt(variance) : 0.0;
    result.centers.push_back(static_cast<double>(mean));
    result.scales.push_back(static_cast<double>(scale));
    for (Index i = 0; i < data.x.rows(); ++i)
      result.data.x(i, j) = static_cast<double>(scale * (data.x(i, j) - mean));
  }
  return result;
}

// Every coefficient, zeros included, and the intercepts behind them.
inline std::vector<double> all_numbers(const LinearModel& model) {
  std::vector<double> result = test::all_coefficients(model);
  result.insert(result.end(), model.intercept.begin(), model.intercept.end());
  return result;
}
// The same of a model on the scale of the data, brought to that of the features by hand.
inline std::vector<double> standardized_numbers(const ByHand& by_hand, const LinearModel& model) {
  std::vector<double> result = all_numbers(model);
  const auto n_outputs = static_cast<std::size_t>(model.n_outputs());
  const std::size_t intercept = result.size() - n_outputs;
  for (std::size_t entry = 0; entry < intercept; ++entry) {
    const std::size_t j = entry / n_outputs;
    result[intercept + entry % n_outputs] += by_hand.centers[j] * result[entry];
    if (result[entry] != 0.0) result[entry] /= by_hand.scales[j];
  }
  return result;
}

inline void expect_near(const std::vector<double>& a, const std::vector<double>& b, double error) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], error) << "number " << k;
}

inline void expect_same_bits(const LinearModel& a, const LinearModel& b) {
  EXPECT_EQ(a.features, b.features);
  EXPECT_EQ(a.coefficients, b.coefficients);
  EXPECT_EQ(a.intercept, b.intercept);
  EXPECT_EQ(a.lambda1, b.lambda1);
  EXPECT_EQ(a.report->objective, b.report->objective);
  EXPECT_EQ(a.report->dual_objective, b.report->dual_objective);
  EXPECT_EQ(a.report->iterations, b.report->iterations);
}

// How far two models may be from each other: a gap of 1e-11 leaves 2 (2 gap/lambda2)^{1/2} = 4e-5. Runs that make
// the same steps, as those by proximal gradients do, differ by rounding alone.
inline double distance(const FitOptions& options) {
  return options.chosen_solver() == Solver::newton ? 1e-4 : 1e-10;
}

inline FitOptions base_options() {
  FitOptions options{.lambda1 = 0.03, .lambda2 = 0.05, .standardize = false};
  options.tolerance = 1e-11;  // columns far from zero leave some 1e-12 in doubt
  return options;
}

}  // namespace hsvm::test
