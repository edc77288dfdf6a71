#include "hsvm/stats/wilcoxon.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "hsvm/core/error.hpp"
#include "hsvm/core/random.hpp"
#include "hsvm/stats/ranks.hpp"

namespace hsvm::stats {
namespace {

// C4.5 with its m tuned against C4.5 with defaults, areas under the curve [D06, Table 2].
TEST(Wilcoxon, DemsarsExample) {
  const std::vector<double> tuned{0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668,
                                  0.583, 0.838, 1.000, 0.962, 0.666, 0.981, 0.978};
  const std::vector<double> plain{0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661,
                                  0.583, 0.775, 1.000, 0.940, 0.619, 0.972, 0.957};
  const WilcoxonTest test = wilcoxon(tuned, plain);
  EXPECT_DOUBLE_EQ(test.r_plus, 93.0);
  EXPECT_DOUBLE_EQ(test.r_minus, 12.0);
  EXPECT_NEAR(test.z, (12.0 - 52.5) / std::sqrt(14.0 * 15.0 * 29.0 / 24.0), 1e-14);
  EXPECT_NEAR(test.p, 0.0110, 5e-5);
}

TEST(Wilcoxon, OneDataset) {
  const std::vector<double> one{0.8};
  const std::vector<double> other{0.9};
  const WilcoxonTest test = wilcoxon(one, other);
  EXPECT_DOUBLE_EQ(test.r_plus, 0.0);
  EXPECT_DOUBLE_EQ(test.r_minus, 1.0);
  EXPECT_DOUBLE_EQ(test.z, -1.0);
  EXPECT_DOUBLE_EQ(test.exact_p.value(), 1.0);  // one sign says nothing
}

TEST(Wilcoxon, IdenticalMethodsDoNotDiffer) {
  const std::vector<double> scores{0.8, 0.9, 0.7, 0.7};
  const WilcoxonTest test = wilcoxon(scores, scores);
  EXPECT_DOUBLE_EQ(test.r_plus, 5.0);
  EXPECT_DOUBLE_EQ(test.r_minus, 5.0);
  EXPECT_DOUBLE_EQ(test.z, 0.0);
  EXPECT_DOUBLE_EQ(test.p, 1.0);
  EXPECT_DOUBLE_EQ(test.exact_p.value(), 1.0);
}

TEST(Wilcoxon, AllDifferencesOfOneSizeAreASignTest) {
  const std::vector<double> first{2, 3, 4, 5, 6};
  const std::vector<double> second{1, 2, 3, 4, 7};  // four up, one down
  const WilcoxonTest test = wilcoxon(first, second);
  EXPECT_DOUBLE_EQ(test.r_plus, 12.0);
  EXPECT_DOUBLE_EQ(test.r_minus, 3.0);
  EXPECT_DOUBLE_EQ(test.exact_p.value(), 2.0 * (1 + 5) / 32.0);
}

TEST(Wilcoxon, ExactTailWithoutTies) {
  // All of N differences favour the first: one pattern of 2^N on either side.
  for (const std::size_t n : {2, 5, 10, 50}) {
    std::vector<double> first(n);
    for (std::size_t i = 0; i < n; ++i) first[i] = static_cast<double>(i + 1);
    EXPECT_DOUBLE_EQ(wilcoxon(first, std::vector<double>(n, 0.0)).exact_p.value(),
                     std::ldexp(1.0, 1 - static_cast<int>(n)));
  }
  const std::vector<double> many(kExactDifferences + 1, 1.0);
  EXPECT_FALSE(wilcoxon(many, std::vector<double>(many.size(), 0.0)).exact_p.has_value());
  // Zeros are no patterns and do not count.
  EXPECT_TRUE(wilcoxon(many, many).exact_p.has_value());
}

// P(min(R+, R-) <= T) over all patterns of signs of the nonzero differences.
double enumerate(const std::vector<double>& d) {
  std::vector<double> sizes(d.size());
  std::transform(d.begin(), d.end(), sizes.begin(), [](double x) { return std::abs(x); });
  const std::vector<double> rank = ranks(sizes);
  const auto smaller_sum = [&](auto is_positive) {
    double plus = 0.0;
    double minus = 0.0;
    for (std::size_t i = 0, sign = 0; i < d.size(); ++i) {
      if (d[i] == 0.0) {
        plus += 0.5 * rank[i];
        minus += 0.5 * rank[i];
      } else {
        (is_positive(i, sign++) ? plus : minus) += rank[i];
      }
    }
    return std::min(plus, minus);
  };
  const double observed = smaller_sum([&](std::size_t i, std::size_t) { return d[i] > 0.0; });
  const auto n_signs = d.size() - static_cast<std::size_t>(std::count(d.begin(), d.end(), 0.0));
  double count = 0.0;
  for (std::size_t pattern = 0; pattern < (std::size_t{1} << n_signs); ++pattern) {
    if (smaller_sum([&](std::size_t, std::size_t sign) { return (pattern >> sign & 1) != 0; }) <= observed)
      count += 1.0;
  }
  return std::ldexp(count, -static_cast<int>(n_signs));
}

TEST(Wilcoxon, ExactTailMatchesAllSignPatterns) {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    // Small integers: many ties, many zeros.
    std::vector<double> d(1 + random.below(10));
    for (double& x : d) x = static_cast<double>(random.below(9)) - 3.0;
    const WilcoxonTest test = wilcoxon(d, std::vector<double>(d.size(), 0.0));
    EXPECT_DOUBLE_EQ(test.exact_p.value(), enumerate(d)) << testing::PrintToString(d);
  }
}

TEST(Wilcoxon, NormalTailApproachesTheExactOne) {
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    std::vector<double> d(50);
    for (double& x : d) x = random.normal() + 0.2;
    const WilcoxonTest test = wilcoxon(d, std::vector<double>(d.size(), 0.0));
    EXPECT_NEAR(test.p, test.exact_p.value(), 0.01);
  }
}

