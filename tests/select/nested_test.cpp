// Outer folds around the whole of a cross-validation, and groups in all of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hsvm/api.hpp"
#include "hsvm/core/random.hpp"
#include "hsvm/data/take_rows.hpp"

namespace hsvm {
namespace {

using testing::HasSubstr;

Dataset blurred(std::uint64_t seed, Index n = 60, Index p = 90) {
  Dataset data = generate(GaussianDesign{.n = n, .p = p, .s = 4, .rho = 0.6, .seed = seed});
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); i += 7)
    data.labels->of_sample[i] = 1 - data.labels->of_sample[i];
  return data;
}

const PathOptions kShortPath = {.nlambda = 10, .lambda_min_ratio = 0.05, .full_path = true};

double mean_in(const ScoreSummaries& scores, Score score) {
  return scores[static_cast<std::size_t>(score)].value().mean;
}

// By hand: the other folds taken out of the data and tuned, the fold predicted by what comes out.
TEST(NestedTune, PredictsWhatTuningOfTheOtherFoldsPredicts) {
  for (const bool multiclass : {false, true}) {
    const Dataset data =
        multiclass ? generate(FourClassDesign{.n = 60, .p = 80, .s = 6, .rho = 0.5, .seed = 4}) : blurred(4);
    FitOptions options;
    options.tolerance = 1e-10;
    options.keep_top = 20;
    options.class_weight.balanced = true;
    TuneOptions tuning;
    tuning.folds = 4;
    tuning.nested = true;
    tuning.lambda2_grid = {0.1, 0.01};
    const TunedModel model = tune({data}, options, kShortPath, tuning);
    ASSERT_TRUE(model.tuning.nested);
    const Nested& nested = *model.tuning.nested;
    ASSERT_EQ(nested.folds.size(), 4U);
    ASSERT_EQ(nested.out_of_fold.samples.size(), 60U);
    EXPECT_EQ(nested.out_of_fold.truth, data.labels->of_sample);

    tuning.nested = false;
    const Folds folds = stratified_folds(*data.labels, 4, 1, options.seed, SingleSamples::kept);
    EXPECT_EQ(nested.out_of_fold.folds, folds.of_sample[0]);
    double right = 0.0;
    for (Index fold = 0; fold < 4; ++fold) {
      std::vector<Index> inside;
      std::vector<Index> outside;
      for (Index i = 0; i < 60; ++i)
        (folds.of_sample[0][static_cast<std::size_t>(i)] == fold ? outside : inside).push_back(i);
      const TunedModel part = tune({take_rows(data, inside)}, options, kShortPath, tuning);
      const NestedFold& found = nested.folds[static_cast<std::size_t>(fold)];
      EXPECT_EQ(found.held_out, std::ssize(outside));
      EXPECT_NEAR(found.best.lambda1, part.best.lambda1, 1e-6 * part.best.lambda1);
      EXPECT_EQ(found.best.lambda2, part.best.lambda2);
      EXPECT_EQ(found.one_se.nonzeros, std::ssize(part.one_se.features));
      const Prediction said = predict(part.best, take_rows(data, outside).design);
      const auto n_outputs = static_cast<std::size_t>(said.n_outputs);
      for (std::size_t t = 0; t < outside.size(); ++t) {
        const auto i = static_cast<std::size_t>(outside[t]);
        right += said.classes[t] == data.labels->of_sample[i] ? 1.0 / static_cast<double>(outside.size()) : 0.0;
        for (std::size_t k = 0; k < n_outputs; ++k)
          EXPECT_NEAR(said.scores[t * n_outputs + k],
                      static_cast<double>(nested.out_of_fold.best[i * n_outputs + k]), 1e-4);
      }
    }
    EXPECT_NEAR(mean_in(nested.best, Score::accuracy), right / 4.0, 1e-9);
    EXPECT_GT(nested.best[static_cast<std::size_t>(Score::log_loss)].value().mean, 0.0);
    EXPECT_EQ(nested.best[static_cast<std::size_t>(Score::auc)].has_value(), true);
  }
}

TEST(NestedTune, GivesTheSameBitsForAnyNumberOfThreads) {
  const Dataset data = blurred(8);
  TuneOptions tuning;
  tuning.folds = 3;
  tuning.nested = true;
  FitOptions options{.lambda2 = 0.01};
  options.threads = 1;
  const TunedModel one = tune({data}, options, kShortPath, tuning);
  options.threads = 3;
  const TunedModel more = tune({data}, options, kShortPath, tuning);
  EXPECT_EQ(one.tuning.nested->out_of_fold.best, more.tuning.nested->out_of_fold.best);
  EXPECT_EQ(one.tuning.nested->out_of_fold.one_se, more.tuning.nested->out_of_fold.one_se);
  EXPECT_EQ(one.tuning.out_of_fold.best, more.tuning.out_of_fold.best);
}

