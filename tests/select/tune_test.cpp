// Cross-validation and tuning as a whole; the parts have their own tests in tests/select.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "hsvm/api.hpp"
#include "hsvm/core/random.hpp"
#include "hsvm/data/take_rows.hpp"
#include "hsvm/select/content_order.hpp"
#include "hsvm/select/fold_scores.hpp"
#include "hsvm/select/make_folds.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

using testing::HasSubstr;

// Overlapping classes, so that scores vary along the path.
Dataset gaussian(std::uint64_t seed = 3, Index n = 60, Index p = 30) {
  Dataset data = generate(GaussianDesign{.n = n, .p = p, .s = 4, .rho = 0.6, .seed = seed});
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); i += 9)
    data.labels->of_sample[i] = 1 - data.labels->of_sample[i];
  return data;
}
Dataset four_classes(std::uint64_t seed = 2) {
  return generate(FourClassDesign{.n = 48, .p = 20, .s = 6, .rho = 0.5, .seed = seed});
}
Dataset as_csc(const Dataset& data) {
  Dataset result = data;
  result.design = test::to_csc<double>(*data.design.get_if<DenseMatrix<double>>());
  return result;
}

PathOptions short_path(Index points = 12) {
  return {.nlambda = points, .lambda_min_ratio = 0.05, .full_path = true};
}

// One path alone, where a test counts points and paths.
const FitOptions kOneLambda2 = {.lambda2 = 0.01};

const ScoreSummary& mean_of(const TunedModel& model, std::size_t k, Score score = Score::accuracy) {
  return model.tuning.grid.at(k).score(score).value();
}

void expect_same_grid(const TunedModel& a, const TunedModel& b, double error) {
  ASSERT_EQ(a.tuning.grid.size(), b.tuning.grid.size());
  EXPECT_EQ(a.tuning.best, b.tuning.best);
  EXPECT_EQ(a.tuning.one_se, b.tuning.one_se);
  for (std::size_t k = 0; k < a.tuning.grid.size(); ++k) {
    for (const Score score : tuning_scores()) {
      const auto& x = a.tuning.grid[k].score(score);
      const auto& y = b.tuning.grid[k].score(score);
      ASSERT_EQ(x.has_value(), y.has_value());
      if (!x) continue;
      EXPECT_NEAR(x->mean, y->mean, error) << k << " " << to_string(score);
      EXPECT_NEAR(x->standard_error, y->standard_error, error);
    }
  }
}

// Whoever has the result has the path that the best model is a point of, and, on request, what the folds said along it.
TEST(Tune, KeepsThePathOfTheBestModelAndItsScores) {
  for (const Dataset& data : {gaussian(), four_classes()}) {
    TuneOptions tuning{.folds = 4, .lambda2_grid = {0.1, 0.001}};
    EXPECT_TRUE(tune({data}, {}, short_path(), tuning).path_scores.empty());
    tuning.keep_scores = true;
    const TunedModel tuned = tune({data}, {}, short_path(), tuning);
    ASSERT_TRUE(tuned.path);
    EXPECT_EQ(tuned.path->points.front().lambda2, tuned.best.lambda2);
    ASSERT_EQ(tuned.path->points.size(), tuned.path_scores.size());
    const LinearModel there = at(*tuned.path, tuned.best.lambda1);
    EXPECT_EQ(there.features, tuned.best.features);
    EXPECT_EQ(there.coefficients, tuned.best.coefficients);
    const auto best = std::ranges::find(tuned.path->points, tuned.best.lambda1, &PathPoint::lambda1);
    EXPECT_EQ(tuned.path_scores[static_cast<std::size_t>(best - tuned.path->points.begin())],
              tuned.tuning.out_of_fold.best);
    for (const auto& scores : tuned.path_scores)
      EXPECT_EQ(scores.size(), tuned.tuning.out_of_fold.samples.size() * tuned.best.intercept.size());
  }
}

TEST(Tune, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const Dataset& data : {gaussian(), four_classes()}) {
    FitOptions options;
    options.standardize = true;
    options.threads = 1;
    TuneOptions tuning;
    tuning.folds = 5;
    tuning.repeats = 2;
    tuning.stability = 6;
    tuning.lambda2_grid = {0.1, 0.001};
    const TunedModel one = tune({data}, options, short_path(), tuning);
    for (const int threads : {2, 4}) {
      options.threads = threads;
      const TunedModel more = tune({data}, options, short_path(), tuning);
      expect_same_grid(one, more, 0.0);
      EXPECT_EQ(one.best.coefficients, more.best.coefficients);
      EXPECT_EQ(one.one_se.intercept, more.one_se.intercept);
      EXPECT_EQ(one.best.calibration->slope, more.best.calibration->slope);
      EXPECT_EQ(one.best.calibration->offsets, more.best.calibration->offsets);
      EXPECT_EQ(one.best.stability->frequencies, more.best.stability->frequencies);
    }
  }
}

