// Cross-validation of the same samples in any order, and with samples of weight 0 among them, is the same.
#include "hsvm/select/content_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hsvm/api.hpp"
#include "hsvm/select/make_folds.hpp"

namespace hsvm {
namespace {

Dataset noisy_gaussian() {
  Dataset data = generate(GaussianDesign{.n = 50, .p = 20, .s = 4, .rho = 0.5, .seed = 4});
  for (std::size_t i = 0; i < 50; i += 7) data.labels->of_sample[i] = 1 - data.labels->of_sample[i];
  return data;
}

std::vector<Index> reversed_with_gap() {
  std::vector<Index> rows;
  for (Index i = 49; i >= 0; --i) rows.push_back((i * 7) % 50);
  return rows;
}

using detail::content_order;
using detail::make_folds;

TEST(ContentOrder, GoesByClassAndLeavesOutWhatHasNoWeight) {
  const Dataset data = noisy_gaussian();
  std::vector<double> weights(50, 1.0);
  weights[3] = 0.0;
  std::vector<Index> order = content_order({.data = data, .sample_weights = weights});
  EXPECT_TRUE(std::ranges::is_sorted(
      order, {}, [&](Index i) { return data.labels->of_sample[static_cast<std::size_t>(i)]; }));
  std::ranges::sort(order);
  std::vector<Index> wanted = all_indices(50);
  wanted.erase(wanted.begin() + 3);
  EXPECT_EQ(order, wanted);
}

TEST(ContentOrder, FoldsMoveWithTheirSamples) {
  const Dataset data = noisy_gaussian();
  const std::vector<Index> rows = reversed_with_gap();
  const Dataset moved = take_rows(data, rows);
  TuneOptions options;
  options.folds = 5;
  options.repeats = 2;
  const Folds folds = make_folds({data}, 9, options);
  const Folds moved_folds = make_folds({moved}, 9, options);
  for (std::size_t repeat = 0; repeat < 2; ++repeat) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      EXPECT_EQ(moved_folds.of_sample[repeat][k], folds.of_sample[repeat][static_cast<std::size_t>(rows[k])]);
    }
  }
}

TEST(ContentOrder, DoesNotDependOnTheUnitsOfFeatures) {
  const Dataset data = noisy_gaussian();
  DenseMatrix<double> scaled = *data.design.get_if<DenseMatrix<double>>();
  for (Index j = 0; j < scaled.cols(); ++j) {
    const double scale = std::pow(10.0, j - 10);
    for (Index i = 0; i < scaled.rows(); ++i) scaled(i, j) = scale * (scaled(i, j) + 3.0 * j);
  }
  Dataset other = data;
  other.design = scaled;
  EXPECT_EQ(content_order({.data = other}), content_order({.data = data}));
}

TEST(ContentOrder, TuningDoesNotDependOnTheOrderNorOnSamplesWithoutWeight) {
  const Dataset data = noisy_gaussian();
  std::vector<Index> rows = reversed_with_gap();
  std::vector<double> weights(50, 1.0);
  for (Index i = 0; i < 6; ++i) {
    rows.push_back(5 * i);
    weights.push_back(0.0);
  }
  const Dataset moved = take_rows(data, rows);
  FitOptions options;
  options.tolerance = 1e-10;
  TuneOptions tuning;
  tuning.stability = 6;
  const TunedModel one = tune({.data = data}, options, {.nlambda = 20}, tuning);
  const TunedModel other = tune({.data = moved, .sample_weights = weights}, options, {.nlambda = 20}, tuning);
  ASSERT_EQ(one.tuning.grid.size(), other.tuning.grid.size());
  for (std::size_t k = 0; k < one.tuning.grid.size(); ++k)
    EXPECT_EQ(one.tuning.grid[k].score(Score::accuracy)->mean,
              other.tuning.grid[k].score(Score::accuracy)->mean);
  EXPECT_EQ(one.tuning.best, other.tuning.best);
  EXPECT_EQ(one.best.features, other.best.features);
  EXPECT_NEAR(one.best.calibration->slope, other.best.calibration->slope, 1e-5);
  EXPECT_EQ(one.best.stability->frequencies, other.best.stability->frequencies);
}

TEST(ContentOrder, GivenFoldsMayRepeatAndLeaveSamplesIn) {
  const Dataset data = noisy_gaussian();
  Folds folds{3, {}};
  for (Index repeat = 0; repeat < 2; ++repeat) {
    std::vector<Index>& fold = folds.of_sample.emplace_back();
    for (Index i = 0; i < 50; ++i) fold.push_back(i < 5 ? kNeverHeldOut : (i + repeat * (i / 3)) % 3);
  }
  TuneOptions tuning;
  tuning.given_folds = folds;
  const TunedModel model = tune({.data = data}, {.lambda2 = 0.1}, {.nlambda = 10}, tuning);
  EXPECT_EQ(model.tuning.repeats, 2);
  EXPECT_EQ(model.tuning.n_folds, 3);
  EXPECT_EQ(model.tuning.held_out[0] + model.tuning.held_out[1], 45);

  tuning.given_folds->of_sample[1][9] = 3;
  EXPECT_THROW((void)tune({.data = data}, {}, {}, tuning), InputError);
  tuning.given_folds->of_sample[1].pop_back();
  EXPECT_THROW((void)tune({.data = data}, {}, {}, tuning), InputError);
  tuning.given_folds = Folds{2, {std::vector<Index>(50, 1)}};
  EXPECT_THROW((void)tune({.data = data}, {}, {}, tuning), InputError);
  tuning.given_folds = folds;
  tuning.folds = 3;
  EXPECT_THROW((void)tune({.data = data}, {}, {}, tuning), OptionError);
}

}  // namespace
}  // namespace hsvm
