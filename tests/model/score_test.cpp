#include "hsvm/model/score.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "hsvm/model/predict.hpp"
#include "tests/model/scored_data.hpp"
#include "tests/support/multiclass.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

using test::kLoss;
using test::random_data;
using test::score_of;
using test::ScoredData;

bool is_defined(const ScoredData& data, Score which) {
  return score(which, data.samples(), kLoss).has_value();
}

double auc_by_pairs(const ScoredData& data) {
  double ordered = 0.0;
  double pairs = 0.0;
  for (std::size_t i = 0; i < data.truth.size(); ++i) {
    for (std::size_t j = 0; j < data.truth.size(); ++j) {
      if (data.truth[i] != 1 || data.truth[j] != 0) continue;
      const double weight = data.weights[i] * data.weights[j];
      pairs += weight;
      if (data.scores[i] > data.scores[j]) ordered += weight;
      if (data.scores[i] == data.scores[j]) ordered += 0.5 * weight;
    }
  }
  return ordered / pairs;
}

void expect_same(const Scores& actual, const Scores& expected, double tolerance) {
  for (const Score which : tuning_scores()) {
    const auto at = static_cast<std::size_t>(which);
    ASSERT_EQ(actual[at].has_value(), expected[at].has_value()) << to_string(which);
    if (!expected[at]) continue;
    EXPECT_NEAR(*actual[at], *expected[at], tolerance) << to_string(which);
  }
}

TEST(Score, BinaryByHand) {
  // Class 1 at scores 2, -0.5, 0 (the last counts as class 0), class 0 at -2, 0.5.
  ScoredData data;
  data.add(1, 1.0, {2.0});
  data.add(1, 1.0, {-0.5});
  data.add(1, 1.0, {0.0});
  data.add(0, 1.0, {-2.0});
  data.add(0, 1.0, {0.5});
  EXPECT_DOUBLE_EQ(score_of(data, Score::accuracy), 2.0 / 5.0);
  EXPECT_DOUBLE_EQ(score_of(data, Score::balanced_accuracy), 0.5 * (1.0 / 3.0 + 1.0 / 2.0));
  // phi(2) = 0, phi(-0.5) = 1, phi(0) = 1/2 (delta = 1), phi(2) = 0, phi(-0.5) = 1
  EXPECT_DOUBLE_EQ(score_of(data, Score::loss), 2.5 / 5.0);
  EXPECT_DOUBLE_EQ(score_of(data, Score::auc), 4.0 / 6.0);
  // Class 1: TP 1, FP 1, FN 2; class 0: TP 1, FP 2, FN 1.
  EXPECT_DOUBLE_EQ(score_of(data, Score::macro_f1), 0.5 * (2.0 / 5.0 + 2.0 / 5.0));
}

TEST(Score, MulticlassByHand) {
  // Predicted 0, 1, 1 (the first of two equals), 0; class 3 is neither there nor predicted.
  ScoredData data{4, 4, {}, {}, {}};
  data.add(0, 1.0, {1.0, 0.0, -0.5, -2.0});
  data.add(1, 2.0, {0.0, 0.5, -1.0, -1.0});
  data.add(2, 1.0, {-1.0, 0.25, 0.25, -3.0});
  data.add(2, 1.0, {3.0, -1.0, -1.0, -1.0});
  EXPECT_DOUBLE_EQ(score_of(data, Score::accuracy), 3.0 / 5.0);
  EXPECT_DOUBLE_EQ(score_of(data, Score::balanced_accuracy), (1.0 + 1.0 + 0.0) / 3.0);
  // The wrong classes' phi(-f): 1/2 + 1/8; 1/2; 3/4; 7/2.
  EXPECT_DOUBLE_EQ(score_of(data, Score::loss), (0.625 + 2.0 * 0.5 + 0.75 + 3.5) / 5.0);
  // 0: 3 of 4; 1: all; 2: 4 of 6.
  EXPECT_DOUBLE_EQ(score_of(data, Score::auc), (3.0 / 4.0 + 1.0 + 4.0 / 6.0) / 3.0);
  // 0: 2/(1 + 2); 1: 4/(2 + 3); 2: 0.
  EXPECT_DOUBLE_EQ(score_of(data, Score::macro_f1), (2.0 / 3.0 + 4.0 / 5.0 + 0.0) / 3.0);
}

