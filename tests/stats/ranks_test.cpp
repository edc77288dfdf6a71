#include "hsvm/stats/ranks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "hsvm/core/error.hpp"
#include "hsvm/core/random.hpp"

namespace hsvm::stats {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

TEST(AscendingOrder, KeepsTheOrderOfEquals) {
  EXPECT_THAT(ascending_order(std::vector<double>{2.5, 1.0, 2.5}), ElementsAre(1, 0, 2));
}

TEST(Ranks, TiesShareTheirMean) {
  EXPECT_THAT(ranks(std::vector<double>{7, 2, 9, 7}), ElementsAre(2.5, 1, 4, 2.5));
  EXPECT_THAT(ranks(std::vector<double>{5, 5, 5}), ElementsAre(2, 2, 2));
  EXPECT_THAT(ranks(std::vector<double>{-1}), ElementsAre(1));
  EXPECT_THAT(ranks(std::vector<double>{0.0, -0.0}), ElementsAre(1.5, 1.5));
  EXPECT_TRUE(ranks({}).empty());
}

TEST(Ranks, ToleranceTiesNeighbours) {
  const std::vector<double> values{1.0, 1.25, 2.0};
  EXPECT_THAT(ranks(values, 0.2), ElementsAre(1, 2, 3));
  EXPECT_THAT(ranks(values, 0.25), ElementsAre(1.5, 1.5, 3));
}

TEST(Ranks, CountWhatIsBelowAndEqual) {
  Random random(1);
  std::vector<double> values(60);
  for (double& value : values) value = static_cast<double>(random.below(20));
  const std::vector<double> result = ranks(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto below = std::count_if(values.begin(), values.end(), [&](double x) { return x < values[i]; });
    const auto equal = std::count(values.begin(), values.end(), values[i]);
    EXPECT_EQ(result[i], static_cast<double>(below) + 0.5 * static_cast<double>(equal + 1));
  }
  EXPECT_EQ(std::accumulate(result.begin(), result.end(), 0.0), 60 * 61 / 2);
}

TEST(Ranks, RefuseWhatHasNoOrder) {
  EXPECT_THROW((void)ranks(std::vector<double>{1, std::numeric_limits<double>::quiet_NaN()}), InputError);
  EXPECT_THROW((void)ranks(std::vector<double>{1, std::numeric_limits<double>::infinity()}), InputError);
}

TEST(AverageRanks, OneIsBest) {
  ScoreTable table{.datasets = {"a", "b"}, .methods = {"x", "y", "z"}, .scores = {10, 30, 20, 5, 5, 1}};
  EXPECT_THAT(average_ranks(table), ElementsAre(2.25, 1.25, 2.5));
  table.smaller_is_better = true;
  EXPECT_THAT(average_ranks(table), ElementsAre(1.75, 2.75, 1.5));
}

TEST(AverageRanks, DependOnTheOrderAlone) {
  ScoreTable table{.datasets = {"a", "b", "c"},
                   .methods = {"x", "y", "z"},
                   .scores = {0.1, 0.3, 0.2, 0.5, 0.5, 0.4, 0.9, 0.7, 0.8}};
  const std::vector<double> expected = average_ranks(table);
  for (std::size_t i = 0; i < table.scores.size(); ++i) {
    // A monotone transformation of its own for each dataset.
    table.scores[i] = std::exp(static_cast<double>(i / 3 + 1) * table.scores[i]) - 1000.0;
  }
  EXPECT_EQ(average_ranks(table), expected);
}

TEST(AverageRanks, RefuseATableThatIsNone) {
  EXPECT_THROW((void)average_ranks({.datasets = {"a"}, .methods = {"x", "y"}, .scores = {1}}), InputError);
}

TEST(RankDeviation, Formula) {
  EXPECT_THAT(rank_deviation(4, 14), DoubleEq(std::sqrt(20.0 / 84.0)));
}

TEST(CheckAverageRanks, Messages) {
  const auto refusal = [](std::vector<double> averages, std::size_t n) -> std::string {
    try {
      check_average_ranks(averages, n);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal({1.5, 1.5}, 3), "accepted");
  EXPECT_EQ(refusal({1.5, 1.5}, 0), "average ranks: no dataset; expected at least one");
  EXPECT_EQ(refusal({1}, 3), "average ranks: 1 given; expected at least two to compare");
  EXPECT_EQ(refusal({1, 2, 2}, 3), "average ranks: they sum to 5; expected 6");
  EXPECT_EQ(refusal({1, std::numeric_limits<double>::quiet_NaN()}, 3),
            "average ranks: they sum to nan; expected 3");
}

}  // namespace
}  // namespace hsvm::stats