struct Scores {
  std::vector<double> first;
  std::vector<double> second;
};

// Percentages with one decimal.
Scores random_scores(std::uint64_t seed) {
  Random random(seed);
  Scores scores;
  for (int i = 0; i < 12; ++i) {
    scores.first.push_back((800.0 + static_cast<double>(random.below(30))) / 10.0);
    scores.second.push_back((800.0 + static_cast<double>(random.below(30))) / 10.0);
  }
  return scores;
}

void expect_same(const WilcoxonTest& a, const WilcoxonTest& b) {
  EXPECT_DOUBLE_EQ(a.r_plus, b.r_plus);
  EXPECT_DOUBLE_EQ(a.r_minus, b.r_minus);
  EXPECT_DOUBLE_EQ(a.z, b.z);
  EXPECT_DOUBLE_EQ(a.p, b.p);
  EXPECT_EQ(a.exact_p, b.exact_p);
}

TEST(Wilcoxon, Invariances) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto [first, second] = random_scores(seed);
    const WilcoxonTest test = wilcoxon(first, second);
    EXPECT_DOUBLE_EQ(test.r_plus + test.r_minus, 12 * 13 / 2);
    EXPECT_LE(test.z, 0.0);

    WilcoxonTest swapped = wilcoxon(second, first);
    std::swap(swapped.r_plus, swapped.r_minus);
    expect_same(test, swapped);

    Scores reordered{{first.rbegin(), first.rend()}, {second.rbegin(), second.rend()}};
    expect_same(test, wilcoxon(reordered.first, reordered.second));

    // Another unit, another origin: rounding must not break the ties of 0.1 %.
    const auto moved = [&](double scale, double shift) {
      Scores scores{first, second};
      for (double& x : scores.first) x = scale * (x + shift);
      for (double& x : scores.second) x = scale * (x + shift);
      return wilcoxon(scores.first, scores.second);
    };
    for (const double scale : {0.01, 3.0, 1e300, 1e-300}) expect_same(test, moved(scale, 0.0));
    expect_same(test, moved(1.0, 100.0));
  }
}

TEST(Wilcoxon, DifferencesOfDecimalsTie) {
  // In binary 92.9 - 92.8 and 92.8 - 92.7 differ in their last bits.
  ASSERT_NE(92.9 - 92.8, 92.8 - 92.7);
  const std::vector<double> first{92.9, 92.7, 90};
  const std::vector<double> second{92.8, 92.8, 80};
  const WilcoxonTest test = wilcoxon(first, second);
  EXPECT_DOUBLE_EQ(test.r_plus, 4.5);
  EXPECT_DOUBLE_EQ(test.r_minus, 1.5);
}

TEST(Wilcoxon, LargestScoresDoNotOverflow) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  const std::vector<double> first{kLargest, -kLargest};
  const std::vector<double> second{-kLargest, 0.0};
  const WilcoxonTest test = wilcoxon(first, second);
  EXPECT_DOUBLE_EQ(test.r_plus, 2.0);
  EXPECT_DOUBLE_EQ(test.r_minus, 1.0);
}

TEST(Wilcoxon, Messages) {
  const auto refusal = [](std::vector<double> first, std::vector<double> second) -> std::string {
    try {
      (void)wilcoxon(first, second);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal({1, 2}, {1}), "wilcoxon: 2 and 1 scores; expected as many of each method");
  EXPECT_EQ(refusal({}, {}), "wilcoxon: no scores; expected at least one of each method");
  EXPECT_EQ(refusal({1}, {std::numeric_limits<double>::quiet_NaN()}),
            "wilcoxon: a score of nan; expected finite numbers");
  EXPECT_EQ(refusal({std::numeric_limits<double>::infinity()}, {1}),
            "wilcoxon: a score of inf; expected finite numbers");
}

}  // namespace
}  // namespace hsvm::stats
