// What must not change a solution, or must change it in a known way.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/newton/fit_support.hpp"

namespace hsvm {
namespace {

using test::all_coefficients;
using test::FitData;
using test::random_fit_data;

class Invariance : public testing::TestWithParam<test::ModelCase> {
 protected:
  [[nodiscard]] Index n_classes() const { return GetParam().n_classes; }
  [[nodiscard]] Margins margins() const { return GetParam().margins; }
  [[nodiscard]] FitData data(std::uint64_t seed, Index n = 50, Index p = 30) const {
    return random_fit_data({.seed = seed, .n = n, .p = p, .n_classes = n_classes(), .margins = margins()});
  }
};

FitOptions accurate(double lambda1, double lambda2, double delta) {
  FitOptions options{.lambda1 = lambda1, .lambda2 = lambda2, .delta = delta};
  options.tolerance = 1e-12;
  return options;
}

TEST_P(Invariance, PermutedFeaturesPermuteTheModel) {
  for (const double delta : {1.0, 0.1}) {
    const FitData original = data(1);
    FitData permuted = original;
    std::vector<Index> to(30);
    std::iota(to.begin(), to.end(), Index{0});
    Random random(2);
    for (std::size_t j = 29; j > 0; --j) std::swap(to[j], to[random.below(j + 1)]);
    for (Index j = 0; j < 30; ++j) {
      for (Index i = 0; i < 50; ++i) permuted.x(i, to[static_cast<std::size_t>(j)]) = original.x(i, j);
    }
    const LinearModel one = original.fit(accurate(0.02, 0.05, delta));
    const LinearModel two = permuted.fit(accurate(0.02, 0.05, delta));
    EXPECT_NEAR(one.report->objective, two.report->objective, 2e-12 * one.report->objective);
    const std::vector<double> a = all_coefficients(one);
    const std::vector<double> b = all_coefficients(two);
    const auto n_outputs = static_cast<std::size_t>(one.n_outputs());
    for (std::size_t j = 0; j < 30; ++j) {
      for (std::size_t k = 0; k < n_outputs; ++k)
        EXPECT_NEAR(a[j * n_outputs + k], b[static_cast<std::size_t>(to[j]) * n_outputs + k], 1e-5);
    }
  }
}

TEST_P(Invariance, PermutedSamplesChangeNothing) {
  const FitData original = data(3);
  FitData reversed = original;
  for (Index i = 0; i < 50; ++i) {
    reversed.y[static_cast<std::size_t>(i)] = original.y[static_cast<std::size_t>(49 - i)];
    for (Index j = 0; j < 30; ++j) reversed.x(i, j) = original.x(49 - i, j);
  }
  const LinearModel one = original.fit(accurate(0.02, 0.05, 0.5));
  const LinearModel two = reversed.fit(accurate(0.02, 0.05, 0.5));
  EXPECT_NEAR(one.report->objective, two.report->objective, 2e-12);
  const std::vector<double> a = all_coefficients(one);
  const std::vector<double> b = all_coefficients(two);
  for (std::size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[j], b[j], 1e-5);
}

TEST_P(Invariance, WeightsCountByTheirRatios) {
  FitData one = random_fit_data(
      {.seed = 4, .n = 50, .p = 30, .n_classes = n_classes(), .margins = margins(), .weights = true});
  const LinearModel first = one.fit(accurate(0.02, 0.05, 0.5));
  for (const double scale : {4.0, 0.125}) {  // powers of two: not even rounding differs
    FitData two = one;
    for (double& weight : two.weights) weight *= scale;
    const LinearModel second = two.fit(accurate(0.02, 0.05, 0.5));
    EXPECT_EQ(first.report->objective, second.report->objective);
    EXPECT_EQ(first.coefficients, second.coefficients);
  }
  for (double& weight : one.weights) weight *= 3.7;
  EXPECT_NEAR(one.fit(accurate(0.02, 0.05, 0.5)).report->objective, first.report->objective, 2e-12);
}

TEST_P(Invariance, AWeightOfTwoIsASampleTwice) {
  FitData weighted = data(5, 30);
  weighted.weights.assign(30, 1.0);
  FitData twice = data(5, 30);
  twice.x = DenseMatrix<double>(40, 30);
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j < 30; ++j) twice.x(i, j) = weighted.x(i % 30, j);
    if (i >= 30) twice.y.push_back(twice.y[static_cast<std::size_t>(i - 30)]);
    if (i < 10) weighted.weights[static_cast<std::size_t>(i)] = 2.0;
  }
  const LinearModel one = weighted.fit(accurate(0.02, 0.05, 0.5));
  const LinearModel two = twice.fit(accurate(0.02, 0.05, 0.5));
  EXPECT_NEAR(one.report->objective, two.report->objective, 4e-12);
  const std::vector<double> a = all_coefficients(one);
  const std::vector<double> b = all_coefficients(two);
  for (std::size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[j], b[j], 1e-5);
}

