#include "hsvm/data/standardization.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/random.hpp"
#include "hsvm/data/design.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/thread_ranks.hpp"

namespace hsvm {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

template <class X>
class Standardize : public testing::Test {
 protected:
  static Standardization of(const DenseMatrix<double>& x, std::vector<double> s = {}) {
    if (s.empty()) s.assign(static_cast<std::size_t>(x.rows()), 1.0);
    return standardize(test::to_layout<X>(x), s);
  }
  // What all ranks find that have the rows between them.
  static Standardization over_ranks(Index size, const DenseMatrix<double>& x, const std::vector<double>& s) {
    std::vector<Standardization> found(static_cast<std::size_t>(size));
    test::run_ranks(size, [&](const Collective& ranks) {
      const auto [first, last] = test::rows_of_rank(x.rows(), ranks.rank(), size);
      DenseMatrix<double> here(last - first, x.cols());
      for (Index i = first; i < last; ++i) {
        for (Index j = 0; j < x.cols(); ++j) here(i - first, j) = x(i, j);
      }
      found[static_cast<std::size_t>(ranks.rank())] = standardize(
          test::to_layout<X>(here), std::vector<double>(s.begin() + first, s.begin() + last), ranks);
    });
    for (const Standardization& other : found) {  // to the bit
      EXPECT_EQ(other.centers, found[0].centers);
      EXPECT_EQ(other.scales, found[0].scales);
    }
    return found[0];
  }
};
using Matrices = testing::Types<DenseMatrix<double>, DenseMatrix<float>, CscMatrix<double>, CscMatrix<float>>;
TYPED_TEST_SUITE(Standardize, Matrices);

DenseMatrix<double> column(const std::vector<double>& values) {
  DenseMatrix<double> x(static_cast<Index>(values.size()), 1);
  for (std::size_t i = 0; i < values.size(); ++i) x(static_cast<Index>(i), 0) = values[i];
  return x;
}

// Multiples of 1/16, three quarters of them zero.
DenseMatrix<double> sparse_matrix(Index n, Index p) {
  Random random(3);
  DenseMatrix<double> x(n, p);
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < n; ++i)
      x(i, j) = random.below(4) == 0 ? std::round(16.0 * random.normal()) / 16.0 : 0.0;
  }
  return x;
}

void expect_near(const Standardization& a, const Standardization& b, double error) {
  ASSERT_EQ(a.centers.size(), b.centers.size());
  ASSERT_EQ(a.scales.size(), b.scales.size());
  for (std::size_t j = 0; j < a.scales.size(); ++j) {
    EXPECT_NEAR(a.centers[j], b.centers[j], error) << j;
    EXPECT_NEAR(a.scales[j], b.scales[j], error * std::abs(b.scales[j])) << j;
    EXPECT_EQ(a.scales[j] == 0.0, b.scales[j] == 0.0) << j;
  }
}

TYPED_TEST(Standardize, MeansAndVariancesByHand) {
  // 1, 3: mean 2, variance 1.   0, 0, 0, 8: mean 2, variance (3 * 4 + 36)/4 = 12.   -3, 0, 3, 0: 0 and 4.5.
  const Standardization two = this->of(column({1, 3}));
  EXPECT_EQ(two.centers, std::vector<double>{2.0});
  EXPECT_EQ(two.scales, std::vector<double>{1.0});
  const Standardization four = this->of(test::matrix({{0, -3}, {0, 0}, {0, 3}, {8, 0}}));
  EXPECT_EQ(four.centers, (std::vector<double>{2.0, 0.0}));
  EXPECT_DOUBLE_EQ(four.scales[0], 1.0 / std::sqrt(12.0));
  EXPECT_DOUBLE_EQ(four.scales[1], 1.0 / std::sqrt(4.5));
}

TYPED_TEST(Standardize, WeightsByHand) {
  // 4 with the weight 3 and 0 with the weight 1: mean 3, variance (3 * 1 + 9)/4 = 3.
  const Standardization result = this->of(column({4, 0}), {3.0, 1.0});
  EXPECT_EQ(result.centers, std::vector<double>{3.0});
  EXPECT_DOUBLE_EQ(result.scales[0], 1.0 / std::sqrt(3.0));
}

