#include "hsvm/stats/distributions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hsvm::stats {
namespace {

TEST(Normal, KnownQuantiles) {
  EXPECT_DOUBLE_EQ(normal_cdf(0.0), 0.5);
  EXPECT_NEAR(normal_cdf(1.959963984540054), 0.975, 1e-15);
  EXPECT_NEAR(two_sided_normal(1.959963984540054), 0.05, 1e-15);
  EXPECT_DOUBLE_EQ(two_sided_normal(-2.5), two_sided_normal(2.5));
  EXPECT_DOUBLE_EQ(two_sided_normal(0.0), 1.0);
  EXPECT_GT(two_sided_normal(30.0), 0.0);  // no cancellation in the tail
}

TEST(ChiSquared, ClosedForms) {
  EXPECT_DOUBLE_EQ(chi_squared_tail(0.0, 3), 1.0);
  for (const double x : {0.1, 1.0, 5.6, 23.56, 200.0}) {
    EXPECT_NEAR(chi_squared_tail(x, 1) / two_sided_normal(std::sqrt(x)), 1.0, 1e-12);
    EXPECT_NEAR(chi_squared_tail(x, 2) / std::exp(-x / 2.0), 1.0, 1e-12);
    EXPECT_NEAR(chi_squared_tail(x, 4) / (std::exp(-x / 2.0) * (1.0 + x / 2.0)), 1.0, 1e-12);
  }
}

TEST(Fisher, ClosedForms) {
  EXPECT_DOUBLE_EQ(fisher_tail(0.0, 2, 7), 1.0);
  EXPECT_EQ(fisher_tail(std::numeric_limits<double>::infinity(), 2, 7), 0.0);
  for (const double x : {0.5, 1.0, 4.0, 50.0}) {
    // With 2 degrees above, (1 + 2x/b)^(-b/2); with 1 and 1, the square of a Cauchy variable.
    EXPECT_NEAR(fisher_tail(x, 2, 7), std::pow(1.0 + 2.0 * x / 7.0, -3.5), 1e-13);
    EXPECT_NEAR(fisher_tail(x, 1, 1), 1.0 - 2.0 / M_PI * std::atan(std::sqrt(x)), 1e-13);
  }
}

TEST(NormalRange, OfTwoIsANormalDifference) {
  for (const double q : {1e-6, 0.1, 1.0, 3.0, 10.0, 20.0}) {
    const double expected = std::erfc(q / 2.0);  // the difference of two has variance 2
    EXPECT_NEAR(normal_range_tail(q, 2) / expected, 1.0, 1e-11) << q;
  }
}

TEST(NormalRange, MeanRangeOfThree) {
  // The expected range, which is the integral of the tail, is 3/sqrt(pi) for three normals.
  const double step = 0.125;
  double integral = -0.5 * step;  // half a step at 0, where the tail is 1
  for (double q = 0.0; q < 14.0; q += step) integral += step * normal_range_tail(q, 3);
  EXPECT_NEAR(integral, 3.0 / std::sqrt(M_PI), 1e-8);
}

TEST(NormalRange, TailFallsInQAndGrowsInK) {
  for (const int k : {2, 3, 5, 10, 40}) {
    EXPECT_DOUBLE_EQ(normal_range_tail(0.0, k), 1.0);
    for (double q = 0.5; q < 9.0; q += 0.5) {
      EXPECT_LE(normal_range_tail(q + 0.5, k), normal_range_tail(q, k) * (1.0 + 1e-12));
      EXPECT_LE(normal_range_tail(q, k), normal_range_tail(q, k + 1) * (1.0 + 1e-12));
      // One pair or another differs by more than q.
      EXPECT_LE(normal_range_tail(q, k), 0.5 * k * (k - 1) * std::erfc(q / 2.0) * (1.0 + 1e-10));
    }
  }
}

TEST(NormalRange, QuantileIsWhereTheTailIsAlpha) {
  for (const int k : {2, 3, 7, 30}) {
    for (const double alpha : {0.999, 0.5, 0.05, 1e-3, 1e-12, 1e-100}) {
      EXPECT_NEAR(normal_range_tail(normal_range_quantile(alpha, k), k) / alpha, 1.0, 1e-10)
          << k << " " << alpha;
    }
  }
}

// Upper points of the studentized range with infinite degrees of freedom, as statistical tables have them.
TEST(NormalRange, AgreesWithTables) {
  EXPECT_NEAR(normal_range_quantile(0.05, 3), 3.314, 6e-4);
  EXPECT_NEAR(normal_range_quantile(0.05, 10), 4.474, 6e-4);
  EXPECT_NEAR(normal_range_quantile(0.05, 20), 5.012, 6e-4);
  EXPECT_NEAR(normal_range_quantile(0.01, 3), 4.120, 6e-4);
  EXPECT_NEAR(normal_range_quantile(0.01, 5), 4.603, 6e-4);
}

}  // namespace
}  // namespace hsvm::stats
