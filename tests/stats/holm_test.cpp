#include "hsvm/stats/holm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hsvm/core/error.hpp"
#include "hsvm/core/random.hpp"

namespace hsvm::stats {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

TEST(Holm, ByHand) {
  EXPECT_THAT(holm(std::vector<double>{0.04, 0.01, 0.03, 0.5}),
              ElementsAre(DoubleEq(0.09), DoubleEq(0.04), DoubleEq(0.09), DoubleEq(0.5)));
  EXPECT_THAT(holm(std::vector<double>{0.9, 0.6}), ElementsAre(1.0, 1.0));
  EXPECT_THAT(holm(std::vector<double>{0.2}), ElementsAre(0.2));
  EXPECT_THAT(holm(std::vector<double>{0.0, 0.0}), ElementsAre(0.0, 0.0));
  EXPECT_TRUE(holm({}).empty());
}

// The procedure as it is described: walk up from the smallest p-value until one is too large.
std::vector<bool> step_down(const std::vector<double>& p_values, double alpha) {
  std::vector<bool> rejected(p_values.size(), false);
  for (std::size_t step = 0; step < p_values.size(); ++step) {
    std::size_t smallest = p_values.size();
    for (std::size_t i = 0; i < p_values.size(); ++i) {
      if (!rejected[i] && (smallest == p_values.size() || p_values[i] < p_values[smallest])) smallest = i;
    }
    if (p_values[smallest] * static_cast<double>(p_values.size() - step) > alpha) break;
    rejected[smallest] = true;
  }
  return rejected;
}

TEST(Holm, AdjustedValuesRejectWhatTheStepsReject) {
  Random random(5);
  for (int round = 0; round < 100; ++round) {
    std::vector<double> p_values(1 + random.below(8));
    for (double& p : p_values) p = std::pow(random.uniform(), 3);
    const std::vector<double> adjusted = holm(p_values);
    for (const double alpha : {0.01, 0.05, 0.1, 0.5}) {
      const std::vector<bool> rejected = step_down(p_values, alpha);
      for (std::size_t i = 0; i < p_values.size(); ++i) {
        EXPECT_EQ(adjusted[i] <= alpha, rejected[i]);
        EXPECT_GE(adjusted[i], p_values[i]);
      }
    }
  }
}

TEST(Holm, RefusesWhatIsNoPValue) {
  EXPECT_THROW((void)holm(std::vector<double>{0.1, 1.5}), InputError);
  EXPECT_THROW((void)holm(std::vector<double>{-0.1}), InputError);
  EXPECT_THROW((void)holm(std::vector<double>{std::numeric_limits<double>::quiet_NaN()}), InputError);
}

// C4.5 against three variants of it on 14 datasets [D06, sec. 3.2.2].
TEST(CompareWithControl, DemsarsExample) {
  const std::vector<ControlTest> tests =
      compare_with_control(std::vector<double>{44.0 / 14.0, 28.0 / 14.0, 40.5 / 14.0, 27.5 / 14.0}, 14, 0);
  ASSERT_EQ(tests.size(), 3U);
  EXPECT_EQ(tests[0].method, 3U);
  EXPECT_NEAR(tests[0].z, 2.416, 1e-3);
  EXPECT_NEAR(tests[0].p, 0.016, 5e-4);
  EXPECT_EQ(tests[1].method, 1U);
  EXPECT_NEAR(tests[1].z, 2.343, 1e-3);
  EXPECT_NEAR(tests[1].p, 0.019, 5e-4);
  EXPECT_EQ(tests[2].method, 2U);
  EXPECT_NEAR(tests[2].z, 0.512, 1e-3);
  EXPECT_NEAR(tests[2].p, 0.607, 2e-3);
  EXPECT_LE(tests[0].adjusted_p, 0.05);  // "the first two hypotheses are rejected"
  EXPECT_LE(tests[1].adjusted_p, 0.05);
  EXPECT_GT(tests[2].adjusted_p, 0.05);
}

TEST(CompareWithControl, TwoMethodsSeeEachOther) {
  const std::vector<double> ranks{1.25, 1.75};
  const std::vector<ControlTest> first = compare_with_control(ranks, 8, 0);
  const std::vector<ControlTest> second = compare_with_control(ranks, 8, 1);
  EXPECT_EQ(first[0].method, 1U);
  EXPECT_EQ(second[0].method, 0U);
  EXPECT_LT(first[0].z, 0.0);
  EXPECT_DOUBLE_EQ(first[0].z, -second[0].z);
  EXPECT_DOUBLE_EQ(first[0].adjusted_p, first[0].p);
}

TEST(CompareWithControl, RefusesAControlThatIsNoMethod) {
  try {
    (void)compare_with_control(std::vector<double>{1, 2}, 3, 2);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "control: method 2; expected one of 0 to 1");
  }
}

}  // namespace
}  // namespace hsvm::stats
