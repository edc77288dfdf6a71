#include "hsvm/select/fold_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/model/scored_data.hpp"

namespace hsvm {
namespace {

using Numbers = std::vector<Index>;
using test::kLoss;
using test::random_data;
using test::score_of;
using test::ScoredData;

ScoreSummary summary_of(const ScoreSummaries& summaries, Score which) {
  return summaries[static_cast<std::size_t>(which)].value();
}

// The header's words once more, with `score` of the folds and of what is left without them.
ScoreSummaries reference_summaries(const ScoredData& data, const Numbers& folds, Index n_folds,
                                   bool every_class) {
  std::vector<Scores> own;
  std::vector<Scores> rest;
  for (Index f = 0; f < n_folds; ++f) {
    own.push_back(all_scores(data.only([&](std::size_t i) { return folds[i] == f; }).samples(), kLoss));
    rest.push_back(all_scores(data.only([&](std::size_t i) { return folds[i] != f; }).samples(), kLoss));
  }
  const Scores all = all_scores(data.samples(), kLoss);
  const double n = n_folds;
  ScoreSummaries summaries;
  for (const Score which : tuning_scores()) {
    const auto at = static_cast<std::size_t>(which);
    if (!all[at]) continue;
    const bool by_fold = every_class || which == Score::accuracy || which == Score::loss;
    const std::vector<Scores>& scores = by_fold ? own : rest;
    double mean = 0.0;
    for (const Scores& one : scores) mean += one[at].value() / n;
    double squares = 0.0;
    for (const Scores& one : scores) squares += std::pow(one[at].value() - mean, 2);
    summaries[at] = by_fold ? ScoreSummary{mean, std::sqrt(squares / (n - 1.0) / n)}
                            : ScoreSummary{*all[at], std::sqrt((n - 1.0) / n * squares)};
  }
  return summaries;
}

void expect_same(const ScoreSummaries& actual, const ScoreSummaries& expected) {
  for (const Score which : tuning_scores()) {
    const auto at = static_cast<std::size_t>(which);
    ASSERT_EQ(actual[at].has_value(), expected[at].has_value()) << to_string(which);
    if (!expected[at]) continue;
    EXPECT_NEAR(actual[at]->mean, expected[at]->mean, 1e-13) << to_string(which);
    EXPECT_NEAR(actual[at]->standard_error, expected[at]->standard_error, 1e-12) << to_string(which);
  }
}

TEST(SummariseFolds, ByHand) {
  // Two folds, accuracies 1 and 1/2: mean 3/4, standard error (1/8)^{1/2}/2^{1/2} = 1/4.
  ScoredData data;
  data.add(1, 1.0, {2.0});
  data.add(0, 1.0, {-2.0});
  data.add(1, 1.0, {2.0});
  data.add(0, 1.0, {3.0});
  const ScoreSummaries summaries = summarise_folds(data.samples(), Numbers{0, 0, 1, 1}, 2, kLoss);
  EXPECT_DOUBLE_EQ(summary_of(summaries, Score::accuracy).mean, 0.75);
  EXPECT_DOUBLE_EQ(summary_of(summaries, Score::accuracy).standard_error, 0.25);
  EXPECT_DOUBLE_EQ(summary_of(summaries, Score::auc).mean, 0.5);
  EXPECT_DOUBLE_EQ(summary_of(summaries, Score::auc).standard_error, 0.5);
  EXPECT_DOUBLE_EQ(summary_of(summaries, Score::loss).mean, 0.5 * (0.0 + 0.5 * 3.5));
}

TEST(SummariseFolds, AreMeansWhereEveryFoldHasEveryClass) {
  for (const Index n_classes : {2, 3}) {
    ScoredData data = random_data(5, 60, n_classes, n_classes == 2 ? 1 : n_classes);
    Numbers folds;
    for (std::size_t i = 0; i < 60; ++i) folds.push_back(static_cast<Index>(i % 4));
    for (std::size_t i = 0; i < 12; ++i) {  // one of every class in every fold, for sure
      data.truth[i] = static_cast<Index>(i / 4) % n_classes;
      data.weights[i] = 1.0;
    }
    expect_same(summarise_folds(data.samples(), folds, 4, kLoss), reference_summaries(data, folds, 4, true));
  }
}

TEST(SummariseFolds, AreJackknivedWhereAFoldMissesAClass) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const Index n_classes : {2, 3}) {
      ScoredData data = random_data(seed, 50, n_classes, n_classes == 2 ? 1 : n_classes);
      Numbers folds;
      for (std::size_t i = 0; i < 50; ++i) {
        folds.push_back(static_cast<Index>(i % 5));
        if (folds[i] == 2) data.truth[i] = 1;
        if (folds[i] == 2) data.weights[i] = 0.75;
      }
      expect_same(summarise_folds(data.samples(), folds, 5, kLoss), reference_summaries(data, folds, 5, false));
    }
  }
}

