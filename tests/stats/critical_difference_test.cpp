#include "hsvm/stats/critical_difference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "hsvm/core/error.hpp"

namespace hsvm::stats {
namespace {

using testing::ElementsAre;

TEST(NemenyiQuantile, DemsarsTable) {
  // [D06, Table 5a], k = 2, ..., 10.
  const std::vector<double> at_05{1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164};
  const std::vector<double> at_10{1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920};
  for (std::size_t k = 2; k <= 10; ++k) {
    // Not 5e-4: the table was made from quantiles of three decimals, divided by sqrt(2).
    EXPECT_NEAR(nemenyi_quantile(0.05, k), at_05[k - 2], 1e-3) << k;
    EXPECT_NEAR(nemenyi_quantile(0.10, k), at_10[k - 2], 1e-3) << k;
  }
}

TEST(CriticalDifference, DemsarsExample) {
  EXPECT_NEAR(critical_difference(0.05, 4, 14), 1.25, 5e-3);
  EXPECT_NEAR(critical_difference(0.10, 4, 14), 1.12, 5e-3);
}

TEST(CriticalDifference, ShrinksWithDatasets) {
  EXPECT_NEAR(critical_difference(0.05, 5, 40), 0.5 * critical_difference(0.05, 5, 10), 1e-14);
}

TEST(CriticalDifference, Messages) {
  const auto refusal = [](double alpha, std::size_t k, std::size_t n) -> std::string {
    try {
      (void)critical_difference(alpha, k, n);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(0.05, 2, 1), "accepted");
  EXPECT_EQ(refusal(0.0, 2, 1), "alpha = 0: must be greater than 0 and less than 1");
  EXPECT_EQ(refusal(1.0, 2, 1), "alpha = 1: must be greater than 0 and less than 1");
  EXPECT_EQ(refusal(std::numeric_limits<double>::quiet_NaN(), 2, 1),
            "alpha = nan: must be greater than 0 and less than 1");
  EXPECT_EQ(refusal(0.05, 1, 1), "critical difference: 1 methods; expected at least two");
  EXPECT_EQ(refusal(0.05, 2, 0), "critical difference: no dataset; expected at least one");
}

TEST(IndistinctGroups, OverlapButNeverContainEachOther) {
  const std::vector<double> ranks{3.5, 1.0, 2.0, 5.0, 3.5};
  EXPECT_THAT(indistinct_groups(ranks, 1.75),
              ElementsAre(ElementsAre(1, 2), ElementsAre(2, 0, 4), ElementsAre(0, 4, 3)));
  EXPECT_THAT(indistinct_groups(ranks, 1.5), ElementsAre(ElementsAre(1, 2), ElementsAre(0, 4)));
  EXPECT_THAT(indistinct_groups(ranks, 0.1), ElementsAre(ElementsAre(0, 4)));
  EXPECT_THAT(indistinct_groups(ranks, 10.0), ElementsAre(ElementsAre(1, 2, 0, 4, 3)));
}

TEST(IndistinctGroups, AtTheCriticalDifferenceMethodsDiffer) {
  const std::vector<double> ranks{1.0, 2.0};
  EXPECT_TRUE(indistinct_groups(ranks, 1.0).empty());
  EXPECT_EQ(indistinct_groups(ranks, 1.0 + 1e-12).size(), 1U);
}

}  // namespace
}  // namespace hsvm::stats