TEST_P(Invariance, StorageMattersOnlyWithinTheGaps) {
  FitData sparse = random_fit_data(
      {.seed = 6, .n = 50, .p = 30, .n_classes = n_classes(), .margins = margins(), .density = 0.3});
  for (const double lambda2 : {0.0, 0.01}) {
    FitOptions options{.lambda1_ratio = 0.1, .lambda2 = lambda2, .delta = 0.5};
    const LinearModel first = sparse.fit(options);
    for (const test::Storage storage : test::kStorages) {
      FitData other = sparse;
      other.storage = storage;
      const LinearModel model = other.fit(options);
      EXPECT_EQ(model.report->status, Status::converged);
      test::expect_compatible(*first.report, *model.report);
      EXPECT_NEAR(first.report->lambda1_max, model.report->lambda1_max, 1e-14);
    }
  }
}

// The other class's numbers: scores change their sign, classes their places.
TEST_P(Invariance, RenamedClassesRenameTheModel) {
  const FitData original = data(7);
  FitData renamed = original;
  for (Index& k : renamed.y) k = n_classes() - 1 - k;
  const LinearModel one = original.fit(accurate(0.02, 0.05, 0.5));
  const LinearModel two = renamed.fit(accurate(0.02, 0.05, 0.5));
  EXPECT_NEAR(one.report->objective, two.report->objective, 2e-12);
  const std::vector<double> a = all_coefficients(one);
  const std::vector<double> b = all_coefficients(two);
  const auto n_outputs = static_cast<std::size_t>(one.n_outputs());
  if (n_outputs == 1) {
    EXPECT_NEAR(one.intercept[0], -two.intercept[0], 1e-5);
    for (std::size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[j], -b[j], 1e-5);
  } else {
    for (std::size_t k = 0; k < n_outputs; ++k) {
      EXPECT_NEAR(one.intercept[k], two.intercept[n_outputs - 1 - k], 1e-5);
      for (std::size_t j = 0; j < 30; ++j)
        EXPECT_NEAR(a[j * n_outputs + k], b[j * n_outputs + n_outputs - 1 - k], 1e-5);
    }
  }
}

TEST_P(Invariance, FlippedFeaturesFlipTheirCoefficients) {
  const FitData original = data(8);
  FitData flipped = original;
  for (Index i = 0; i < 50; ++i) {
    for (Index j = 0; j < 30; j += 3) flipped.x(i, j) = -original.x(i, j);
  }
  const LinearModel one = original.fit(accurate(0.02, 0.05, 0.5));
  const LinearModel two = flipped.fit(accurate(0.02, 0.05, 0.5));
  const std::vector<double> a = all_coefficients(one);
  const std::vector<double> b = all_coefficients(two);
  const auto n_outputs = static_cast<std::size_t>(one.n_outputs());
  for (std::size_t c = 0; c < a.size(); ++c) EXPECT_NEAR(a[c], c / n_outputs % 3 == 0 ? -b[c] : b[c], 1e-5);
}

// Numbers of threads that must give the same bits; under the sanitizers fewer of them.
std::vector<int> numbers_of_threads() {
  return test::kIsSanitized ? std::vector{1, 3} : std::vector{1, 2, 3, 8};
}

