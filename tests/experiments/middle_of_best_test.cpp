// Of equal scores: the first block, and the middle of it.

#include "experiments/lab/middle_of_best.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace hsvm::lab {
namespace {

using Candidate = std::pair<int, int>;  // block and place

Candidate chosen(const std::vector<double>& scores) {
  const std::vector<Candidate> candidates = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 1}, {1, 2}, {1, 3}};
  return middle_of_best(std::span<const Candidate>(candidates), std::span<const double>(scores),
                        [](const Candidate& a, const Candidate& b) { return a.first == b.first; });
}

TEST(MiddleOfBest, IsTheBestWhereThereIsOne) {
  EXPECT_EQ(chosen({1, 2, 3, 2, 1, 2, 2.9, 1}), Candidate(0, 2));
  EXPECT_EQ(chosen({1, 2, 3, 2, 1, 2, 2.9, 4}), Candidate(1, 3));
}

TEST(MiddleOfBest, IsTheMiddleOfEqualsInTheFirstBlock) {
  EXPECT_EQ(chosen({1, 3, 3, 3, 3, 3, 3, 3}), Candidate(0, 2));
  EXPECT_EQ(chosen({3, 3, 3, 3, 3, 3, 3, 3}), Candidate(0, 2));
  EXPECT_EQ(chosen({1, 3, 3, 1, 1, 1, 1, 1}), Candidate(0, 2));
  EXPECT_EQ(chosen({1, 1, 1, 1, 3, 3, 3, 1}), Candidate(1, 1));
}

TEST(MiddleOfBest, PassesOverWorseOnesBetweenEquals) {
  EXPECT_EQ(chosen({3, 1, 3, 3, 1, 1, 1, 1}), Candidate(0, 2));
  EXPECT_EQ(chosen({3, 1, 1, 3, 3, 1, 1, 1}), Candidate(0, 3));
}

TEST(MiddleOfBest, TakesRoundingForEqual) {
  EXPECT_EQ(chosen({0.3, 0.1 + 0.2, 0.3, 0, 0, 0, 0, 0}), Candidate(0, 1));
}

}  // namespace
}  // namespace hsvm::lab
