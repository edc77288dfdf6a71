#include "hsvm/stats/friedman.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hsvm/core/error.hpp"
#include "hsvm/stats/distributions.hpp"

namespace hsvm::stats {
namespace {

// Four variants of C4.5 on 14 datasets, whose ranks sum to these [D06, Table 6].
const std::vector<double> kDemsarsRanks{44.0 / 14.0, 28.0 / 14.0, 40.5 / 14.0, 27.5 / 14.0};

TEST(Friedman, DemsarsExample) {
  const FriedmanTest test = friedman(kDemsarsRanks, 14);
  EXPECT_NEAR(test.chi_squared, 9.28, 5e-3);
  EXPECT_EQ(test.freedom, 3);
  EXPECT_NEAR(test.iman_davenport->f, 3.69, 5e-3);
  EXPECT_EQ(test.iman_davenport->freedom, 3);
  EXPECT_EQ(test.iman_davenport->freedom_below, 39);
  EXPECT_NEAR(test.p, 0.026, 5e-4);
  EXPECT_LT(test.iman_davenport->p, 0.05);  // the critical value of F(3, 39) is 2.85
  EXPECT_NEAR(fisher_tail(2.85, 3, 39), 0.05, 5e-4);
}

TEST(Friedman, FormulasAsTheyArePrinted) {
  const double n = 14.0;
  const double k = 4.0;
  double squares = 0.0;
  for (const double rank : kDemsarsRanks) squares += rank * rank;
  const double chi_squared = 12.0 * n / (k * (k + 1.0)) * (squares - k * (k + 1.0) * (k + 1.0) / 4.0);
  const FriedmanTest test = friedman(kDemsarsRanks, 14);
  EXPECT_NEAR(test.chi_squared, chi_squared, 1e-12);
  EXPECT_NEAR(test.agreement, chi_squared / (n * (k - 1.0)), 1e-13);
  EXPECT_NEAR(test.iman_davenport->f, (n - 1.0) * chi_squared / (n * (k - 1.0) - chi_squared), 1e-11);
}

TEST(Friedman, TwoMethodsAreASignTest) {
  // 7 wins of 10: chi^2 = (7 - 3)^2/10 and its root is normal.
  const FriedmanTest test = friedman(std::vector<double>{1.3, 1.7}, 10);
  EXPECT_NEAR(test.chi_squared, 1.6, 1e-14);
  EXPECT_NEAR(test.p, two_sided_normal(std::sqrt(1.6)), 1e-14);
}

TEST(Friedman, AllTies) {
  const FriedmanTest test = friedman(std::vector<double>{2, 2, 2}, 5);
  EXPECT_EQ(test.chi_squared, 0.0);
  EXPECT_EQ(test.p, 1.0);
  EXPECT_EQ(test.iman_davenport->f, 0.0);
  EXPECT_EQ(test.iman_davenport->p, 1.0);
}

TEST(Friedman, SameRanksEverywhereMakeFInfinite) {
  for (int k = 2; k <= 30; ++k) {
    std::vector<double> ranks;
    for (int j = 1; j <= k; ++j) ranks.push_back(j);
    const FriedmanTest test = friedman(ranks, 6);
    EXPECT_EQ(test.agreement, 1.0);
    EXPECT_NEAR(test.chi_squared, 6.0 * (k - 1), 1e-9);
    EXPECT_TRUE(std::isinf(test.iman_davenport->f));
    EXPECT_EQ(test.iman_davenport->p, 0.0);
  }
}

TEST(Friedman, OneDatasetHasNoImanDavenport) {
  const FriedmanTest test = friedman(std::vector<double>{1, 3, 2}, 1);
  EXPECT_DOUBLE_EQ(test.chi_squared, 2.0);
  EXPECT_FALSE(test.iman_davenport.has_value());
}

TEST(Friedman, OrderOfMethodsDoesNotMatter) {
  std::vector<double> ranks = kDemsarsRanks;
  const FriedmanTest expected = friedman(ranks, 14);
  std::sort(ranks.begin(), ranks.end());
  EXPECT_NEAR(friedman(ranks, 14).chi_squared, expected.chi_squared, 1e-13);
}

TEST(Friedman, RefusesOtherNumbers) {
  EXPECT_THROW((void)friedman(std::vector<double>{1, 1}, 3), InputError);
  EXPECT_THROW((void)friedman(std::vector<double>{1}, 3), InputError);
  EXPECT_THROW((void)friedman(std::vector<double>{1, 2}, 0), InputError);
}

}  // namespace
}  // namespace hsvm::stats