// Large enough for products and Gram matrices to be shared.
TEST_P(Invariance, TheSameBitsForAnyNumberOfThreads) {
  for (const test::Storage storage : {test::Storage::dense_double, test::Storage::sparse_single}) {
    for (const double ratio : {0.3, 0.1}) {
      if (test::kIsSanitized && ratio < 0.3) continue;
      FitData large = random_fit_data(
          {.seed = 9, .n = 250, .p = 400, .n_classes = n_classes(), .margins = margins(), .storage = storage});
      std::vector<LinearModel> models;
      for (const int threads : numbers_of_threads()) {
        FitOptions options{.lambda1_ratio = ratio, .lambda2 = 0.01, .delta = 0.5};
        options.threads = threads;
        models.push_back(large.fit(options));
        EXPECT_EQ(models.back().report->status, Status::converged);
        EXPECT_EQ(models.back().features, models.front().features);
        EXPECT_EQ(models.back().coefficients, models.front().coefficients);
        EXPECT_EQ(models.back().intercept, models.front().intercept);
        EXPECT_EQ(models.back().report->objective, models.front().report->objective);
        EXPECT_EQ(models.back().report->dual_objective, models.front().report->dual_objective);
        EXPECT_EQ(models.back().report->iterations, models.front().report->iterations);
        EXPECT_EQ(models.back().report->passes, models.front().report->passes);
      }
    }
  }
}

TEST_P(Invariance, TheSameBitsOfAPathForAnyNumberOfThreads) {
  for (const test::Storage storage : {test::Storage::dense_double, test::Storage::sparse_double}) {
    FitData large = random_fit_data(
        {.seed = 10, .n = 240, .p = 200, .n_classes = n_classes(), .margins = margins(), .storage = storage});
    std::vector<PathModel> paths;
    for (const int threads : numbers_of_threads()) {
      FitOptions options;
      options.threads = threads;
      paths.push_back(large.fit_path(options, {.nlambda = 10, .lambda_min_ratio = 0.05}));
      ASSERT_EQ(paths.back().points.size(), 10U);
      EXPECT_EQ(paths.back().status, Status::converged);
      for (std::size_t k = 0; k < 10; ++k) {
        const PathPoint& one = paths.front().points[k];
        const PathPoint& two = paths.back().points[k];
        EXPECT_EQ(one.lambda1, two.lambda1);
        EXPECT_EQ(one.features, two.features);
        EXPECT_EQ(one.coefficients, two.coefficients);
        EXPECT_EQ(one.intercept, two.intercept);
        EXPECT_EQ(one.report->objective, two.report->objective);
        EXPECT_EQ(one.report->dual_objective, two.report->dual_objective);
        EXPECT_EQ(one.report->iterations, two.report->iterations);
        EXPECT_EQ(one.report->passes, two.report->passes);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryModel, Invariance, testing::ValuesIn(test::kModelCases), test::name_of_case);

// So many samples that sums, products with few columns and Gram matrices are cut into tasks.
TEST(TallProblem, HasTheSameBitsForAnyNumberOfThreads) {
  const Dataset data = generate(GaussianDesign{.n = 40'000, .p = 40, .s = 8});
  std::vector<PathModel> paths;
  for (const int threads : {1, 2, 8}) {
    FitOptions options;
    options.threads = threads;
    paths.push_back(fit_path({data}, options, {.nlambda = 6, .lambda_min_ratio = 0.05}));
    ASSERT_EQ(paths.back().points.size(), 6U);
    for (std::size_t k = 0; k < 6; ++k) {
      const PathPoint& one = paths.front().points[k];
      const PathPoint& two = paths.back().points[k];
      EXPECT_EQ(two.report->status, Status::converged);
      EXPECT_EQ(one.features, two.features);
      EXPECT_EQ(one.coefficients, two.coefficients);
      EXPECT_EQ(one.intercept, two.intercept);
      EXPECT_EQ(one.report->dual_objective, two.report->dual_objective);
    }
  }
}

// All margins of a class are equal at lambda1_max: sums over them must not lose the certificate, however many they are.
TEST(TallProblem, IsCertifiedAtLambda1Max) {
  const Dataset data = generate(GaussianDesign{.n = 33'333, .p = 12, .s = 3});
  FitOptions options;
  options.lambda1_ratio = 1.0;
  const LinearModel model = fit({data}, options);
  EXPECT_EQ(model.report->status, Status::converged);
  EXPECT_FALSE(model.report->fallback.has_value());
}

}  // namespace
}  // namespace hsvm