TEST(SummariseFolds, OfLeaveOneOut) {
  ScoredData data = random_data(6, 30, 2, 1);
  data.weights.assign(30, 1.0);
  Numbers folds;
  for (Index i = 0; i < 30; ++i) folds.push_back(i);
  const ScoreSummaries summaries = summarise_folds(data.samples(), folds, 30, kLoss);
  expect_same(summaries, reference_summaries(data, folds, 30, false));
  const double accuracy = score_of(data, Score::accuracy);
  EXPECT_NEAR(summary_of(summaries, Score::accuracy).mean, accuracy, 1e-14);
  EXPECT_NEAR(summary_of(summaries, Score::accuracy).standard_error,
              std::sqrt(accuracy * (1.0 - accuracy) / 29.0), 1e-14);
}

TEST(SummariseFolds, LeaveOutFoldsWithoutSamples) {
  ScoredData data = random_data(7, 40, 2, 1);
  Numbers folds;
  Numbers renumbered;
  for (std::size_t i = 0; i < 40; ++i) {
    folds.push_back(static_cast<Index>(i % 4));
    if (folds[i] == 1) data.weights[i] = 0.0;
    renumbered.push_back(folds[i] == 3 ? 1 : folds[i]);
  }
  expect_same(summarise_folds(data.samples(), folds, 4, kLoss),
              summarise_folds(data.samples(), renumbered, 3, kLoss));
}

TEST(SummariseFolds, OfOneFoldHaveNoStandardError) {
  const ScoredData data = random_data(8, 20, 2, 1);
  const ScoreSummaries summaries = summarise_folds(data.samples(), Numbers(20, 0), 1, kLoss);
  for (const Score which : tuning_scores()) {
    if (info_of(which).input == ScoreInput::probabilities) continue;
    EXPECT_NEAR(summary_of(summaries, which).mean, score_of(data, which), 1e-15);
    EXPECT_EQ(summary_of(summaries, which).standard_error, 0.0);
  }
}

TEST(SummariseFolds, WithoutAnyClassTwiceOrAnyoneAtAll) {
  ScoredData data;
  data.add(1, 1.0, {1.0});
  data.add(0, 1.0, {-1.0});  // without either fold the AUC is undefined: no standard error of it
  const ScoreSummaries summaries = summarise_folds(data.samples(), Numbers{0, 1}, 2, kLoss);
  EXPECT_EQ(summary_of(summaries, Score::auc).mean, 1.0);
  EXPECT_EQ(summary_of(summaries, Score::auc).standard_error, 0.0);
  for (const auto& summary : summarise_folds(ScoredData{}.samples(), Numbers{}, 3, kLoss))
    EXPECT_FALSE(summary);
}

TEST(Average, IsTheMeanAndTheRootMeanSquare) {
  ScoreSummaries one;
  ScoreSummaries two;
  one[0] = ScoreSummary{0.5, 0.3};
  two[0] = ScoreSummary{0.7, 0.4};
  two[2] = ScoreSummary{1.5, 0.1};
  const ScoreSummaries result = average(std::vector{one, two});
  EXPECT_DOUBLE_EQ(result[0]->mean, 0.6);
  EXPECT_DOUBLE_EQ(result[0]->standard_error, std::sqrt(0.125));
  EXPECT_DOUBLE_EQ(result[2]->mean, 1.5);
  EXPECT_DOUBLE_EQ(result[2]->standard_error, 0.1);
  EXPECT_FALSE(result[1]);
  for (const auto& summary : average({})) EXPECT_FALSE(summary);
}

}  // namespace
}  // namespace hsvm