TEST(Score, LossIsWhatIsFitted) {
  const test::ProblemData binary = test::random_problem({.seed = 3, .delta = 0.5, .weights = true});
  const test::DenseProblem problem = binary.problem();
  const auto point = problem.constant();
  ScoredData data;
  for (std::size_t i = 0; i < binary.y.size(); ++i) {
    data.add(binary.y[i] > 0.0 ? 1 : 0, binary.s[i], {point.scores[i]});
  }
  EXPECT_NEAR(score(Score::loss, data.samples(), {0.5}).value(), problem.smooth(point), 1e-14);

  const test::MulticlassData multi =
      test::random_multiclass_problem({.seed = 3, .delta = 0.5, .weights = true});
  const test::DenseMulticlass together = multi.problem();
  auto at = together.constant();
  Random random(1);
  ScoredData several{3, 3, {}, {}, {}};
  for (std::size_t i = 0; i < multi.y.size(); ++i) {
    const std::span<double> row = at.scores.row(static_cast<Index>(i));
    for (double& value : row) value += random.normal();
    several.add(multi.y[i], multi.s[i], {row.begin(), row.end()});
  }
  EXPECT_NEAR(score(Score::loss, several.samples(), {0.5}).value(), together.smooth(at), 1e-14);
}

TEST(Score, AWeightOfTwoIsASampleTwiceAndZeroIsNone) {
  ScoredData weighted = random_data(1, 40, 3, 3);
  ScoredData copied{3, 3, {}, {}, {}};
  for (std::size_t i = 0; i < weighted.truth.size(); ++i) {
    weighted.weights[i] = static_cast<double>(i % 3);
    const std::span<const double> row = weighted.samples().scores_of(i);
    for (std::size_t c = 0; c < i % 3; ++c) copied.add(weighted.truth[i], 1.0, {row.begin(), row.end()});
  }
  expect_same(all_scores(weighted.samples(), kLoss), all_scores(copied.samples(), kLoss), 1e-14);
}

TEST(Score, DoesNotDependOnTheScaleOfWeights) {
  ScoredData data = random_data(2, 50, 2, 1);
  const Scores before = all_scores(data.samples(), kLoss);
  for (double& weight : data.weights) weight *= 7.3;
  expect_same(all_scores(data.samples(), kLoss), before, 1e-14);
}

TEST(Auc, IsTheShareOfOrderedPairs) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ScoredData data = random_data(seed, 40, 2, 1);
    EXPECT_NEAR(score_of(data, Score::auc), auc_by_pairs(data), 1e-13);
  }
}

TEST(Auc, DependsOnTheOrderAlone) {
  ScoredData data = random_data(3, 60, 2, 1);
  const double before = score_of(data, Score::auc);
  for (double& value : data.scores) value = std::exp(2.0 * value) - 5.0;
  EXPECT_EQ(score_of(data, Score::auc), before);
  for (double& value : data.scores) value = -value;
  EXPECT_NEAR(score_of(data, Score::auc), 1.0 - before, 1e-14);
  for (Index& k : data.truth) k = 1 - k;  // and the other way round as well: as it was
  EXPECT_NEAR(score_of(data, Score::auc), before, 1e-14);
}

TEST(Auc, OfTwoOutputsIsThatOfTheirDifference) {
  const ScoredData one = random_data(4, 50, 2, 1);
  ScoredData two{2, 2, {}, {}, {}};
  for (std::size_t i = 0; i < one.truth.size(); ++i) {
    two.add(one.truth[i], one.weights[i], {-0.5 * one.scores[i], 0.5 * one.scores[i]});
  }
  EXPECT_EQ(score_of(two, Score::auc), score_of(one, Score::auc));
  EXPECT_EQ(score_of(two, Score::accuracy), score_of(one, Score::accuracy));
}

