#include "hsvm/path/path_end.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

namespace hsvm::detail {
namespace {

// Walks down from lambda1 = 1 in steps of `factor`; the number of the point the path ends with, from 1.
template <class Loss>
std::pair<int, std::optional<PathEnd>> walk(double factor, const Loss& loss, double null_loss = 2.0,
                                            Index n_samples = 100) {
  PathEndRule rule(null_loss, n_samples);
  double lambda1 = 1.0;
  for (int k = 1; k <= 1000; ++k, lambda1 *= factor) {
    if (const auto end = rule.after(lambda1, loss(lambda1))) return {k, end};
  }
  return {1000, std::nullopt};
}

TEST(PathEndRule, EndsWhereAlmostAllIsExplained) {
  // 2 lambda1 of 2 are left: 0.001 of it at lambda1 = 0.001, which is strictly passed with the eleventh halving.
  const auto [point, end] = walk(0.5, [](double lambda1) { return 2.0 * lambda1; });
  EXPECT_EQ(end, PathEnd::explained);
  EXPECT_EQ(point, 11);
  // Of many samples less than one must be left: 2^-17 is the first power below 1e-5.
  const auto many = walk(
      0.5, [](double lambda1) { return 2.0 * lambda1; }, 2.0, 100'000);
  EXPECT_EQ(many.second, PathEnd::explained);
  EXPECT_EQ(many.first, 18);
}

TEST(PathEndRule, EndsWhereNothingMovesWhateverTheStep) {
  // Half is explained in the end; at lambda1 the share is less by lambda1/4. Compared with lambda1/r it has moved by less than
  // 1e-5 of itself where lambda1/4 (1/r - 1) < 1e-5/2.
  for (const double factor : {0.3, 0.8, 0.95, 0.999}) {
    const auto [point, end] = walk(factor, [](double lambda1) { return 1.0 + 0.5 * lambda1; });
    if (factor == 0.999) {
      EXPECT_EQ(end, std::nullopt) << "1000 points end far above";
      continue;
    }
    EXPECT_EQ(end, PathEnd::flat);
    double r = factor;
    while (r > 0.8 * (1.0 + 1e-12)) r *= factor;
    const double limit = 2e-5 / (1.0 / r - 1.0);
    const double lambda1 = std::pow(factor, point - 1);
    EXPECT_LT(lambda1, 1.001 * limit) << factor;
    EXPECT_GT(lambda1, 0.999 * factor * limit) << factor;
  }
}

TEST(PathEndRule, GoesOnWhileNothingWasLearnedYetAndAtTheFirstPoints) {
  EXPECT_EQ(walk(0.9, [](double) { return 2.0; }).second, std::nullopt);          // empty models
  EXPECT_EQ(walk(0.9, [](double) { return 2.0 - 1e-14; }).second, std::nullopt);  // but for rounding
  EXPECT_EQ(walk(0.9, [](double) { return 1.0; }).first, 6);                      // flat from the first one on
  EXPECT_EQ(walk(
                0.9, [](double) { return 0.0; }, 0.0)
                .second,
            std::nullopt);  // nothing to explain
}

TEST(PathEndRule, StandsALambda1OfZero) {
  PathEndRule rule(1.0, 100);
  for (const double lambda1 : {1.0, 0.5, 0.2, 0.1, 0.05})
    EXPECT_FALSE(rule.after(lambda1, lambda1).has_value());
  EXPECT_FALSE(rule.after(0.0, 0.01).has_value());
}

}  // namespace
}  // namespace hsvm::detail