TEST(Tune, ChoosesByProbabilitiesAndByTheAucOfSeveralClasses) {
  for (const Dataset& data : {gaussian(), four_classes()}) {
    for (const Score score : {Score::log_loss, Score::brier_score, Score::auc}) {
      const TunedModel model = tune({data}, kOneLambda2, short_path(), {.folds = 4, .score = score});
      for (std::size_t k = 0; k < model.tuning.grid.size(); ++k) {
        const bool larger = info_of(score).larger_is_better;
        const double mean = mean_of(model, k, score).mean;
        const double best = mean_of(model, model.tuning.best, score).mean;
        EXPECT_TRUE(larger ? mean <= best : mean >= best) << to_string(score);
      }
      // Of equal folds the mean over folds is that over samples, which is what the calibration has.
      if (score == Score::log_loss) {
        EXPECT_NEAR(mean_of(model, model.tuning.best, score).mean, model.best.calibration->log_loss, 1e-6);
      }
    }
  }
}

TEST(Tune, GivesTheSameAnswerForDenseAndSparseStorage) {
  for (const Dataset& data : {gaussian(), four_classes()}) {
    for (const bool standardize : {false, true}) {
      FitOptions options = kOneLambda2;
      options.standardize = standardize;
      const TunedModel dense = tune({data}, options, short_path());
      const TunedModel sparse = tune({as_csc(data)}, options, short_path());
      expect_same_grid(dense, sparse, 1e-4);
      for (std::size_t k = 0; k < dense.tuning.grid.size(); ++k)
        EXPECT_EQ(mean_of(dense, k).mean, mean_of(sparse, k).mean);  // counts of samples
      EXPECT_EQ(dense.best.features, sparse.best.features);
    }
  }
}

// Everything once more by hand: the training part taken out of the data, a path fitted to it, the others predicted.
TEST(Tune, ScoresWhatFitsOfTheTrainingPartsPredict) {
  for (const Dataset& data : {gaussian(7), four_classes(7)}) {
    for (const bool learned : {false, true}) {
      FitOptions options = kOneLambda2;
      options.tolerance = 1e-10;
      options.standardize = learned;
      options.class_weight.balanced = learned;
      if (learned) options.keep_top = 9;
      TuneOptions tuning;
      tuning.folds = 4;
      const TunedModel model = tune({data}, options, short_path(), tuning);
      const Folds folds = detail::make_folds({data}, options.seed, tuning);
      PathOptions grid;
      for (const TuningPoint& point : model.tuning.grid) grid.lambda_grid.push_back(point.lambda1);
      std::vector<std::vector<double>> accuracies(grid.lambda_grid.size());
      std::vector<double> nonzeros(grid.lambda_grid.size(), 0.0);
      for (Index fold = 0; fold < 4; ++fold) {
        std::vector<Index> inside;
        std::vector<Index> outside;
        for (Index i = 0; i < data.n_samples(); ++i)
          (folds.of_sample[0][static_cast<std::size_t>(i)] == fold ? outside : inside).push_back(i);
        const Dataset test = take_rows(data, outside);
        const PathModel path = fit_path({take_rows(data, inside)}, options, grid);
        for (std::size_t k = 0; k < path.points.size(); ++k) {
          const Prediction prediction = predict(at(path, path.points[k].lambda1), test.design);
          double right = 0.0;
          for (std::size_t i = 0; i < prediction.classes.size(); ++i)
            right += prediction.classes[i] == test.labels->of_sample[i] ? 1.0 : 0.0;
          accuracies[k].push_back(right / static_cast<double>(prediction.classes.size()));
          nonzeros[k] += static_cast<double>(path.points[k].features.size()) / 4.0;
        }
      }
      // Without a feature balanced classes tie, and rounding decides.
      for (std::size_t k = learned ? 1 : 0; k < accuracies.size(); ++k) {
        double mean = 0.0;
        for (const double accuracy : accuracies[k]) mean += accuracy / 4.0;
        double square = 0.0;
        for (const double accuracy : accuracies[k]) square += (accuracy - mean) * (accuracy - mean);
        EXPECT_NEAR(mean_of(model, k).mean, mean, 1e-12);
        EXPECT_NEAR(mean_of(model, k).standard_error, std::sqrt(square / 3.0 / 4.0), 1e-12);
        EXPECT_NEAR(model.tuning.grid[k].mean_nonzeros, nonzeros[k], 1e-12);
      }
    }
  }
}