TYPED_TEST(Standardize, OnlyTheRatioOfWeightsMatters) {
  const DenseMatrix<double> x = sparse_matrix(30, 5);
  const std::vector<double> ones(30, 1.0);
  const std::vector<double> eighths(30, 0.125);
  const Standardization a = this->of(x, ones);
  const Standardization b = this->of(x, eighths);
  EXPECT_EQ(a.centers, b.centers);
  EXPECT_EQ(a.scales, b.scales);
}

TYPED_TEST(Standardize, AWeightOfZeroIsASampleThatIsNotThere) {
  const DenseMatrix<double> x = sparse_matrix(20, 6);
  DenseMatrix<double> some(13, 6);
  std::vector<double> s(20, 0.0);
  std::vector<double> kept;
  Index next = 0;
  for (Index i = 0; i < 20; ++i) {
    if (i % 3 == 0) continue;
    s[static_cast<std::size_t>(i)] = 0.5 + 0.25 * i;
    kept.push_back(s[static_cast<std::size_t>(i)]);
    for (Index j = 0; j < 6; ++j) some(next, j) = x(i, j);
    ++next;
  }
  ASSERT_EQ(next, 13);
  expect_near(this->of(x, s), this->of(some, kept), 1e-14);
}

TYPED_TEST(Standardize, WhatIsNotThereMayBeAnything) {
  const std::vector<double> s = {1.0, 0.0, 1.0, 0.0};
  for (const double bad : {std::nan(""), kInfinite, 1e30}) {
    const Standardization result = this->of(column({1.0, bad, 3.0, -bad}), s);
    EXPECT_EQ(result.centers, std::vector<double>{2.0});
    EXPECT_EQ(result.scales, std::vector<double>{1.0});
  }
}

TYPED_TEST(Standardize, WholeWeightsAreRepeatedSamples) {
  const DenseMatrix<double> x = sparse_matrix(12, 5);
  std::vector<double> s;
  std::vector<std::vector<double>> rows;
  for (Index i = 0; i < 12; ++i) {
    s.push_back(i % 4);
    for (Index copy = 0; copy < i % 4; ++copy) {
      rows.emplace_back();
      for (Index j = 0; j < 5; ++j) rows.back().push_back(x(i, j));
    }
  }
  expect_near(this->of(x, s), this->of(test::matrix(rows)), 1e-14);
}

TYPED_TEST(Standardize, AConstantFeatureIsLeftOut) {
  // Neither sums nor means of 0.1 are exact.
  for (const double value : {0.1, -7.0, 0.0, 1e30}) {
    for (const std::size_t n : {1, 3, 10, 1000}) {
      const Standardization result = this->of(column(std::vector<double>(n, value)));
      EXPECT_EQ(result.scales, std::vector<double>{0.0}) << n << " times " << value;
      EXPECT_EQ(result.centers[0], static_cast<double>(static_cast<typename TypeParam::Scalar>(value)));
    }
  }
}

TYPED_TEST(Standardize, ConstantAmongTheSamplesThatAreThereIsConstant) {
  const std::vector<double> s = {0.3, 0.0, 0.1, 0.7};
  EXPECT_EQ(this->of(column({0.1, 5.0, 0.1, 0.1}), s).scales[0], 0.0);
  EXPECT_EQ(this->of(column({0.0, 5.0, 0.0, 0.0}), s).scales[0], 0.0);
  EXPECT_EQ(this->of(column({0.1, 0.0, 0.1, 0.1}), s).scales[0], 0.0);
  EXPECT_GT(this->of(column({0.1, 0.1, 0.1, 0.0}), s).scales[0], 0.0);  // zero counts, stored or not
  EXPECT_GT(this->of(column({0.0, 0.0, 0.0, 0.1}), s).scales[0], 0.0);
}

TYPED_TEST(Standardize, OneSampleHasNoVariance) {
  const Standardization result = this->of(test::matrix({{3.0, 0.0, -1.0}}));
  EXPECT_EQ(result.scales, std::vector<double>(3, 0.0));
  const Standardization weighted = this->of(test::matrix({{3.0, 0.0}, {1.0, 2.0}}), {0.0, 0.3});
  EXPECT_EQ(weighted.scales, std::vector<double>(2, 0.0));
}

