#include "hsvm/report/curves.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hsvm/core/random.hpp"

namespace hsvm::report {
namespace {

using testing::ElementsAre;

// By hand: scores 3 2 2 1, of which the first and one of the two equal ones are of the class.
TEST(RankingCurves, CountTiesOnceAndHalf) {
  const std::vector<double> scores = {2.0, 3.0, 1.0, 2.0};
  const std::vector<char> is_class = {1, 1, 0, 0};
  const RankingCurves curves = ranking_curves(scores, is_class);
  ASSERT_EQ(curves.roc.size(), 4U);  // zero, above 3, above 2, above 1
  EXPECT_EQ(curves.roc[1].x, 0.0);
  EXPECT_EQ(curves.roc[1].y, 0.5);
  EXPECT_EQ(curves.roc[2].x, 0.5);
  EXPECT_EQ(curves.roc[2].y, 1.0);
  EXPECT_EQ(curves.roc[3].x, 1.0);
  EXPECT_EQ(curves.roc[3].y, 1.0);
  EXPECT_DOUBLE_EQ(curves.auc, 3.5 / 4.0);  // of four pairs three are right, one is a tie
  ASSERT_EQ(curves.precision_recall.size(), 3U);
  EXPECT_EQ(curves.precision_recall[0].y, 1.0);
  EXPECT_DOUBLE_EQ(curves.precision_recall[1].y, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(curves.average_precision, 0.5 * 1.0 + 0.5 * 2.0 / 3.0);
}

TEST(RankingCurves, AreAllOrNothingWhereScoresSayAllOrNothing) {
  const std::vector<char> is_class = {0, 0, 1, 1};
  EXPECT_EQ(ranking_curves(std::vector{1.0, 2.0, 3.0, 4.0}, is_class).auc, 1.0);
  EXPECT_EQ(ranking_curves(std::vector{4.0, 3.0, 2.0, 1.0}, is_class).auc, 0.0);
  EXPECT_EQ(ranking_curves(std::vector{1.0, 1.0, 1.0, 1.0}, is_class).auc, 0.5);
}

TEST(RankingCurves, KeepTheirEndsAndAreasWhenThinned) {
  Random random(5);
  std::vector<double> scores;
  std::vector<char> is_class;
  double right_pairs = 0.0;
  for (std::size_t i = 0; i < 1000; ++i) {
    is_class.push_back(i % 3 == 0 ? 1 : 0);
    scores.push_back(random.normal() + is_class.back());
  }
  for (std::size_t a = 0; a < 1000; ++a) {
    for (std::size_t b = 0; b < 1000; ++b)
      right_pairs += is_class[a] > is_class[b] && scores[a] > scores[b] ? 1.0 : 0.0;
  }
  const RankingCurves curves = ranking_curves(scores, is_class);
  EXPECT_EQ(curves.roc.size(), 200U);
  EXPECT_EQ(curves.roc.front().x + curves.roc.front().y, 0.0);
  EXPECT_EQ(curves.roc.back().x + curves.roc.back().y, 2.0);
  EXPECT_NEAR(curves.auc, right_pairs / (334.0 * 666.0), 1e-12);
}

TEST(CalibrationBins, MeanTheirSamples) {
  // Thirty samples: three bins. Nothing falls into the middle one.
  std::vector<double> probabilities(15, 0.2);
  probabilities.insert(probabilities.end(), 15, 1.0);
  std::vector<char> came_true(15, 0);
  came_true[0] = came_true[1] = came_true[2] = 1;
  came_true.insert(came_true.end(), 15, 1);
  const std::vector<CalibrationBin> bins = calibration_bins(probabilities, came_true);
  ASSERT_EQ(bins.size(), 2U);
  EXPECT_NEAR(bins[0].predicted, 0.2, 1e-12);
  EXPECT_NEAR(bins[0].observed, 0.2, 1e-12);
  EXPECT_EQ(bins[0].count, 15);
  EXPECT_EQ(bins[1].predicted, 1.0);  // the end belongs to the last bin
  EXPECT_EQ(bins[1].observed, 1.0);
}

TEST(ConfusionCounts, LeaveOutUnknownClasses) {
  const std::vector<Index> truth = {0, 0, 1, -1, 1};
  const std::vector<Index> predicted = {0, 1, 1, 1, 0};
  EXPECT_THAT(confusion_counts(truth, predicted, 2), ElementsAre(1, 1, 1, 1));
}

}  // namespace
}  // namespace hsvm::report
