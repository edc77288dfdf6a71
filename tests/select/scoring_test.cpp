#include "hsvm/select/scoring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "hsvm/core/random.hpp"
#include "tests/support/multiclass.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

using Numbers = std::vector<Index>;
using Values = std::vector<double>;
constexpr MarginLoss kLoss{1.0};

// What ScoredSamples refers to, owned.
struct Data {
  Index n_classes = 2;
  Index n_outputs = 1;
  Numbers truth;
  Values weights;
  Values scores;

  [[nodiscard]] ScoredSamples samples() const { return {n_classes, n_outputs, truth, weights, scores}; }
  void add(Index k, double weight, const Values& row) {
    truth.push_back(k);
    weights.push_back(weight);
    scores.insert(scores.end(), row.begin(), row.end());
  }
  // The samples for which it holds.
  [[nodiscard]] Data only(const std::function<bool(std::size_t)>& keep) const {
    Data part{n_classes, n_outputs, {}, {}, {}};
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const std::span<const double> row = samples().scores_of(i);
      if (keep(i)) part.add(truth[i], weights[i], {row.begin(), row.end()});
    }
    return part;
  }
};

// Scores are rounded so that there are ties.
Data random_data(std::uint64_t seed, std::size_t n, Index n_classes, Index n_outputs) {
  Random random(seed);
  Data data{n_classes, n_outputs, {}, {}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    const auto k = static_cast<Index>(random.below(static_cast<std::uint64_t>(n_classes)));
    Values row;
    for (Index o = 0; o < n_outputs; ++o) {
      const bool own = n_outputs == 1 ? k == 1 : k == o;
      row.push_back(std::round(4.0 * (random.normal() + (own ? 0.7 : -0.3))) / 4.0);
    }
    data.add(k, random.below(6) == 0 ? 0.0 : 0.25 * static_cast<double>(1 + random.below(8)), row);
  }
  return data;
}

double value_of(const Scores& scores, Score which) {
  return scores[static_cast<std::size_t>(which)].value();
}
double score_of(const Data& data, Score which) {
  return value_of(score(data.samples(), kLoss), which);
}
bool is_defined(const Data& data, Score which) {
  return score(data.samples(), kLoss)[static_cast<std::size_t>(which)].has_value();
}
ScoreSummary summary_of(const ScoreSummaries& summaries, Score which) {
  return summaries[static_cast<std::size_t>(which)].value();
}

double auc_by_pairs(const Data& data) {
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
  for (const Score which : kScores) {
    const auto at = static_cast<std::size_t>(which);
    ASSERT_EQ(actual[at].has_value(), expected[at].has_value()) << to_string(which);
    if (!expected[at]) continue;
    EXPECT_NEAR(*actual[at], *expected[at], tolerance) << to_string(which);
  }
}