TEST(Auc, OfEqualScoresIsOneHalfAndOfSeparateOnesOne) {
  ScoredData data;
  for (const double weight : {0.1, 0.7, 1.3}) {
    data.add(1, weight, {0.3});
    data.add(0, weight, {0.3});
  }
  EXPECT_DOUBLE_EQ(score_of(data, Score::auc), 0.5);
  for (std::size_t i = 0; i < data.truth.size(); ++i) data.scores[i] = data.truth[i] == 1 ? 2.0 : 1.0;
  EXPECT_DOUBLE_EQ(score_of(data, Score::auc), 1.0);
}

TEST(Score, WhatIsUndefinedIsNone) {
  ScoredData data;
  for (const Score which : tuning_scores()) EXPECT_FALSE(is_defined(data, which));
  data.add(1, 0.0, {1.0});
  for (const Score which : tuning_scores()) EXPECT_FALSE(is_defined(data, which));
  data.add(1, 1.0, {1.0});
  data.add(0, 0.0, {-1.0});
  for (const Score which : tuning_scores())
    EXPECT_EQ(is_defined(data, which),
              which != Score::auc && info_of(which).input != ScoreInput::probabilities);
  EXPECT_EQ(score_of(data, Score::balanced_accuracy), 1.0);
  EXPECT_EQ(score_of(data, Score::macro_f1), 1.0);
  data.add(1, 1.0, {-1.0});  // predicted as class 0, which is not there: it has an F1 of 0
  EXPECT_DOUBLE_EQ(score_of(data, Score::macro_f1), 0.5 * (2.0 * 1.0 / (2.0 + 1.0)));
}

// The table once more by its words: names are distinct and found, better is better, nothing leaves its range.
TEST(ScoreTable, PredictionsThatAreAllRightAreBestAndInRange) {
  ScoredData data;
  data.add(1, 1.0, {3.0});
  data.add(0, 2.0, {-3.0});
  ScoredData wrong = data;
  for (double& value : wrong.scores) value = -value;
  const std::vector<double> certain = {0.0, 1.0, 1.0, 0.0};
  const std::vector<double> mistaken = {1.0, 0.0, 0.0, 1.0};
  ScoredSamples right_samples = data.samples();
  right_samples.probabilities = certain;
  ScoredSamples wrong_samples = wrong.samples();
  wrong_samples.probabilities = mistaken;
  for (std::size_t which = 0; which < kNumScores; ++which) {
    const ScoreInfo& info = info_of(static_cast<Score>(which));
    SCOPED_TRACE(info.name);
    const double best = all_scores(right_samples, kLoss)[which].value();
    const double worst = all_scores(wrong_samples, kLoss)[which].value();
    EXPECT_EQ(best, info.larger_is_better ? info.largest : 0.0);
    EXPECT_EQ(worst, info.larger_is_better || !std::isfinite(info.largest) ? worst : info.largest);
    EXPECT_EQ(best > worst, info.larger_is_better);
    EXPECT_GE(worst, 0.0);
    EXPECT_LE(worst, info.largest);
  }
}

TEST(ScoreTable, SaysWhatAScoreIsComputedFrom) {
  const ScoredData data = random_data(9, 30, 2, 1);
  const Scores scores = all_scores(data.samples(), kLoss);
  std::set<std::string_view> names;
  for (std::size_t which = 0; which < scores.size(); ++which) {
    const ScoreInfo& info = info_of(static_cast<Score>(which));
    names.insert(info.name);
    EXPECT_EQ(scores[which].has_value(), info.input != ScoreInput::probabilities) << info.name;
    EXPECT_NE(list_tuning_scores().find(info.name), std::string::npos);
  }
  EXPECT_EQ(names.size(), kNumScores);
}

