#include "hsvm/model/calibration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace hsvm {
namespace {

using Values = std::vector<double>;

TEST(Probabilities, OfABinaryModelAreLogistic) {
  const Calibration calibration{2.0, {-0.5}};
  const Values p = probabilities(calibration, Values{1.0, 0.25, -3.0});
  ASSERT_EQ(p.size(), 6U);
  EXPECT_DOUBLE_EQ(p[1], 1.0 / (1.0 + std::exp(-1.5)));
  EXPECT_DOUBLE_EQ(p[0], 1.0 / (1.0 + std::exp(1.5)));
  EXPECT_DOUBLE_EQ(p[2], 0.5);
  EXPECT_DOUBLE_EQ(p[3], 0.5);
  EXPECT_DOUBLE_EQ(p[5], 1.0 / (1.0 + std::exp(6.5)));
}

TEST(Probabilities, OfSeveralClassesAreASoftmax) {
  const Calibration calibration{1.0, {0.0, std::log(2.0), -std::log(2.0)}};
  const Values p = probabilities(calibration, Values{0.0, 0.0, 0.0, std::log(3.0), 0.0, 0.0});
  const Values expected = {2.0 / 7.0, 4.0 / 7.0, 1.0 / 7.0, 6.0 / 11.0, 4.0 / 11.0, 1.0 / 11.0};
  ASSERT_EQ(p.size(), expected.size());
  for (std::size_t e = 0; e < p.size(); ++e) EXPECT_NEAR(p[e], expected[e], 1e-15);
}

TEST(Probabilities, StayInRangeWhateverTheScores) {
  for (const double f : {0.0, 1e-300, 1.0, 40.0, 700.0, 800.0, 1e6, 1e300}) {
    for (const double sign : {1.0, -1.0}) {
      const Values two = probabilities({1.0, {0.3}}, Values{sign * f});
      EXPECT_NEAR(two[0] + two[1], 1.0, 1e-15) << f;
      const Values three = probabilities({1.0, {0.3, -0.1, -0.2}}, Values{sign * f, -sign * f, 0.5 * f});
      EXPECT_NEAR(three[0] + three[1] + three[2], 1.0, 1e-15) << f;
      for (const double p : {two[0], two[1], three[0], three[1], three[2]}) {
        EXPECT_GE(p, 0.0);
        EXPECT_LE(p, 1.0);
      }
    }
  }
  EXPECT_GT(probabilities({1.0, {0.0}}, Values{40.0})[0], 0.0);  // not 1 - p: small ones keep their digits
  EXPECT_NEAR(probabilities({1.0, {0.0}}, Values{40.0})[0] / std::exp(-40.0), 1.0, 1e-14);
}

TEST(Probabilities, RiseWithTheScoreWhereTheSlopeIsPositive) {
  for (const double slope : {0.5, -2.0}) {
    double before = probabilities({slope, {0.7}}, Values{-5.0})[1];
    for (double f = -4.5; f <= 5.0; f += 0.5) {
      const double p = probabilities({slope, {0.7}}, Values{f})[1];
      EXPECT_GT((p - before) * slope, 0.0);
      before = p;
    }
  }
}

TEST(Probabilities, OfNoSamplesAreNone) {
  EXPECT_TRUE(probabilities({1.0, {0.0}}, Values{}).empty());
  EXPECT_TRUE(probabilities({1.0, {0.0, 0.0, 0.0}}, Values{}).empty());
}

TEST(Softmax, ReturnsTheLogarithmOfTheSum) {
  Values eta = {0.1, -1.3, 0.7};
  const double expected = std::log(std::exp(0.1) + std::exp(-1.3) + std::exp(0.7));
  const LogSum sum = softmax(eta);
  EXPECT_EQ(sum.largest, 0.7);
  EXPECT_NEAR(sum.largest + sum.excess, expected, 1e-15);
  Values sure = {1000.0, 950.0};
  EXPECT_NEAR(softmax(sure).excess / std::exp(-50.0), 1.0, 1e-14);
}

}  // namespace
}  // namespace hsvm