// Labels that have nothing to do with the features: the best of a grid flatters itself, the procedure is at chance. Ranking
// 300 features by all samples first would give far more.
TEST(NestedTune, IsAtChanceOnNoise) {
  double nested = 0.0;
  double chosen = 0.0;
  constexpr int kRuns = 6;
  for (int run = 0; run < kRuns; ++run) {
    Dataset data = generate(
        GaussianDesign{.n = 60, .p = 300, .s = 4, .rho = 0.0, .seed = 40U + static_cast<unsigned>(run)});
    Random random(static_cast<std::uint64_t>(run), 77);
    for (std::size_t i = 60; i > 1; --i)
      std::swap(data.labels->of_sample[i - 1], data.labels->of_sample[random.below(i)]);
    TuneOptions tuning;
    tuning.folds = 5;
    tuning.nested = true;
    tuning.score = Score::auc;
    FitOptions options{.lambda2 = 0.1};
    options.keep_top = 20;
    const TunedModel model = tune({data}, options, kShortPath, tuning);
    nested += mean_in(model.tuning.nested->best, Score::balanced_accuracy) / kRuns;
    chosen += model.tuning.grid[model.tuning.best].score(Score::auc)->mean / kRuns;
  }
  EXPECT_NEAR(nested, 0.5, 0.08);  // the standard error of the mean of 360 samples is 0.026
  EXPECT_GT(chosen, nested);
}

// Samples of one patient are copies but for little noise, and labels go by patient: who holds out samples alone sees the
// patient in training. With the groups it is at chance.
TEST(GroupedTune, DoesNotLearnPatientsByHeart) {
  constexpr Index kPatients = 24;
  constexpr Index kSamples = 5;
  Dataset patients = generate(GaussianDesign{.n = kPatients, .p = 40, .s = 4, .rho = 0.0, .seed = 12});
  std::vector<Index> rows;
  TuneOptions tuning;
  for (Index i = 0; i < kPatients; ++i) {
    for (Index t = 0; t < kSamples; ++t) {
      rows.push_back(i);
      tuning.group_of_sample.push_back(i);
    }
  }
  Random random(5, 5);
  for (std::size_t i = kPatients; i > 1; --i)
    std::swap(patients.labels->of_sample[i - 1], patients.labels->of_sample[random.below(i)]);
  const Dataset data = take_rows(patients, rows);
  tuning.folds = 6;
  tuning.stability = 4;
  tuning.score = Score::loss;
  const FitOptions options{.lambda2 = 0.01};
  const TunedModel grouped = tune({data}, options, kShortPath, tuning);
  const OutOfFold& said = grouped.tuning.out_of_fold;
  for (std::size_t i = 0; i < said.samples.size(); i += kSamples) {
    for (std::size_t t = 1; t < kSamples; ++t) EXPECT_EQ(said.folds[i], said.folds[i + t]);
  }
  TuneOptions alone = tuning;
  alone.group_of_sample.clear();
  const TunedModel by_sample = tune({data}, options, kShortPath, alone);
  const auto accuracy = [](const TunedModel& model) {
    return model.tuning.grid.back().score(Score::accuracy)->mean;
  };
  EXPECT_GT(accuracy(by_sample), 0.9);
  EXPECT_LT(accuracy(grouped), 0.75);
}

TEST(GroupedTune, RefusesGroupsThatDoNotFit) {
  const Dataset data = blurred(2);
  TuneOptions tuning;
  tuning.group_of_sample = {1, 2, 3};
  EXPECT_THAT([&] { static_cast<void>(tune({data}, {}, kShortPath, tuning)); },
              testing::ThrowsMessage<InputError>(HasSubstr("3 groups for 60 samples")));
}

TEST(NestedTune, NeedsThreeFoldsOfAFile) {
  const Dataset data = blurred(2);
  TuneOptions tuning;
  tuning.nested = true;
  for (Index i = 0; i < 60; ++i) tuning.fold_of_sample.push_back(i % 2);
  EXPECT_THAT([&] { static_cast<void>(tune({data}, {}, kShortPath, tuning)); },
              testing::ThrowsMessage<InputError>(HasSubstr("three folds at least")));
  for (Index i = 0; i < 60; ++i) tuning.fold_of_sample[static_cast<std::size_t>(i)] = i / 20;
  const TunedModel model = tune({data}, {.lambda2 = 0.1}, kShortPath, tuning);
  EXPECT_EQ(model.tuning.nested->folds.size(), 3U);
}

TEST(NestedTune, ATimeLimitLeavesWhatWasDone) {
  const Dataset data = blurred(3);
  TuneOptions tuning;
  tuning.folds = 4;
  tuning.nested = true;
  TuneMonitor monitor;
  Count done = 0;
  monitor.progress = [&](const TuneProgress& progress) { done = progress.paths_done; };
  // One path of the grid: 5 paths to choose, then 5 for each outer fold.
  monitor.interrupted = [&] { return done >= 17; };
  FitOptions options{.lambda2 = 0.1};
  options.threads = 1;
  const TunedModel model = tune({data}, options, kShortPath, tuning, monitor);
  EXPECT_EQ(model.tuning.status, Status::interrupted);
  ASSERT_TRUE(model.tuning.nested);
  EXPECT_EQ(model.tuning.nested->folds.size(), 2U);
}

}  // namespace
}  // namespace hsvm