TEST(Scoring, BinaryByHand) {
  // Class 1 at scores 2, -0.5, 0 (the last counts as class 0), class 0 at -2, 0.5.
  Data data;
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

TEST(Scoring, MulticlassByHand) {
  // Predicted 0, 1, 1 (the first of two equals), 0; class 3 is neither there nor predicted.
  Data data{4, 4, {}, {}, {}};
  data.add(0, 1.0, {1.0, 0.0, -0.5, -2.0});
  data.add(1, 2.0, {0.0, 0.5, -1.0, -1.0});
  data.add(2, 1.0, {-1.0, 0.25, 0.25, -3.0});
  data.add(2, 1.0, {3.0, -1.0, -1.0, -1.0});
  EXPECT_DOUBLE_EQ(score_of(data, Score::accuracy), 3.0 / 5.0);
  EXPECT_DOUBLE_EQ(score_of(data, Score::balanced_accuracy), (1.0 + 1.0 + 0.0) / 3.0);
  // The wrong classes' phi(-f): 1/2 + 1/8; 1/2; 3/4; 7/2.
  EXPECT_DOUBLE_EQ(score_of(data, Score::loss), (0.625 + 2.0 * 0.5 + 0.75 + 3.5) / 5.0);
  EXPECT_FALSE(is_defined(data, Score::auc));
  // 0: 2/(1 + 2); 1: 4/(2 + 3); 2: 0.
  EXPECT_DOUBLE_EQ(score_of(data, Score::macro_f1), (2.0 / 3.0 + 4.0 / 5.0 + 0.0) / 3.0);
}

TEST(Scoring, LossIsWhatIsFitted) {
  const test::ProblemData binary = test::random_problem({.seed = 3, .delta = 0.5, .weights = true});
  const test::DenseProblem problem = binary.problem();
  const auto point = problem.constant();
  Data data;
  for (std::size_t i = 0; i < binary.y.size(); ++i) {
    data.add(binary.y[i] > 0.0 ? 1 : 0, binary.s[i], {point.scores[i]});
  }
  EXPECT_NEAR(value_of(score(data.samples(), {0.5}), Score::loss), problem.smooth(point), 1e-14);

  const test::MulticlassData multi =
      test::random_multiclass_problem({.seed = 3, .delta = 0.5, .weights = true});
  const test::DenseMulticlass together = multi.problem();
  auto at = together.constant();
  Random random(1);
  Data several{3, 3, {}, {}, {}};
  for (std::size_t i = 0; i < multi.y.size(); ++i) {
    const std::span<double> row = at.scores.row(static_cast<Index>(i));
    for (double& value : row) value += random.normal();
    several.add(multi.y[i], multi.s[i], {row.begin(), row.end()});
  }
  EXPECT_NEAR(value_of(score(several.samples(), {0.5}), Score::loss), together.smooth(at), 1e-14);
}

TEST(Scoring, AWeightOfTwoIsASampleTwiceAndZeroIsNone) {
  Data weighted = random_data(1, 40, 3, 3);
  Data copied{3, 3, {}, {}, {}};
  for (std::size_t i = 0; i < weighted.truth.size(); ++i) {
    weighted.weights[i] = static_cast<double>(i % 3);
    const std::span<const double> row = weighted.samples().scores_of(i);
    for (std::size_t c = 0; c < i % 3; ++c) copied.add(weighted.truth[i], 1.0, {row.begin(), row.end()});
  }
  expect_same(score(weighted.samples(), kLoss), score(copied.samples(), kLoss), 1e-14);
}

TEST(Scoring, DoesNotDependOnTheScaleOfWeights) {
  Data data = random_data(2, 50, 2, 1);
  const Scores before = score(data.samples(), kLoss);
  for (double& weight : data.weights) weight *= 7.3;
  expect_same(score(data.samples(), kLoss), before, 1e-14);
}

TEST(Auc, IsTheShareOfOrderedPairs) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Data data = random_data(seed, 40, 2, 1);
    EXPECT_NEAR(score_of(data, Score::auc), auc_by_pairs(data), 1e-13);
  }
}

TEST(Auc, DependsOnTheOrderAlone) {
  Data data = random_data(3, 60, 2, 1);
  const double before = score_of(data, Score::auc);
  for (double& value : data.scores) value = std::exp(2.0 * value) - 5.0;
  EXPECT_EQ(score_of(data, Score::auc), before);
  for (double& value : data.scores) value = -value;
  EXPECT_NEAR(score_of(data, Score::auc), 1.0 - before, 1e-14);
  for (Index& k : data.truth) k = 1 - k;  // and the other way round as well: as it was
  EXPECT_NEAR(score_of(data, Score::auc), before, 1e-14);
}

TEST(Auc, OfTwoOutputsIsThatOfTheirDifference) {
  const Data one = random_data(4, 50, 2, 1);
  Data two{2, 2, {}, {}, {}};
  for (std::size_t i = 0; i < one.truth.size(); ++i) {
    two.add(one.truth[i], one.weights[i], {-0.5 * one.scores[i], 0.5 * one.scores[i]});
  }
  EXPECT_EQ(score_of(two, Score::auc), score_of(one, Score::auc));
  EXPECT_EQ(score_of(two, Score::accuracy), score_of(one, Score::accuracy));
}

TEST(Auc, OfEqualScoresIsOneHalfAndOfSeparateOnesOne) {
  Data data;
  for (const double weight : {0.1, 0.7, 1.3}) {
    data.add(1, weight, {0.3});
    data.add(0, weight, {0.3});
  }
  EXPECT_DOUBLE_EQ(score_of(data, Score::auc), 0.5);
  for (std::size_t i = 0; i < data.truth.size(); ++i) data.scores[i] = data.truth[i] == 1 ? 2.0 : 1.0;
  EXPECT_DOUBLE_EQ(score_of(data, Score::auc), 1.0);
}