TEST(Tune, RefitsOnAllSamples) {
  const Dataset data = gaussian();
  FitOptions options = kOneLambda2;
  const TunedModel model = tune({data}, options, short_path());
  for (const LinearModel* chosen : {&model.best, &model.one_se}) {
    options.lambda1 = chosen->lambda1;
    options.lambda2 = chosen->lambda2;
    const LinearModel fitted = fit({data}, options);
    EXPECT_LE(chosen->report->relative_gap, options.tolerance);
    EXPECT_EQ(chosen->report->n_samples, 60);
    EXPECT_NEAR(chosen->report->objective, fitted.report->objective, 2e-6);
  }
  EXPECT_EQ(model.tuning.grid[model.tuning.best].lambda1, model.best.lambda1);
  EXPECT_EQ(static_cast<std::size_t>(model.tuning.grid[model.tuning.best].nonzeros),
            model.best.features.size());
  EXPECT_LE(model.one_se.features.size(), model.best.features.size());
  EXPECT_GE(mean_of(model, model.tuning.one_se).mean,
            mean_of(model, model.tuning.best).mean - mean_of(model, model.tuning.best).standard_error);
  EXPECT_EQ(model.tuning.status, Status::converged);
  EXPECT_EQ(model.tuning.n_paths, 11);
}

TEST(Tune, RunsOverLambda2AndDeltaOnTheSameGridAndFolds) {
  const Dataset data = gaussian();
  TuneOptions tuning;
  tuning.folds = 3;
  tuning.lambda2_grid = {0.5, 0.01};
  tuning.delta_grid = {1.0, 0.2};
  const TunedModel model = tune({data}, {}, short_path(8), tuning);
  ASSERT_EQ(model.tuning.grid.size(), 32U);
  EXPECT_EQ(model.tuning.n_paths, 16);
  for (std::size_t k = 0; k < 32; ++k) {
    EXPECT_EQ(model.tuning.grid[k].lambda1, model.tuning.grid[k % 8].lambda1);
    EXPECT_EQ(model.tuning.grid[k].lambda2, k / 8 % 2 == 0 ? 0.5 : 0.01);
    EXPECT_EQ(model.tuning.grid[k].lambda3, 0.0);
    EXPECT_EQ(model.tuning.grid[k].delta, k < 16 ? 1.0 : 0.2);
  }
  // A line of the grid is what it would be alone.
  PathOptions grid;
  for (std::size_t k = 0; k < 8; ++k) grid.lambda_grid.push_back(model.tuning.grid[k].lambda1);
  FitOptions options;
  options.lambda2 = 0.01;
  options.delta = 0.2;
  const TunedModel alone = tune({data}, options, grid, {.folds = 3});
  for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(mean_of(alone, k).mean, mean_of(model, 24 + k).mean);
}

TEST(Tune, RepeatsWithOtherFoldsAndAveragesThem) {
  const Dataset data = gaussian();
  TuneOptions tuning;
  tuning.folds = 5;
  tuning.repeats = 3;
  const TunedModel repeated = tune({data}, kOneLambda2, short_path(6), tuning);
  const Folds folds = detail::make_folds({data}, 1, tuning);
  std::vector<double> mean(6, 0.0);
  for (const std::vector<Index>& of_sample : folds.of_sample) {
    TuneOptions given;
    given.fold_of_sample = of_sample;
    const TunedModel one = tune({data}, kOneLambda2, short_path(6), given);
    for (std::size_t k = 0; k < 6; ++k) mean[k] += mean_of(one, k).mean / 3.0;
  }
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(mean_of(repeated, k).mean, mean[k], 1e-12);
}

TEST(Tune, LeavesOneOutOfTinyData) {
  const Dataset data = take_rows(gaussian(), std::vector<Index>{0, 1, 2, 3, 4, 5, 6, 7});
  const TunedModel by_default = tune({data}, kOneLambda2, short_path(5));
  const TunedModel asked = tune({data}, kOneLambda2, short_path(5), {.leave_one_out = true});
  EXPECT_TRUE(by_default.tuning.leave_one_out);
  EXPECT_EQ(by_default.tuning.n_folds, 8);
  expect_same_grid(by_default, asked, 1e-12);
  EXPECT_TRUE(asked.tuning.grid[0].score(Score::auc).has_value());  // of all samples together
}

