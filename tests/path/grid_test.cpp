#include "hsvm/path/grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "hsvm/solve/null_model.hpp"
#include "hsvm/solve/two_stage.hpp"
#include "tests/support/multiclass.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/reference.hpp"

namespace hsvm {
namespace {

using test::DenseProblem;
using test::ProblemData;

TEST(GeometricGrid, HasItsEndsExactlyAndFalls) {
  for (const double most : {1.0, 1.0 / 3.0, 1e-200, 7e150}) {
    for (const double ratio : {1e-4, 1e-2, 0.1, 0.7, 0.999}) {
      for (const int n : {2, 3, 100, 1000}) {
        const std::vector<double> grid = geometric_grid(most, n, ratio);
        ASSERT_EQ(std::ssize(grid), n);
        EXPECT_EQ(grid.front(), most);
        EXPECT_EQ(grid.back(), ratio * most);
        const double step = std::pow(ratio, 1.0 / (n - 1));
        for (std::size_t k = 1; k < grid.size(); ++k) {
          EXPECT_LT(grid[k], grid[k - 1]);
          EXPECT_NEAR(grid[k] / grid[k - 1], step, 1e-12);
        }
      }
    }
  }
}

TEST(GeometricGrid, OfOnePointIsItsTop) {
  EXPECT_EQ(geometric_grid(2.0, 1, 0.1), std::vector<double>{2.0});
}

TEST(GeometricGrid, OfNothingIsZero) {
  EXPECT_EQ(geometric_grid(0.0, 100, 0.1), std::vector<double>{0.0});
}

TEST(GeometricGrid, KeepsPointsApartWhereRoundingCannot) {
  const double ratio = 1.0 - 0x1p-52;
  const std::vector<double> grid = geometric_grid(1.0, 100, ratio);
  EXPECT_LE(grid.size(), 3U);
  EXPECT_EQ(grid.back(), ratio);
  for (std::size_t k = 1; k < grid.size(); ++k) EXPECT_LT(grid[k], grid[k - 1]);
}

TEST(ContinueGrid, GoesOnWithTheSameStepByAFactorOfTen) {
  const std::vector<double> whole = geometric_grid(2.0, 41, 1e-4);
  const std::vector<double> below = continue_grid(whole.back(), 41, 1e-4);
  ASSERT_EQ(below.size(), 10U);  // 40 steps were four factors of ten
  EXPECT_NEAR(below.front() / whole.back(), whole[1] / whole[0], 1e-12);
  EXPECT_NEAR(below.back(), 0.1 * whole.back(), 1e-18);
  for (std::size_t k = 1; k < below.size(); ++k) EXPECT_LT(below[k], below[k - 1]);
  EXPECT_EQ(continue_grid(1.0, 2, 1e-4).size(), 1U);  // a step wider than that
}

TEST(LambdaMinRatio, DependsOnTheShape) {
  EXPECT_EQ(default_lambda_min_ratio(101, 100, 1), 1e-4);
  EXPECT_EQ(default_lambda_min_ratio(100, 100, 1), 1e-2);
  EXPECT_EQ(default_lambda_min_ratio(10, 100, 1), 1e-2);
  EXPECT_EQ(default_lambda_min_ratio(101, 100, 5), 1e-4 / 5);
}

TEST(PathPenalty, IsFixedOrShares) {
  const PathPenalty fixed{.lambda2 = 0.3, .lambda3 = 0.1};
  EXPECT_EQ(fixed.at(2.0).lambda1, 2.0);
  EXPECT_EQ(fixed.at(2.0).lambda2, 0.3);
  EXPECT_EQ(fixed.at(0.0).lambda3, 0.1);

  // lambda1 = alpha L, lambda2 = (1 - alpha) L
  const PathPenalty shared{.alpha = 0.25, .lambda2 = 9.0};
  const double L = 8.0;
  EXPECT_DOUBLE_EQ(shared.at(0.25 * L).lambda2, 0.75 * L);
  EXPECT_EQ(shared.at(0.25 * L).lambda3, 0.0);
  EXPECT_EQ((PathPenalty{.alpha = 1.0}).at(3.0).lambda2, 0.0);
  EXPECT_EQ((PathPenalty{.alpha = 0.5, .lambda3 = 0.2}).at(3.0).lambda3, 0.2);
}

TEST(Lambda1MaxOfShare, IsAFixedPointReachedFromAbove) {
  int asked = 0;
  const auto solve = [&](auto f) {
    asked = 0;
    return lambda1_max_of_share([&](double x) {
      ++asked;
      return f(x);
    });
  };
  EXPECT_EQ(solve([](double) { return 0.75; }), 0.75);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(solve([](double) { return 0.0; }), 0.0);
  const double golden = solve([](double x) { return 1.0 / (1.0 + x); });
  EXPECT_NEAR(golden, 0.5 * (std::sqrt(5.0) - 1.0), 1e-9);
  EXPECT_LE(1.0 / (1.0 + golden), golden);
  EXPECT_LE(asked, 12);
  EXPECT_NEAR(solve([](double x) { return 1.0 + 0.95 * x; }), 20.0, 1e-7);
  EXPECT_NEAR(solve([](double x) { return 1e-8 + 1e-9 / (1e-8 + x); }), 3.1625e-5, 1e-8);
  const double jump = solve([](double x) { return x < 2.0 ? 3.0 : 1.0; });  // no fixed point at all
  EXPECT_GE(jump, 2.0);
  EXPECT_LE(jump, 2.1);
}

}  // namespace
}  // namespace hsvm