TEST(Scoring, WhatIsUndefinedIsNone) {
  Data data;
  for (const Score which : kScores) EXPECT_FALSE(is_defined(data, which));
  data.add(1, 0.0, {1.0});
  for (const Score which : kScores) EXPECT_FALSE(is_defined(data, which));
  data.add(1, 1.0, {1.0});
  data.add(0, 0.0, {-1.0});
  for (const Score which : kScores) EXPECT_EQ(is_defined(data, which), which != Score::auc);
  EXPECT_EQ(score_of(data, Score::balanced_accuracy), 1.0);
  EXPECT_EQ(score_of(data, Score::macro_f1), 1.0);
  data.add(1, 1.0, {-1.0});  // predicted as class 0, which is not there: it has an F1 of 0
  EXPECT_DOUBLE_EQ(score_of(data, Score::macro_f1), 0.5 * (2.0 * 1.0 / (2.0 + 1.0)));
}

// The header's words once more, with `score` of the folds and of what is left without them.
ScoreSummaries reference_summaries(const Data& data, const Numbers& folds, Index n_folds, bool complete) {
  std::vector<Scores> own;
  std::vector<Scores> rest;
  for (Index f = 0; f < n_folds; ++f) {
    own.push_back(score(data.only([&](std::size_t i) { return folds[i] == f; }).samples(), kLoss));
    rest.push_back(score(data.only([&](std::size_t i) { return folds[i] != f; }).samples(), kLoss));
  }
  const Scores all = score(data.samples(), kLoss);
  const double n = n_folds;
  ScoreSummaries summaries;
  for (const Score which : kScores) {
    const auto at = static_cast<std::size_t>(which);
    if (!all[at]) continue;
    const bool by_fold = complete || which == Score::accuracy || which == Score::loss;
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
  for (const Score which : kScores) {
    const auto at = static_cast<std::size_t>(which);
    ASSERT_EQ(actual[at].has_value(), expected[at].has_value()) << to_string(which);
    if (!expected[at]) continue;
    EXPECT_NEAR(actual[at]->mean, expected[at]->mean, 1e-13) << to_string(which);
    EXPECT_NEAR(actual[at]->standard_error, expected[at]->standard_error, 1e-12) << to_string(which);
  }
}

TEST(SummariseFolds, ByHand) {
  // Two folds, accuracies 1 and 1/2: mean 3/4, standard error (1/8)^{1/2}/2^{1/2} = 1/4.
  Data data;
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
    Data data = random_data(5, 60, n_classes, n_classes == 2 ? 1 : n_classes);
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
      Data data = random_data(seed, 50, n_classes, n_classes == 2 ? 1 : n_classes);
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
  Data data = random_data(6, 30, 2, 1);
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
  Data data = random_data(7, 40, 2, 1);
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
  const Data data = random_data(8, 20, 2, 1);
  const ScoreSummaries summaries = summarise_folds(data.samples(), Numbers(20, 0), 1, kLoss);
  for (const Score which : kScores) {
    EXPECT_NEAR(summary_of(summaries, which).mean, score_of(data, which), 1e-15);
    EXPECT_EQ(summary_of(summaries, which).standard_error, 0.0);
  }
}

TEST(SummariseFolds, WithoutAnyClassTwiceOrAnyoneAtAll) {
  Data data;
  data.add(1, 1.0, {1.0});
  data.add(0, 1.0, {-1.0});  // without either fold the AUC is undefined: no standard error of it
  const ScoreSummaries summaries = summarise_folds(data.samples(), Numbers{0, 1}, 2, kLoss);
  EXPECT_EQ(summary_of(summaries, Score::auc).mean, 1.0);
  EXPECT_EQ(summary_of(summaries, Score::auc).standard_error, 0.0);
  for (const auto& summary : summarise_folds(Data{}.samples(), Numbers{}, 3, kLoss)) EXPECT_FALSE(summary);
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
