#include "hsvm/solve/stopping.hpp"

#include <gtest/gtest.h>

namespace hsvm {
namespace {

TEST(PaperRule, AsksForThreeInARow) {
  PaperRule rule(1e-3);
  EXPECT_FALSE(rule(1.0, 1.0, 0.0, 0.0));
  EXPECT_FALSE(rule(1.0, 1.0, 0.0, 0.0));
  EXPECT_FALSE(rule(1.0, 0.5, 0.0, 0.0));  // F still falls: from the start again
  EXPECT_FALSE(rule(1.0, 1.0, 0.0, 0.0));
  EXPECT_FALSE(rule(1.0, 1.0, 1.0, 0.0));  // u still moves
  EXPECT_FALSE(rule(1.0, 1.0, 0.0, 0.0));
  EXPECT_FALSE(rule(1.0, 1.0, 0.0, 0.0));
  EXPECT_TRUE(rule(1.0, 1.0, 0.0, 0.0));
  EXPECT_TRUE(rule(1.0, 1.0, 0.0, 0.0));
}

bool small(double previous, double objective, double step, double size, double tolerance) {
  PaperRule rule(tolerance);
  rule(previous, objective, step, size);
  rule(previous, objective, step, size);
  return rule(previous, objective, step, size);
}

TEST(PaperRule, ComparesRelativeChanges) {
  EXPECT_TRUE(small(3.0, 2.0, 0.0, 0.0, 0.25));  // (3 - 2)/(1 + 3)
  EXPECT_FALSE(small(3.0, 1.999, 0.0, 0.0, 0.25));
  EXPECT_TRUE(small(1.0, 1.0, 1.0, 3.0, 0.25));  // 1/(1 + 3)
  EXPECT_FALSE(small(1.0, 1.0, 1.001, 3.0, 0.25));
  EXPECT_TRUE(small(1.0, 2.0, 0.0, 0.0, 1e-9));  // a rise is no fall
}

}  // namespace
}  // namespace hsvm