// Labels that have nothing to do with the features: whatever is learned must come from the training parts alone.
TEST(Tune, StaysAtChanceOnNoise) {
  Random random(11);
  constexpr Index kSamples = 60;
  constexpr Index kFeatures = 400;
  DenseMatrix<double> x(kSamples, kFeatures);
  for (Index j = 0; j < kFeatures; ++j) {
    for (Index i = 0; i < kSamples; ++i) x(i, j) = (1.0 + j % 7) * random.normal() + j % 5;
  }
  std::vector<std::string> labels;
  for (Index i = 0; i < kSamples; ++i) labels.emplace_back(i % 2 == 0 ? "a" : "b");
  Dataset data;
  data.source = "noise";
  data.design = x;
  data.labels = make_labels(labels);

  for (const bool standardize : {false, true}) {
    for (const Index keep : {Index{0}, Index{10}}) {
      FitOptions options = kOneLambda2;
      options.standardize = standardize;
      if (keep > 0) options.keep_top = keep;
      TuneOptions tuning;
      tuning.repeats = 2;
      const TunedModel model = tune({data}, options, short_path(8), tuning);
      double mean = 0.0;
      for (std::size_t k = 0; k < 8; ++k) mean += mean_of(model, k).mean / 8.0;
      EXPECT_NEAR(mean, 0.5, 0.13) << standardize << " " << keep;  // twice the standard deviation of 60 coins
    }
  }
  // The check can fail: features ranked on all samples, as one must not do, look like knowledge.
  const FitOptions on_all = {.keep_top = 10};
  const LinearModel peeked = fit({data}, on_all);
  std::vector<double> factors(static_cast<std::size_t>(kFeatures), 1e6);
  for (const Index j : peeked.features) factors[static_cast<std::size_t>(j)] = 1.0;
  const TunedModel leaked = tune({.data = data, .penalty_factors = factors}, kOneLambda2, short_path(8));
  EXPECT_GT(mean_of(leaked, leaked.tuning.best).mean, 0.7);
}

TEST(Tune, TakesSamplesOfWeightZeroAsAbsent) {
  const Dataset data = gaussian(5);
  std::vector<double> weights(60, 1.0);
  std::vector<Index> rows;
  std::vector<Index> folds(60);
  std::vector<Index> kept_folds;
  for (Index i = 0; i < 60; ++i) {
    folds[static_cast<std::size_t>(i)] = i % 4;
    if (i % 7 == 2) {
      weights[static_cast<std::size_t>(i)] = 0.0;
    } else {
      rows.push_back(i);
      kept_folds.push_back(i % 4);
    }
  }
  FitOptions options = kOneLambda2;
  options.standardize = true;
  options.class_weight.balanced = true;
  options.tolerance = 1e-10;
  TuneOptions all;
  all.fold_of_sample = folds;
  TuneOptions some;
  some.fold_of_sample = kept_folds;
  const TunedModel weighted = tune({data, weights}, options, short_path(), all);
  const TunedModel without = tune({take_rows(data, rows)}, options, short_path(), some);
  expect_same_grid(weighted, without, 1e-6);
}

TEST(Tune, CountsHowOftenFeaturesAreSelected) {
  const Dataset data = generate(GaussianDesign{.n = 80, .p = 60, .s = 5, .rho = 0.0, .seed = 1});
  TuneOptions tuning;
  tuning.folds = 5;
  tuning.stability = 20;
  const TunedModel model = tune({data}, kOneLambda2, short_path(), tuning);
  for (const LinearModel* chosen : {&model.best, &model.one_se}) {
    ASSERT_TRUE(chosen->stability.has_value());
    const Stability& stability = *chosen->stability;
    EXPECT_EQ(stability.n_halves, 20);
    ASSERT_EQ(stability.features.size(), stability.frequencies.size());
    double sum = 0.0;
    for (std::size_t k = 0; k < stability.features.size(); ++k) {
      EXPECT_GT(stability.frequencies[k], 0.0);
      EXPECT_LE(stability.frequencies[k], 1.0);
      sum += stability.frequencies[k];
      if (k > 0) {
        EXPECT_LT(stability.features[k - 1], stability.features[k]);
      }
    }
    EXPECT_NEAR(sum, stability.mean_selected, 1e-12);
  }
  // The five features with a difference of two standard deviations are found by every half down to the best
  // model.
  const Stability& best = *model.best.stability;
  ASSERT_GE(best.features.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(best.features[k], static_cast<Index>(k));
    EXPECT_GE(best.frequencies[k], 0.9);
  }
  // A model further up the path has selected no more.
  EXPECT_LE(model.one_se.stability->mean_selected, best.mean_selected);
}