// The mean over classes of each against the others, pair by pair.
TEST(Score, AucOfSeveralClassesIsTheMeanOfEachAgainstTheRest) {
  for (const Index n_classes : {3, 5}) {
    const ScoredData data = random_data(21, 60, n_classes, n_classes);
    const ScoredSamples samples = data.samples();
    double mean = 0.0;
    for (Index k = 0; k < n_classes; ++k) {
      double ordered = 0.0;
      double pairs = 0.0;
      for (std::size_t i = 0; i < data.truth.size(); ++i) {
        for (std::size_t o = 0; o < data.truth.size(); ++o) {
          if (data.truth[i] != k || data.truth[o] == k) continue;
          const double mine = samples.scores_of(i)[static_cast<std::size_t>(k)];
          const double other = samples.scores_of(o)[static_cast<std::size_t>(k)];
          const double weight = data.weights[i] * data.weights[o];
          pairs += weight;
          ordered += weight * (mine > other ? 1.0 : mine == other ? 0.5 : 0.0);
        }
      }
      mean += ordered / pairs / static_cast<double>(n_classes);
    }
    EXPECT_NEAR(score_of(data, Score::auc), mean, 1e-12);
    ScoredSamples without = samples;
    without.with_auc = false;
    EXPECT_FALSE(score(Score::auc, without, kLoss).has_value());
  }
}

TEST(Score, OfClassesAloneIsWhatTheDecisionValuesSay) {
  const ScoredData data = random_data(10, 40, 3, 3);
  std::vector<Index> predicted;
  for (std::size_t i = 0; i < data.truth.size(); ++i)
    predicted.push_back(predicted_class(data.samples().scores_of(i)));
  const ScoredSamples classes_only{
      .n_classes = 3, .truth = data.truth, .weights = data.weights, .predicted = predicted};
  const Scores scores = all_scores(classes_only);
  for (std::size_t which = 0; which < scores.size(); ++which) {
    const bool known = info_of(static_cast<Score>(which)).input == ScoreInput::predicted_classes;
    ASSERT_EQ(scores[which].has_value(), known) << info_of(static_cast<Score>(which)).name;
    if (known) {
      EXPECT_EQ(*scores[which], score_of(data, static_cast<Score>(which)));
    }
  }
}

TEST(Score, OfProbabilitiesByHand) {
  // -log(1/2), -log(1/4), and |(-1/2, 1/2)|^2, |(1/4, -3/4, 1/2)|^2 with another class.
  const std::vector<double> p = {0.5, 0.5, 0.0, 0.25, 0.25, 0.5};
  const std::vector<Index> truth = {0, 1};
  const std::vector<double> weights = {1.0, 3.0};
  const ScoredSamples samples{.n_classes = 3, .truth = truth, .weights = weights, .probabilities = p};
  EXPECT_DOUBLE_EQ(score(Score::log_loss, samples).value(), (std::log(2.0) + 3.0 * std::log(4.0)) / 4.0);
  EXPECT_DOUBLE_EQ(score(Score::brier_score, samples).value(), (0.5 + 3.0 * 0.875) / 4.0);
  EXPECT_FALSE(score(Score::accuracy, samples));
}

TEST(Score, OfASampleOfAnUnknownClass) {
  ScoredData data = random_data(11, 30, 2, 1);
  data.weights.assign(30, 1.0);
  const Scores before = all_scores(data.samples(), kLoss);
  data.add(kUnknownClass, 10.0, {1.0});
  const Scores after = all_scores(data.samples(), kLoss);
  EXPECT_NEAR(*after[0], *before[0] * 30.0 / 40.0, 1e-15);  // it counts against the accuracy
  for (const Score which : tuning_scores()) {
    if (which == Score::accuracy) continue;
    EXPECT_EQ(after[static_cast<std::size_t>(which)], before[static_cast<std::size_t>(which)])
        << to_string(which);
  }
}

}  // namespace
}  // namespace hsvm
