// Cross-validation of samples that are divided over ranks: the folds, scores and choices of one process.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hsvm/api.hpp"
#include "hsvm/select/make_folds.hpp"
#include "tests/support/thread_ranks.hpp"

namespace hsvm {
namespace {

Dataset overlapping(Index n, Index p) {
  Dataset data = generate(GaussianDesign{.n = n, .p = p, .s = 4, .rho = 0.6, .seed = 3});
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); i += 9)
    data.labels->of_sample[i] = 1 - data.labels->of_sample[i];
  return data;
}

TEST(TuneOverRanks, DealsTheSameFoldsAndHalves) {
  const Dataset data = overlapping(61, 12);
  const TuneOptions options{.folds = 4, .repeats = 2, .stability = 3};
  const Folds expected = detail::make_folds({.data = data}, 5, options);
  const auto halves = detail::make_halves({.data = data}, 5, options);
  for (const Index size : {2, 3, 4}) {
    test::run_ranks(size, [&](const Collective& ranks) {
      const Dataset part = test::part_of(data, ranks);
      EXPECT_EQ(detail::make_folds({.data = part, .ranks = ranks}, 5, options).of_sample, expected.of_sample);
      EXPECT_EQ(detail::make_halves({.data = part, .ranks = ranks}, 5, options), halves);
    });
  }
}

TEST(TuneOverRanks, ChoosesWhatOneProcessChooses) {
  const PathOptions path{.nlambda = 8, .lambda_min_ratio = 0.05, .full_path = true};
  for (const Dataset& data :
       {overlapping(60, 20), generate(FourClassDesign{.n = 48, .p = 20, .s = 6, .rho = 0.5, .seed = 2})}) {
    const FitOptions options{.lambda2 = 0.01, .threads = 1};
    const TuneOptions tune_options{.folds = 4, .nested = true, .stability = 4};
    const TunedModel alone = tune({.data = data}, options, path, tune_options);
    test::run_ranks(3, [&](const Collective& ranks) {
      const Dataset part = test::part_of(data, ranks);
      const TunedModel model = tune({.data = part, .ranks = ranks}, options, path, tune_options);
      ASSERT_EQ(model.tuning.grid.size(), alone.tuning.grid.size());
      EXPECT_EQ(model.tuning.best, alone.tuning.best);
      EXPECT_EQ(model.tuning.one_se, alone.tuning.one_se);
      EXPECT_EQ(model.tuning.held_out, alone.tuning.held_out);
      for (std::size_t k = 0; k < model.tuning.grid.size(); ++k) {
        EXPECT_NEAR(model.tuning.grid[k].score(Score::accuracy)->mean,
                    alone.tuning.grid[k].score(Score::accuracy)->mean, 1e-9);
      }
      EXPECT_EQ(model.tuning.out_of_fold.samples, alone.tuning.out_of_fold.samples);
      EXPECT_EQ(model.tuning.out_of_fold.folds, alone.tuning.out_of_fold.folds);
      EXPECT_EQ(model.best.stability->n_halves, 4);
      EXPECT_EQ(model.best.stability->features, alone.best.stability->features);
      EXPECT_NEAR(model.best.calibration->log_loss, alone.best.calibration->log_loss, 1e-3);
      ASSERT_TRUE(model.tuning.nested.has_value());
      EXPECT_EQ(model.tuning.nested->folds.size(), alone.tuning.nested->folds.size());
      EXPECT_EQ(model.evidence->class_counts, alone.evidence->class_counts);
      EXPECT_EQ(model.evidence->correlations.features, alone.evidence->correlations.features);
    });
  }
}

TEST(TuneOverRanks, KeepsGroupsTogetherAndStopsTogether) {
  const Dataset data = overlapping(60, 12);
  TuneOptions options{.folds = 3};
  for (Index i = 0; i < 60; ++i) options.group_of_sample.push_back(i / 5);
  const Folds expected = detail::make_folds({.data = data}, 1, options);
  test::run_ranks(2, [&](const Collective& ranks) {
    const Dataset part = test::part_of(data, ranks);
    EXPECT_EQ(detail::make_folds({.data = part, .ranks = ranks}, 1, options).of_sample, expected.of_sample);
    TuneMonitor monitor;
    monitor.interrupted = [&] { return ranks.rank() == 1; };
    EXPECT_THROW(static_cast<void>(tune({.data = part, .ranks = ranks}, {.threads = 1}, {}, options, monitor)),
                 StoppedError);
  });
}

}  // namespace
}  // namespace hsvm