// The share of right predictions among samples with about the same probability is that probability. On average:
// single training sets of this size are off by up to 0.07 (bench/cv_bench.cpp).
TEST(Tune, CalibratesProbabilitiesOfNewSamples) {
  constexpr std::uint64_t kTrials = 4;
  double mean_error = 0.0;
  for (std::uint64_t seed = 1; seed <= kTrials; ++seed) {
    const Dataset train = generate(GaussianDesign{.n = 150, .p = 300, .s = 20, .rho = 0.8, .seed = seed});
    const Dataset test = generate(GaussianDesign{.n = 1000, .p = 300, .s = 20, .rho = 0.8, .seed = seed + 100});
    const TunedModel model = tune({train}, kOneLambda2, {.nlambda = 20});
    ASSERT_TRUE(model.best.calibration.has_value());
    const std::vector<double> p =
        probabilities(*model.best.calibration, predict(model.best, test.design).scores);
    constexpr std::size_t kBins = 10;
    std::vector<double> sum(kBins, 0.0);
    std::vector<double> hits(kBins, 0.0);
    double log_loss = 0.0;
    for (std::size_t i = 0; i < 1000; ++i) {
      const auto truth = static_cast<std::size_t>(test.labels->of_sample[i]);
      ASSERT_NEAR(p[2 * i] + p[2 * i + 1], 1.0, 1e-12);
      const auto bin = std::min(kBins - 1, static_cast<std::size_t>(p[2 * i + 1] * kBins));
      sum[bin] += p[2 * i + 1];
      hits[bin] += static_cast<double>(truth);
      log_loss -= std::log(p[2 * i + truth]) / 1000.0;
    }
    double error = 0.0;
    for (std::size_t bin = 0; bin < kBins; ++bin) error += std::abs(sum[bin] - hits[bin]) / 1000.0;
    mean_error += error / static_cast<double>(kTrials);
    EXPECT_NEAR(log_loss, model.best.calibration->log_loss, 0.15);  // what cross-validation has promised
  }
  EXPECT_LT(mean_error, 0.05);
}