TYPED_TEST(Standardize, ALargeMeanAndASmallDeviation) {
  // 2^20 + {0, 1/8}, a third of them the latter: all sums are exact in double.
  std::vector<double> values;
  for (int i = 0; i < 999; ++i) values.push_back(1048576.0 + (i % 3 == 0 ? 0.125 : 0.0));
  const Standardization result = this->of(column(values));
  EXPECT_NEAR(result.centers[0], 1048576.0 + 0.125 / 3.0, 1e-9);
  EXPECT_NEAR(result.scales[0], 1.0 / (0.125 * std::sqrt(2.0) / 3.0), 1e-12 * result.scales[0]);
}

TYPED_TEST(Standardize, LeavesWhatIsNoNumberAsItIs) {
  for (const double bad : {std::nan(""), kInfinite, -kInfinite}) {
    const Standardization result = this->of(test::matrix({{1, 2}, {bad, 3}, {0, 5}}));
    EXPECT_EQ(result.centers[0], 0.0);
    EXPECT_EQ(result.scales[0], 1.0);
    EXPECT_NE(result.scales[1], 1.0);  // the others do not suffer
  }
}

TYPED_TEST(Standardize, TheNumberOfThreadsChangesNoBit) {
  const DenseMatrix<double> x = sparse_matrix(40, 300);
  const std::vector<double> s = [] {
    std::vector<double> weights = test::random_vector(5, 40);
    for (double& weight : weights) weight = std::abs(weight);
    return weights;
  }();
  Standardization one;
  with_threads(1, [&] { one = this->of(x, s); });
  for (const int threads : {2, 4}) {
    with_threads(threads, [&] {
      const Standardization other = this->of(x, s);
      EXPECT_EQ(other.centers, one.centers);
      EXPECT_EQ(other.scales, one.scales);
    });
  }
}

// Ranks that have zeros alone, one value, means far from each other, no weight, or what is no number.
TYPED_TEST(Standardize, RanksFindWhatOneProcessDoes) {
  constexpr Index kRows = 24;
  DenseMatrix<double> x(kRows, 10);
  const DenseMatrix<double> some = sparse_matrix(kRows, 3);
  std::vector<double> s(kRows, 1.0);
  for (Index i = 0; i < kRows; ++i) {
    for (Index j = 0; j < 3; ++j) x(i, j) = some(i, j);
    x(i, 3) = i < 12 ? 0.0 : i % 4;                          // nothing in the first half
    x(i, 4) = i < 12 ? 7.0 : 7.0 + i % 2;                    // one value there
    x(i, 5) = (i < 12 ? 1048576.0 : 0.0) + 0.125 * (i % 3);  // means that are far apart
    x(i, 6) = 1048576.0 + 0.125 * (i % 3);
    x(i, 7) = -3.0;
    x(i, 8) = i == 20 ? std::nan("") : i;
    x(i, 9) = i == 5 ? 1.0 : 0.0;
  }
  std::vector<double> weights;
  for (Index i = 0; i < kRows; ++i) weights.push_back(i < 8 ? 0.0 : 0.25 * (1 + i % 5));
  for (const std::vector<double>& each : {s, weights}) {
    for (const Index size : {2, 3, 4, 24}) {
      const Standardization found = this->over_ranks(size, x, each);
      const Standardization expected = this->of(x, each);
      for (std::size_t j = 0; j < expected.scales.size(); ++j) {
        const double unit = 1.0 + std::abs(expected.centers[j]);
        EXPECT_NEAR(found.centers[j], expected.centers[j], 1e-15 * unit) << j << " over " << size;
        EXPECT_NEAR(found.scales[j], expected.scales[j], 1e-12 * expected.scales[j]) << j << " over " << size;
        EXPECT_EQ(found.scales[j] == 0.0, expected.scales[j] == 0.0) << j << " over " << size;
      }
    }
  }
}

TYPED_TEST(Standardize, TakesDataWithoutFeatures) {
  const Standardization result = this->of(DenseMatrix<double>(3, 0));
  EXPECT_TRUE(result.centers.empty());
  EXPECT_TRUE(result.empty());
}

