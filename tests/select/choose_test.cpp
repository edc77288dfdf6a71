#include "hsvm/select/choose.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hsvm/core/error.hpp"

namespace hsvm {
namespace {

struct Recipe {
  double lambda1 = 1.0;
  double lambda2 = 0.1;
  Index nonzeros = 5;
  double mean = 0.5;
  double standard_error = 0.0;
  Score score = Score::accuracy;
};

TuningPoint point(const Recipe& recipe) {
  TuningPoint result{{recipe.lambda1, recipe.lambda2}};
  result.nonzeros = recipe.nonzeros;
  result.scores[static_cast<std::size_t>(recipe.score)] = ScoreSummary{recipe.mean, recipe.standard_error};
  return result;
}

using Grid = std::vector<TuningPoint>;

TEST(Choose, TheBestMean) {
  const Grid grid = {point({.mean = 0.7}), point({.mean = 0.9}), point({.mean = 0.8})};
  EXPECT_EQ(choose(grid, Score::accuracy).best, 1U);
}

TEST(Choose, TheSmallestLoss) {
  const Grid grid = {point({.mean = 0.7, .score = Score::loss}),
                     point({.mean = 0.3, .standard_error = 0.1, .score = Score::loss}),
                     point({.nonzeros = 3, .mean = 0.39, .score = Score::loss}),
                     point({.nonzeros = 1, .mean = 0.41, .score = Score::loss})};
  EXPECT_EQ(choose(grid, Score::loss).best, 1U);
  EXPECT_EQ(choose(grid, Score::loss).one_se, 2U);
}

TEST(Choose, OfEqualMeansTheSparserThenTheLargerLambdas) {
  EXPECT_EQ(choose(Grid{point({.lambda1 = 3.0, .nonzeros = 5}), point({.nonzeros = 4}), point({.nonzeros = 6})},
                   Score::accuracy)
                .best,
            1U);
  EXPECT_EQ(
      choose(Grid{point({.lambda1 = 1.0, .lambda2 = 1.0}), point({.lambda1 = 2.0}), point({.lambda1 = 1.5})},
             Score::accuracy)
          .best,
      1U);
  EXPECT_EQ(
      choose(Grid{point({.lambda2 = 0.1}), point({.lambda2 = 0.2}), point({.lambda2 = 0.3})}, Score::accuracy)
          .best,
      2U);
  EXPECT_EQ(choose(Grid{point({}), point({}), point({})}, Score::accuracy).best, 0U);
}

TEST(Choose, MeansThatDifferByRoundingAreEqual) {
  const double a = 0.1 + 0.2;
  const double b = 0.3;
  ASSERT_NE(a, b);
  EXPECT_EQ(
      choose(Grid{point({.nonzeros = 5, .mean = a}), point({.nonzeros = 4, .mean = b})}, Score::accuracy).best,
      1U);
  EXPECT_EQ(
      choose(Grid{point({.nonzeros = 5, .mean = 0.3001}), point({.nonzeros = 4, .mean = b})}, Score::accuracy)
          .best,
      0U);
  // Exactly one standard error away, but for rounding.
  EXPECT_EQ(choose(Grid{point({.mean = a, .standard_error = 0.2}),
                        point({.nonzeros = 4, .mean = 0.1 * (1.0 - 1e-14)})},
                   Score::accuracy)
                .one_se,
            1U);
}

TEST(Choose, WithinOneStandardErrorTheSparsest) {
  const Grid grid = {point({.lambda1 = 4.0, .nonzeros = 2, .mean = 0.79, .standard_error = 0.5}),
                     point({.lambda1 = 3.0, .nonzeros = 4, .mean = 0.81, .standard_error = 0.5}),
                     point({.lambda1 = 2.0, .nonzeros = 7, .mean = 0.9, .standard_error = 0.1}),
                     point({.lambda1 = 3.5, .lambda2 = 1.0, .nonzeros = 30, .mean = 0.85})};
  EXPECT_EQ(choose(grid, Score::accuracy).best, 2U);
  EXPECT_EQ(choose(grid, Score::accuracy).one_se, 1U);
}

TEST(Choose, OfEquallySparseTheBetterThenTheLargerLambdas) {
  const TuningPoint best = point({.lambda1 = 1.0, .nonzeros = 9, .mean = 0.9, .standard_error = 0.2});
  EXPECT_EQ(choose(Grid{best, point({.lambda1 = 3.0, .mean = 0.8}), point({.lambda1 = 2.0, .mean = 0.85})},
                   Score::accuracy)
                .one_se,
            2U);
  EXPECT_EQ(choose(Grid{best, point({.lambda1 = 2.0, .lambda2 = 1.0, .mean = 0.8}),
                        point({.lambda1 = 3.0, .mean = 0.8})},
                   Score::accuracy)
                .one_se,
            2U);
  EXPECT_EQ(choose(Grid{best, point({.lambda1 = 2.0, .mean = 0.8}),
                        point({.lambda1 = 2.0, .lambda2 = 1.0, .mean = 0.8})},
                   Score::accuracy)
                .one_se,
            2U);
}

// An empty model within one standard error says nothing of the features: it is taken only where the best is empty, too.
TEST(Choose, PassesOverEmptyModelsUnlessTheBestIsOne) {
  const TuningPoint empty = point({.lambda1 = 3.0, .nonzeros = 0, .mean = 0.85});
  const TuningPoint sparse = point({.lambda1 = 2.0, .nonzeros = 2, .mean = 0.85});
  const TuningPoint best = point({.lambda1 = 1.0, .nonzeros = 9, .mean = 0.9, .standard_error = 0.1});
  const Choice choice = choose(Grid{empty, sparse, best}, Score::accuracy);
  EXPECT_EQ(choice.one_se, 1U);
  EXPECT_TRUE(choice.passed_over_empty);
  EXPECT_EQ(choose(Grid{empty, best}, Score::accuracy).one_se, 1U);
  EXPECT_FALSE(choose(Grid{sparse, best}, Score::accuracy).passed_over_empty);
  const TuningPoint nothing = point({.lambda1 = 3.0, .nonzeros = 0, .mean = 0.95, .standard_error = 0.1});
  const Choice none = choose(Grid{nothing, sparse, best}, Score::accuracy);
  EXPECT_EQ(none.best, 0U);
  EXPECT_EQ(none.one_se, 0U);
  EXPECT_FALSE(none.passed_over_empty);
}

TEST(Choose, WithoutSpreadBothAreTheSame) {
  const Grid grid = {point({.lambda1 = 4.0, .mean = 0.79}), point({.lambda1 = 3.0, .mean = 0.9})};
  EXPECT_EQ(choose(grid, Score::accuracy).best, 1U);
  EXPECT_EQ(choose(grid, Score::accuracy).one_se, 1U);
}

TEST(Choose, PointsWithoutTheScoreHaveNoPart) {
  const Grid grid = {point({.mean = 0.9}), point({.mean = 0.6, .score = Score::auc}),
                     point({.mean = 0.7, .score = Score::auc}), TuningPoint{}};
  EXPECT_EQ(choose(grid, Score::auc).best, 2U);
  EXPECT_EQ(choose(grid, Score::auc).one_se, 2U);
  const auto message_of = [](const Grid& points, Score score) -> std::string {
    try {
      (void)choose(points, score);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message_of(grid, Score::loss),
            "no point of the grid has the score loss: it needs samples that were held out");
  EXPECT_EQ(message_of({point({})}, Score::auc),
            "no point of the grid has the score auc: it needs samples that were held out");
  EXPECT_THROW((void)choose(Grid{}, Score::accuracy), InputError);
}

}  // namespace
}  // namespace hsvm