TEST(Tune, RefusesWhatCannotBeFolded) {
  const auto refusal = [](const Dataset& data, const TuneOptions& tuning, const FitOptions& options = {}) {
    try {
      static_cast<void>(tune({data}, options, short_path(4), tuning));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no refusal");
  };
  const Dataset data = gaussian();
  EXPECT_THAT(refusal(data, {.folds = 61}), HasSubstr("folds 61"));
  EXPECT_THAT(refusal(data, {.folds = 1}), HasSubstr("folds 1"));
  EXPECT_THAT(refusal(data, {.fold_of_sample = {1, 2}}), HasSubstr("60"));
  EXPECT_THAT(refusal(data, {.lambda2_grid = {1.0, -1.0}}), HasSubstr("lambda2_grid"));
  EXPECT_THAT(refusal(data, {.lambda2_grid = {1.0}}, {.lambda2 = 0.1}), HasSubstr("exclude each other"));
  EXPECT_THAT(refusal(data, {.delta_grid = {0.0}}), HasSubstr("delta_grid"));
  EXPECT_THAT(refusal(data, {}, {.lambda1 = 0.1}), HasSubstr("lambda1"));
  Dataset lonely = data;
  for (Index& k : lonely.labels->of_sample) k = 0;
  lonely.labels->of_sample[5] = 1;
  std::vector<Index> by_number(60);
  for (std::size_t i = 0; i < 60; ++i) by_number[i] = static_cast<Index>(i % 3);
  EXPECT_THAT(refusal(lonely, {.fold_of_sample = by_number}), HasSubstr("class '1'"));
  // Classes with fewer samples than folds are dealt with, one of a single sample too.
  EXPECT_EQ(refusal(lonely, {}), "no refusal");
  lonely.labels->of_sample[6] = 1;
  lonely.labels->of_sample[7] = 1;
  EXPECT_EQ(refusal(lonely, {}), "no refusal");
}

TEST(Tune, StopsWhenAsked) {
  const Dataset data = gaussian();
  try {
    static_cast<void>(tune({data}, kOneLambda2, short_path(), {}, {.interrupted = [] { return true; }}));
    FAIL() << "went on";
  } catch (const StoppedError& error) {
    EXPECT_EQ(error.status(), Status::interrupted);
    EXPECT_THAT(error.what(), HasSubstr("interrupted"));
  }
  FitOptions options = kOneLambda2;
  options.time_limit = 1e-9;
  EXPECT_THROW(static_cast<void>(tune({data}, options, short_path())), StoppedError);

  // After some folds the choice is made by those.
  options = kOneLambda2;
  options.threads = 1;
  Count done = 0;
  TuneMonitor monitor;
  monitor.progress = [&](const TuneProgress& progress) {
    done = progress.paths_done;
    EXPECT_EQ(progress.n_paths, 11);
    EXPECT_GE(progress.seconds_left, 0.0);
  };
  monitor.interrupted = [&] { return done >= 5; };
  const TunedModel model = tune({data}, options, short_path(), {}, monitor);
  EXPECT_EQ(model.tuning.status, Status::interrupted);
  EXPECT_EQ(model.tuning.n_paths, 5);
  EXPECT_TRUE(model.best.report.has_value());
  EXPECT_TRUE(model.best.calibration.has_value());
}

// Interrupted among the halves: the models stand, the frequencies are those of the halves that were done, and
// the status says so. One that comes when all is done stops nothing.
TEST(Tune, StopsInStabilitySelection) {
  const Dataset data = gaussian();
  TuneOptions tuning;
  tuning.stability = 8;
  for (const Count stop_at : {Count{14}, Count{19}}) {
    Count done = 0;
    TuneMonitor monitor;
    monitor.progress = [&](const TuneProgress& progress) {
      done = progress.paths_done;
      EXPECT_LE(progress.paths_done, progress.n_paths);
    };
    monitor.interrupted = [&] { return done >= stop_at; };
    const TunedModel model = tune({data}, {.lambda2 = 0.01, .threads = 1}, short_path(6), tuning, monitor);
    EXPECT_EQ(model.tuning.status, stop_at == 14 ? Status::interrupted : Status::converged);
    ASSERT_TRUE(model.best.stability.has_value());
    EXPECT_EQ(model.best.stability->n_halves, stop_at == 14 ? 3 : 8);
  }
}

// Where the two models stand in different lines of the grid the halves are walked for both, and counted so.
TEST(Tune, CountsThePathsOfBothModels) {
  TuneOptions tuning;
  tuning.folds = 3;
  tuning.stability = 4;
  tuning.lambda2_grid = {3.0, 0.001};
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Count expected = 0;
    TuneMonitor monitor;
    monitor.progress = [&](const TuneProgress& progress) { expected = progress.n_paths; };
    const TunedModel model = tune({gaussian(seed)}, {}, short_path(8), tuning, monitor);
    EXPECT_EQ(model.tuning.n_paths, expected);
    EXPECT_EQ(expected, model.best.lambda2 == model.one_se.lambda2 ? 12 : 16);
  }
}

TEST(Tune, EndsWhereThePathOfAllSamplesDoes) {
  PathOptions path = short_path(20);
  path.max_nonzeros = 5;
  const TunedModel model = tune({gaussian()}, kOneLambda2, path);
  EXPECT_LT(model.tuning.grid.size(), 20U);
  for (std::size_t k = 0; k + 1 < model.tuning.grid.size(); ++k) EXPECT_LE(model.tuning.grid[k].nonzeros, 5);
}

TEST(Tune, WorksWithEverySolverAndAlpha) {
  const Dataset data = gaussian();
  FitOptions options = kOneLambda2;
  const TunedModel newton = tune({data}, options, short_path(6), {.folds = 3});
  for (const Solver solver : {Solver::pg, Solver::pg2}) {
    options.solver = solver;
    const TunedModel other = tune({data}, options, short_path(6), {.folds = 3});
    for (std::size_t k = 0; k < 6; ++k)
      EXPECT_NEAR(mean_of(newton, k, Score::loss).mean, mean_of(other, k, Score::loss).mean, 1e-3);
  }
  const TunedModel shared = tune({data}, {.alpha = 0.7}, short_path(6), {.folds = 3});
  for (const TuningPoint& point : shared.tuning.grid)
    EXPECT_NEAR(point.lambda2, point.lambda1 * 0.3 / 0.7, 1e-12 * point.lambda1);
}

}  // namespace
}  // namespace hsvm
