#include "hsvm/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace hsvm {
namespace {

TEST(Random, TheSameStreamGivesTheSameNumbers) {
  Random a(5, 3);
  Random b(5, 3);
  for (int k = 0; k < 1000; ++k) {
    ASSERT_EQ(a.bits(), b.bits());
    ASSERT_EQ(a.uniform(), b.uniform());
    ASSERT_EQ(a.normal(), b.normal());
    ASSERT_EQ(a.below(17), b.below(17));
  }
}

TEST(Random, TheNumbersAreThoseOfEveryPlatform) {
  // xoshiro256++ after SplitMix64, computed apart from the library; a change here changes every generated data
  // set.
  std::uint64_t mix = 42;
  const auto split_mix = [&mix] {
    mix += 0x9e3779b97f4a7c15U;
    std::uint64_t z = mix;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  };
  mix = split_mix() ^ 7U;
  std::uint64_t s[4];
  for (std::uint64_t& word : s) word = split_mix();
  const auto rotl = [](std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); };
  Random random(42, 7);
  for (int k = 0; k < 100; ++k) {
    const std::uint64_t expected = rotl(s[0] + s[3], 23) + s[0];
    const std::uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    ASSERT_EQ(random.bits(), expected);
  }
}

TEST(Random, StreamsAndSeedsDiffer) {
  std::set<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (std::uint64_t stream = 0; stream < 30; ++stream) first.insert(Random(seed, stream).bits());
  }
  EXPECT_EQ(first.size(), 900U);
}

TEST(Random, NeighbouringStreamsAreUncorrelated) {
  constexpr int kCount = 20000;
  for (std::uint64_t stream = 0; stream < 4; ++stream) {
    Random a(1, stream);
    Random b(1, stream + 1);
    double sum = 0.0;
    for (int k = 0; k < kCount; ++k) sum += a.normal() * b.normal();
    EXPECT_LT(std::abs(sum), 4.0 * std::sqrt(kCount));
  }
}

TEST(Random, UniformHasItsMoments) {
  constexpr int kCount = 100000;
  Random random(2);
  double sum = 0.0;
  double squares = 0.0;
  for (int k = 0; k < kCount; ++k) {
    const double u = random.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / kCount, 0.5, 4.0 * std::sqrt(1.0 / 12.0 / kCount));
  EXPECT_NEAR(squares / kCount, 1.0 / 3.0, 4.0 * std::sqrt(4.0 / 45.0 / kCount));
}

TEST(Random, NormalHasItsMoments) {
  constexpr int kCount = 100000;
  Random random(3);
  double power[5] = {};
  double neighbours = 0.0;
  double before = 0.0;
  int beyond_two = 0;
  for (int k = 0; k < kCount; ++k) {
    const double z = random.normal();
    for (int m = 1; m <= 4; ++m) power[m] += std::pow(z, m);
    neighbours += z * before;  // the two halves of a pair are independent as well
    before = z;
    beyond_two += std::abs(z) > 2.0;
  }
  const double error = 4.0 / std::sqrt(kCount);
  EXPECT_NEAR(power[1] / kCount, 0.0, error);
  EXPECT_NEAR(power[2] / kCount, 1.0, std::sqrt(2.0) * error);
  EXPECT_NEAR(power[3] / kCount, 0.0, std::sqrt(15.0) * error);
  EXPECT_NEAR(power[4] / kCount, 3.0, std::sqrt(96.0) * error);
  EXPECT_NEAR(neighbours / kCount, 0.0, error);
  EXPECT_NEAR(static_cast<double>(beyond_two) / kCount, 0.0455, 0.21 * error);
}

TEST(Random, BelowIsUniformAndInRange) {
  Random random(4);
  EXPECT_EQ(random.below(1), 0U);
  for (const std::uint64_t end : {2U, 3U, 10U}) {
    constexpr int kCount = 30000;
    std::vector<int> counts(end, 0);
    for (int k = 0; k < kCount; ++k) {
      const std::uint64_t draw = random.below(end);
      ASSERT_LT(draw, end);
      ++counts[draw];
    }
    const double share = 1.0 / static_cast<double>(end);
    for (const int count : counts) {
      EXPECT_NEAR(static_cast<double>(count) / kCount, share, 4.5 * std::sqrt(share * (1.0 - share) / kCount));
    }
  }
}

TEST(Random, BelowHasNoBiasWhereTheRangeIsLarge) {
  // Of a range of 3/4 of 2^64, plain `bits() % end` would put half of all draws into the first third.
  constexpr std::uint64_t kEnd = 3U * (std::uint64_t{1} << 62);
  Random random(6);
  int low = 0;
  for (int k = 0; k < 10000; ++k) {
    const std::uint64_t draw = random.below(kEnd);
    ASSERT_LT(draw, kEnd);
    low += draw < kEnd / 3;
  }
  EXPECT_NEAR(low / 10000.0, 1.0 / 3.0, 0.02);
}

}  // namespace
}  // namespace hsvm