// Mean 0 and variance 1 are what it is all for.
TYPED_TEST(Standardize, GivesMeanZeroAndVarianceOne) {
  const DenseMatrix<double> x = sparse_matrix(50, 20);
  std::vector<double> s = test::random_vector(6, 50);
  double total = 0.0;
  for (double& weight : s) total += weight = std::max(0.0, weight);
  const Standardization result = this->of(x, s);
  for (Index j = 0; j < 20; ++j) {
    double mean = 0.0;
    double square = 0.0;
    for (Index i = 0; i < 50; ++i) {
      const double z =
          result.scales[static_cast<std::size_t>(j)] * (x(i, j) - result.centers[static_cast<std::size_t>(j)]);
      mean += s[static_cast<std::size_t>(i)] * z / total;
      square += s[static_cast<std::size_t>(i)] * z * z / total;
    }
    EXPECT_NEAR(mean, 0.0, 1e-14);
    EXPECT_NEAR(square, 1.0, 1e-13);
  }
}

// Huge and tiny numbers, which only doubles hold.
template <class X>
class StandardizeDoubles : public testing::Test {};
using DoubleMatrices = testing::Types<DenseMatrix<double>, CscMatrix<double>>;
TYPED_TEST_SUITE(StandardizeDoubles, DoubleMatrices);

TYPED_TEST(StandardizeDoubles, TakesNumbersOfAnySize) {
  for (const double unit : {1e200, 1e-200, 1e300, 1e-300}) {
    const Standardization result =
        standardize(test::to_layout<TypeParam>(column({0, 0, 0, 8 * unit})), std::vector<double>(4, 1.0));
    EXPECT_NEAR(result.centers[0] / unit, 2.0, 1e-14);
    EXPECT_NEAR(result.scales[0] * unit, 1.0 / std::sqrt(12.0), 1e-14);
  }
}

// Sums of the largest numbers overflow, the inverse of the smallest does: a fit will say so, or do well
// without.
TYPED_TEST(StandardizeDoubles, LeavesNumbersAtTheEndOfTheRangeAsTheyAre) {
  for (const double end : {1.5e308, 5e-324}) {
    const Standardization result =
        standardize(test::to_layout<TypeParam>(column({end, end, 0.0})), std::vector<double>(3, 1.0));
    EXPECT_EQ(result.centers[0], 0.0) << end;
    EXPECT_EQ(result.scales[0], 1.0) << end;
  }
}

TEST(StandardizeLayouts, DenseAndSparseAgree) {
  const DenseMatrix<double> x = sparse_matrix(60, 30);
  const CscMatrix<double> csc = test::to_csc<double>(x);
  const std::vector<double> ones(60, 1.0);
  expect_near(standardize(x, ones), standardize(csc, ones), 1e-14);
  std::vector<double> s = test::random_vector(7, 60);
  for (double& weight : s) weight = std::max(0.0, weight);
  expect_near(standardize(x, s), standardize(csc, s), 1e-14);
}

TEST(KeepFeatures, LeavesOutTheOthers) {
  const Standardization all{{1.0, 2.0, 3.0, 4.0}, {0.5, 0.25, 0.0, 2.0}};
  const Standardization some = keep_features(all, std::vector<Index>{1, 2}, 4);
  EXPECT_EQ(some.centers, all.centers);
  EXPECT_EQ(some.scales, (std::vector<double>{0.0, 0.25, 0.0, 0.0}));  // a constant one is not brought back
  EXPECT_EQ(keep_features(all, all_indices(4), 4).scales, all.scales);
  EXPECT_EQ(keep_features(all, std::vector<Index>{}, 4).scales, std::vector<double>(4, 0.0));
}

TEST(KeepFeatures, OfFeaturesAsTheyAreKeepsThemSo) {
  const Standardization some = keep_features({}, std::vector<Index>{0, 3}, 4);
  EXPECT_EQ(some.centers, std::vector<double>(4, 0.0));
  EXPECT_EQ(some.scales, (std::vector<double>{1.0, 0.0, 0.0, 1.0}));
}

}  // namespace
}  // namespace hsvm
