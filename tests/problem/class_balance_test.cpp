#include "hsvm/problem/class_balance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "hsvm/core/random.hpp"

namespace hsvm {
namespace {

ClassMatrix flows_of(const std::vector<std::vector<double>>& rows) {
  ClassMatrix flows(static_cast<Index>(rows.size()), static_cast<Index>(rows.size()));
  for (std::size_t y = 0; y < rows.size(); ++y) {
    for (std::size_t k = 0; k < rows.size(); ++k) flows.row(static_cast<Index>(y))[k] = rows[y][k];
  }
  return flows;
}

// Flows that balance: a few cycles through the classes, each with a flow of its own.
std::vector<std::vector<double>> circulation(Random& random, std::size_t n_classes) {
  std::vector<std::vector<double>> flows(n_classes, std::vector<double>(n_classes, 0.0));
  for (std::size_t cycle = 0; cycle < 3 * n_classes; ++cycle) {
    const double flow = random.uniform();
    const std::size_t step = 1 + random.below(n_classes - 1);
    const std::size_t first = random.below(n_classes);
    std::size_t y = first;
    do {
      const std::size_t k = (y + step) % n_classes;
      flows[y][k] += flow;
      y = k;
    } while (y != first);
  }
  return flows;
}

TEST(ClassBalance, CostsNothingButRoundingWhereFlowsBalance) {
  Random random(1, 1);
  for (const std::size_t n_classes : {2UL, 3UL, 7UL, 26UL}) {
    const Imbalance imbalance = imbalance_of_flows(flows_of(circulation(random, n_classes)), 100.0);
    EXPECT_LE(imbalance.share, 1e-12) << n_classes;
    EXPECT_LE(imbalance.square, 1e-20);
    EXPECT_GT(imbalance.share, 0.0);
  }
}

// 0 -> 1 by a, 1 -> 0 by b: the larger of the two is cut to the smaller.
TEST(ClassBalance, CutsTheLargerOfTwoFlows) {
  const Imbalance imbalance = imbalance_of_flows(flows_of({{0.0, 1.0}, {1.25, 0.0}}), 10.0);
  EXPECT_NEAR(imbalance.share, 0.2, 1e-12);
  EXPECT_NEAR(imbalance.cut, 0.25, 1e-12);
  EXPECT_NEAR(imbalance.square, 2.0 * 0.25 * 0.25, 1e-12);
}

// By hand: theta_k times what leaves a class is what the others, scaled, bring to it.
TEST(ClassBalance, BalancesFlowsThatAreSlightlyOff) {
  Random random(2, 1);
  for (const std::size_t n_classes : {3UL, 5UL, 12UL}) {
    std::vector<std::vector<double>> flows = circulation(random, n_classes);
    double off = 0.0;
    for (auto& row : flows) {
      for (double& flow : row) {
        const double change = 1e-9 * flow * random.uniform();
        flow += change;
        off += change;
      }
    }
    const Imbalance imbalance = imbalance_of_flows(flows_of(flows), 100.0);
    EXPECT_GT(imbalance.cut, 0.0);
    EXPECT_LE(imbalance.share, 1e-9 * 40.0 * static_cast<double>(n_classes));
    EXPECT_LE(imbalance.cut, 40.0 * static_cast<double>(n_classes) * off);
  }
}

TEST(ClassBalance, TakesPartsThatNoFlowJoins) {
  const Imbalance parts = imbalance_of_flows(
      flows_of({{0.0, 0.0, 2.0, 0.0}, {0.0, 0.0, 0.0, 0.5}, {2.0, 0.0, 0.0, 0.0}, {0.0, 0.5, 0.0, 0.0}}), 10.0);
  EXPECT_LE(parts.share, 1e-12);
  const Imbalance idle =
      imbalance_of_flows(flows_of({{0.0, 0.0, 1.0}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}), 10.0);
  EXPECT_LE(idle.share, 1e-12);
  EXPECT_EQ(imbalance_of_flows(ClassMatrix(3, 3), 10.0).cut, 0.0);
}

TEST(ClassBalance, HasNothingToOfferWhereAClassOnlyTakes) {
  const Imbalance imbalance =
      imbalance_of_flows(flows_of({{0.0, 1.0, 0.5}, {1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}), 10.0);
  EXPECT_GE(imbalance.share, 1.0);
}

}  // namespace
}  // namespace hsvm
