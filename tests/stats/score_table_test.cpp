#include "hsvm/stats/score_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "hsvm/core/error.hpp"

namespace hsvm::stats {
namespace {

using testing::ElementsAre;

const ScoreTable kGood{.datasets = {"a", "b"}, .methods = {"x", "y", "z"}, .scores = {1, 2, 3, 4, 5, 6}};

std::string refusal(const ScoreTable& table) {
  try {
    table.check();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ScoreTable, RowsAndColumns) {
  EXPECT_EQ(refusal(kGood), "accepted");
  EXPECT_THAT(kGood.row(1), ElementsAre(4, 5, 6));
  EXPECT_THAT(kGood.column(2), ElementsAre(3, 6));
}

TEST(ScoreTable, RefusesWhatCannotBeCompared) {
  ScoreTable table = kGood;
  table.datasets.clear();
  EXPECT_EQ(refusal(table), "scores: no dataset; expected at least one");
  EXPECT_EQ(refusal({.datasets = {"a"}, .methods = {"x"}, .scores = {1}}),
            "scores: 1 method; expected at least two to compare");
  table = kGood;
  table.methods[2] = "x";
  EXPECT_EQ(refusal(table), "scores: method 'x' is there twice; expected names that differ");
  table = kGood;
  table.datasets[1] = "a";
  EXPECT_EQ(refusal(table), "scores: dataset 'a' is there twice; expected names that differ");
}

TEST(ScoreTable, RefusesMissingScores) {
  ScoreTable table = kGood;
  table.scores.pop_back();
  EXPECT_EQ(refusal(table), "scores: 5 numbers; expected 2 datasets x 3 methods");
  table = kGood;
  table.scores[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(table), "scores: nan for method 'y' on dataset 'b'; expected a finite number");
  table.scores[4] = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(table), "scores: -inf for method 'y' on dataset 'b'; expected a finite number");
}

}  // namespace
}  // namespace hsvm::stats
