#include "hsvm/core/collective.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include "hsvm/core/error.hpp"
#include "hsvm/core/random.hpp"
#include "tests/support/thread_ranks.hpp"

namespace hsvm {
namespace {

using test::run_ranks;

// Vectors of the ranks whose sums are rounded: the order of additions shows.
std::vector<double> numbers_of_rank(Index rank, std::size_t size) {
  Random random(7, static_cast<std::uint64_t>(rank));
  std::vector<double> values(size);
  for (double& value : values) value = random.normal() * std::pow(10.0, random.uniform() * 6.0);
  return values;
}

// What run(ranks) gives on each of the ranks.
template <class Result, class Run>
std::vector<Result> results_of(Index size, const Run& run) {
  std::vector<Result> results(static_cast<std::size_t>(size));
  run_ranks(size,
            [&](const Collective& ranks) { results[static_cast<std::size_t>(ranks.rank())] = run(ranks); });
  return results;
}

TEST(Collective, SumsVectorsOfAnyLengthOverAnyNumberOfRanks) {
  for (Index size = 1; size <= 9; ++size) {
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{256},
                                     std::size_t{257}, std::size_t{1000}}) {
      std::vector<double> exact(length, 0.0);
      std::vector<double> sizes(length, 0.0);
      for (Index rank = 0; rank < size; ++rank) {
        const std::vector<double> values = numbers_of_rank(rank, length);
        for (std::size_t k = 0; k < length; ++k) {
          exact[k] += values[k];
          sizes[k] += std::abs(values[k]);
        }
      }
      const auto sum = [&](const Collective& ranks) {
        std::vector<double> values = numbers_of_rank(ranks.rank(), length);
        ranks.sum(values);
        return values;
      };
      const auto first = results_of<std::vector<double>>(size, sum);
      for (std::size_t k = 0; k < length; ++k) EXPECT_NEAR(first[0][k], exact[k], 1e-15 * sizes[k]);
      for (const auto& result : first) EXPECT_EQ(result, first[0]);  // to the bit, on all ranks
      EXPECT_EQ(results_of<std::vector<double>>(size, sum), first);  // and in every run
    }
  }
}

TEST(Collective, FindsMaximaAndAgreesOnNan) {
  for (Index size = 1; size <= 7; ++size) {
    for (const auto& result : results_of<std::vector<double>>(size, [&](const Collective& ranks) {
           std::vector<double> values = {static_cast<double>(ranks.rank()), -static_cast<double>(ranks.rank()),
                                         ranks.rank() == size - 1 ? std::nan("") : 1.0};
           ranks.maximum(values);
           return values;
         })) {
      EXPECT_EQ(result[0], size - 1);
      EXPECT_EQ(result[1], 0.0);
      EXPECT_TRUE(std::isnan(result[2]));
    }
  }
}

// More numbers than are exchanged whole: they cost a rank what a sum of as many does.
TEST(Collective, FindsMaximaOfLongVectors) {
  constexpr std::size_t kLength = 1000;
  for (Index size = 1; size <= 7; ++size) {
    std::vector<double> expected = numbers_of_rank(0, kLength);
    for (Index rank = 1; rank < size; ++rank) {
      const std::vector<double> values = numbers_of_rank(rank, kLength);
      for (std::size_t k = 0; k < kLength; ++k) expected[k] = std::max(expected[k], values[k]);
    }
    for (const auto& result : results_of<std::vector<double>>(size, [&](const Collective& ranks) {
           std::vector<double> values = numbers_of_rank(ranks.rank(), kLength);
           const Count before = ranks.traffic().bytes;
           ranks.maximum(values);
           const Count of_maximum = ranks.traffic().bytes - before;
           std::vector<double> others = values;
           ranks.sum(others);
           EXPECT_EQ(ranks.traffic().bytes - before, 2 * of_maximum);
           return values;
         }))
      EXPECT_EQ(result, expected);
  }
}

TEST(Collective, AgreesThatOneRankSaysSo) {
  for (const bool any :
       results_of<char>(5, [](const Collective& ranks) { return ranks.any(ranks.rank() == 3); }))
    EXPECT_TRUE(any);
  for (const bool any : results_of<char>(5, [](const Collective& ranks) { return ranks.any(false); }))
    EXPECT_FALSE(any);
}

TEST(Collective, GathersPartsInTheOrderOfTheRanks) {
  for (Index size = 1; size <= 9; ++size) {
    std::vector<Index> expected;
    for (Index rank = 0; rank < size; ++rank) {
      for (Index k = 0; k < rank % 3; ++k) expected.push_back(10 * rank + k);  // some have none
    }
    for (const auto& all : results_of<std::vector<Index>>(size, [](const Collective& ranks) {
           std::vector<Index> here(static_cast<std::size_t>(ranks.rank() % 3));
           std::iota(here.begin(), here.end(), 10 * ranks.rank());
           return ranks.gather(std::span<const Index>(here));
         }))
      EXPECT_EQ(all, expected) << size;
    const auto before =
        results_of<Count>(size, [](const Collective& ranks) { return ranks.before(ranks.rank() + 1); });
    for (Index rank = 0; rank < size; ++rank)
      EXPECT_EQ(before[static_cast<std::size_t>(rank)], rank * (rank + 1) / 2);
  }
}

TEST(Collective, BroadcastsWhatTheFirstRankHas) {
  for (Index size = 1; size <= 9; ++size) {
    for (const std::string& text : results_of<std::string>(size, [](const Collective& ranks) {
           std::string text = ranks.rank() == 0 ? "from the first" : "another";
           ranks.broadcast(text);
           return text;
         }))
      EXPECT_EQ(text, "from the first");
  }
}

TEST(Collective, ThrowsOnAllRanksWhatOneHasThrown) {
  const auto messages = results_of<std::string>(4, [](const Collective& ranks) -> std::string {
    try {
      agree_on_errors(ranks, [&] {
        if (ranks.rank() >= 2) throw InputError("rank " + std::to_string(ranks.rank()) + " has no file");
      });
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  });
  EXPECT_THAT(messages, ::testing::Each("rank 2 has no file"));
  EXPECT_NO_THROW(run_ranks(3, [](const Collective& ranks) { agree_on_errors(ranks, [] {}); }));
}

TEST(Collective, CountsWhatItSends) {
  constexpr std::size_t kLong = 4096;
  for (const Count bytes : results_of<Count>(8, [](const Collective& ranks) {
         std::vector<double> values(kLong, 1.0);
         ranks.sum(values);
         return ranks.traffic().bytes;
       }))
    EXPECT_EQ(bytes, 2 * 7 * static_cast<Count>(kLong));  // 8 bytes each, 7/8 of them, there and back
  const double alone = 3.0;
  EXPECT_EQ(single_process().sum(alone), alone);
  EXPECT_EQ(single_process().traffic().calls, 0);
}

}  // namespace
}  // namespace hsvm
