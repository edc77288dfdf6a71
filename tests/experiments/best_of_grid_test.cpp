// Of equal scores those of the first block, and the middle of them.

#include "experiments/methods/best_of_grid.hpp"

#include <gmock/gmock.h>

#include <utility>
#include <vector>

namespace hsvm::lab {
namespace {

using testing::ElementsAre;
using Candidate = std::pair<int, int>;  // block and position

std::vector<Candidate> best(const std::vector<double>& scores) {
  const std::vector<Candidate> candidates = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 1}, {1, 2}, {1, 3}};
  return best_of_grid(candidates, scores,
                      [](const Candidate& a, const Candidate& b) { return a.first == b.first; });
}

TEST(BestOfGrid, IsOneWhereThereIsOne) {
  EXPECT_THAT(best({1, 2, 3, 2, 1, 2, 2.9, 1}), ElementsAre(Candidate(0, 2)));
  EXPECT_THAT(best({1, 2, 3, 2, 1, 2, 2.9, 4}), ElementsAre(Candidate(1, 3)));
}

TEST(BestOfGrid, HasTheEqualsOfTheFirstBlock) {
  EXPECT_THAT(best({1, 3, 3, 1, 3, 3, 1, 1}), ElementsAre(Candidate(0, 1), Candidate(0, 2)));
  EXPECT_THAT(best({3, 1, 1, 3, 3, 1, 1, 1}), ElementsAre(Candidate(0, 0), Candidate(0, 3)));
  EXPECT_THAT(best({1, 1, 1, 1, 1, 3, 3, 1}), ElementsAre(Candidate(1, 1), Candidate(1, 2)));
}

TEST(BestOfGrid, TakesRoundingForEqual) {
  EXPECT_EQ(best({0.3, 0.1 + 0.2, 0.3, 0, 0, 0, 0, 0}).size(), 3U);
}

TEST(BestOfGrid, HasAMiddle) {
  EXPECT_EQ(middle_of(best({3, 3, 3, 3, 3, 3, 3, 3})), Candidate(0, 2));
  EXPECT_EQ(middle_of(best({3, 3, 3, 1, 3, 3, 3, 3})), Candidate(0, 1));
  EXPECT_EQ(middle_of(best({1, 1, 1, 1, 1, 1, 1, 3})), Candidate(1, 3));
}

}  // namespace
}  // namespace hsvm::lab
