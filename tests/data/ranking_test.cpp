#include "hsvm/data/ranking.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/random.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

using test::matrix;
using test::to_csc;
using test::to_dense;

using Numbers = std::vector<Index>;
using Values = std::vector<double>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Data {
  DenseMatrix<double> x;
  Numbers y;
  Values s;
  Index n_classes = 0;

  [[nodiscard]] Values ratios() const { return between_within_ratios(x, y, n_classes, s); }
};

// Sparse columns, some of a class full and others empty; weights some of which are zero.
Data random_data(std::uint64_t seed, Index n = 30, Index p = 12, Index n_classes = 3) {
  Random random(seed);
  Data data{DenseMatrix<double>(n, p), {}, {}, n_classes};
  for (Index i = 0; i < n; ++i) {
    data.y.push_back(i < n_classes ? i
                                   : static_cast<Index>(random.below(static_cast<std::uint64_t>(n_classes))));
    data.s.push_back(i >= n_classes && random.below(5) == 0 ? 0.0 : 0.5 + random.uniform());
    for (Index j = 0; j < p; ++j) {
      const bool full = j % 4 == 0 || (j % 4 == 1 && data.y.back() == 0);
      if (full || random.below(3) == 0) data.x(i, j) = random.normal() + 0.5 * data.y.back();
    }
  }
  return data;
}

// The header's formula, word by word.
Values reference_ratios(const Data& data) {
  Values ratios;
  const auto k_of = [&](Index i) { return static_cast<std::size_t>(data.y[static_cast<std::size_t>(i)]); };
  for (Index j = 0; j < data.x.cols(); ++j) {
    Values sums(static_cast<std::size_t>(data.n_classes), 0.0);
    Values weights = sums;
    double sum = 0.0;
    double weight = 0.0;
    for (Index i = 0; i < data.x.rows(); ++i) {
      const double s = data.s[static_cast<std::size_t>(i)];
      sums[k_of(i)] += s * data.x(i, j);
      weights[k_of(i)] += s;
      sum += s * data.x(i, j);
      weight += s;
    }
    double between = 0.0;
    double within = 0.0;
    for (Index i = 0; i < data.x.rows(); ++i) {
      const double s = data.s[static_cast<std::size_t>(i)];
      const double mean = sums[k_of(i)] / weights[k_of(i)];
      between += s * std::pow(mean - sum / weight, 2);
      within += s * std::pow(data.x(i, j) - mean, 2);
    }
    ratios.push_back(between / within);
  }
  return ratios;
}

void expect_near(const Values& actual, const Values& expected, double relative) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t j = 0; j < actual.size(); ++j) {
    EXPECT_NEAR(actual[j], expected[j], relative * expected[j]) << "feature " << j;
  }
}

TEST(BetweenWithinRatios, ByHand) {
  // Classes {0, 2} and {3, 7}: means 1 and 5, together 3. Between 4 * 2^2 = 16, within 1 + 1 + 4 + 4 = 10.
  const Data data{matrix({{0.0}, {3.0}, {2.0}, {7.0}}), {0, 1, 0, 1}, {1.0, 1.0, 1.0, 1.0}, 2};
  EXPECT_DOUBLE_EQ(data.ratios()[0], 1.6);
  EXPECT_DOUBLE_EQ(between_within_ratios(to_csc<double>(data.x), data.y, 2, data.s)[0], 1.6);
}

TEST(BetweenWithinRatios, AreTheFormula) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Data data = random_data(seed);
    const Values expected = reference_ratios(data);
    expect_near(data.ratios(), expected, 1e-12);
    expect_near(between_within_ratios(to_csc<double>(data.x), data.y, 3, data.s), expected, 1e-12);
    expect_near(between_within_ratios(to_dense<float>(data.x), data.y, 3, data.s), expected, 1e-5);
    expect_near(between_within_ratios(to_csc<float>(data.x), data.y, 3, data.s), expected, 1e-5);
  }
}

TEST(BetweenWithinRatios, ExplicitZerosAreZeros) {
  const Data data{matrix({{0.0}, {3.0}, {2.0}, {0.0}, {1.0}}), {0, 1, 0, 1, 1}, {1.0, 1.0, 1.0, 1.0, 1.0}, 2};
  const CscMatrix<double> x(5, {0, 4}, {1, 2, 3, 4}, {3.0, 2.0, 0.0, 1.0});
  expect_near(between_within_ratios(x, data.y, 2, data.s), reference_ratios(data), 1e-14);
}

TEST(BetweenWithinRatios, DoNotChangeWithScaleAndPlace) {
  const Data data = random_data(3);
  Data moved = data;
  for (Index j = 0; j < data.x.cols(); ++j) {
    for (Index i = 0; i < data.x.rows(); ++i) moved.x(i, j) = 1e6 - 3.0 * (j + 1) * data.x(i, j);
  }
  expect_near(moved.ratios(), data.ratios(), 1e-7);
  expect_near(between_within_ratios(to_csc<double>(moved.x), data.y, 3, data.s), data.ratios(), 1e-7);
}

TEST(BetweenWithinRatios, AWeightOfTwoIsASampleTwiceAndZeroIsNone) {
  Data weighted = random_data(4);
  Data copied{DenseMatrix<double>(60, 12), {}, {}, 3};
  Index row = 0;
  for (std::size_t i = 0; i < weighted.y.size(); ++i) {
    const auto copies = static_cast<Index>(i % 3);
    weighted.s[i] = copies;
    for (Index c = 0; c < copies; ++c, ++row) {
      copied.y.push_back(weighted.y[i]);
      for (Index j = 0; j < 12; ++j) copied.x(row, j) = weighted.x(static_cast<Index>(i), j);
    }
  }
  DenseMatrix<double> rows(row, 12);
  for (Index i = 0; i < row; ++i) {
    for (Index j = 0; j < 12; ++j) rows(i, j) = copied.x(i, j);
  }
  copied.x = rows;
  copied.s.assign(copied.y.size(), 1.0);
  expect_near(weighted.ratios(), copied.ratios(), 1e-13);
  expect_near(between_within_ratios(to_csc<double>(weighted.x), weighted.y, 3, weighted.s), copied.ratios(),
              1e-13);
}

TEST(BetweenWithinRatios, TellConstantAndPerfectFeaturesExactly) {
  // 0.1 has no exact double, and weights like these make plain means miss it by rounding.
  const DenseMatrix<double> x = matrix({{0.1, 0.1, 0.0, 0.0, 0.0, 7.0},
                                        {0.1, 0.3, 0.0, 0.7, 0.0, 7.0},
                                        {0.1, 0.1, 0.0, 0.0, 0.0, 7.0},
                                        {0.1, 0.3, 0.0, 0.7, 0.7, 7.0},
                                        {0.1, 0.1, 0.0, 0.0, 0.0, 1.0},
                                        {0.1, 0.3, 0.0, 0.7, 0.0, 7.0}});
  const Numbers y = {0, 1, 0, 1, 0, 1};
  const Values s = {0.1, 0.7, 1.3, 0.3, 0.0, 1.1};  // the odd one out in the last feature weighs nothing
  for (const Values& ratios :
       {between_within_ratios(x, y, 2, s), between_within_ratios(to_csc<double>(x), y, 2, s)}) {
    EXPECT_EQ(ratios[0], 0.0);
    EXPECT_EQ(ratios[1], kInfinity);
    EXPECT_EQ(ratios[2], 0.0);
    EXPECT_EQ(ratios[3], kInfinity);
    EXPECT_GT(ratios[4], 0.0);
    EXPECT_LT(ratios[4], kInfinity);
    EXPECT_EQ(ratios[5], 0.0);
  }
}

TEST(BetweenWithinRatios, AClassWithoutWeightHasNoPart) {
  Data data = random_data(5);
  Values without = data.s;
  for (std::size_t i = 0; i < without.size(); ++i) {
    if (data.y[i] == 1) without[i] = 0.0;
  }
  data.s = without;
  Data two = data;
  two.n_classes = 2;
  for (Index& y : two.y) y = y == 2 ? 1 : 0;
  expect_near(data.ratios(), two.ratios(), 1e-14);
}

TEST(BetweenWithinRatios, AreNeverNaN) {
  const DenseMatrix<double> x = matrix({{1e300, 1e200}, {-1e300, 1e180}, {1e308, -1e200}, {-1e308, 0.0}});
  const Numbers y = {0, 0, 1, 1};
  for (const Values& s : {Values{1.0, 1.0, 1.0, 1.0}, Values{0.0, 0.0, 0.0, 0.0}, Values{1.0, 0.0, 0.0, 0.0}}) {
    for (const double ratio : between_within_ratios(x, y, 2, s)) EXPECT_FALSE(std::isnan(ratio));
    for (const double ratio : between_within_ratios(to_csc<double>(x), y, 2, s))
      EXPECT_FALSE(std::isnan(ratio));
  }
}

TEST(BetweenWithinRatios, HaveTheSameBitsForAnyNumberOfThreads) {
  const Data data = random_data(6, 600, 1500, 4);  // several blocks of columns
  const CscMatrix<float> sparse = to_csc<float>(data.x);
  Values dense_one;
  Values sparse_one;
  with_threads(1, [&] {
    dense_one = data.ratios();
    sparse_one = between_within_ratios(sparse, data.y, 4, data.s);
  });
  for (const int threads : {2, 4}) {
    with_threads(threads, [&] {
      EXPECT_EQ(data.ratios(), dense_one);
      EXPECT_EQ(between_within_ratios(sparse, data.y, 4, data.s), sparse_one);
    });
  }
}

TEST(BetweenWithinRatios, OfNoFeaturesAreNone) {
  const DenseMatrix<double> x(3, 0);
  EXPECT_TRUE(between_within_ratios(x, Numbers{0, 1, 1}, 2, Values{1.0, 1.0, 1.0}).empty());
}

TEST(TopFeatures, AreTheLargestInOrder) {
  const Values ratios = {0.5, 3.0, 0.0, kInfinity, 2.0};
  EXPECT_EQ(top_features(ratios, 1), (Numbers{3}));
  EXPECT_EQ(top_features(ratios, 3), (Numbers{1, 3, 4}));
  EXPECT_EQ(top_features(ratios, 5), (Numbers{0, 1, 2, 3, 4}));
  EXPECT_EQ(top_features(ratios, 9), (Numbers{0, 1, 2, 3, 4}));
  EXPECT_TRUE(top_features(ratios, 0).empty());
  EXPECT_TRUE(top_features({}, 4).empty());
}

TEST(TopFeatures, OfEqualRatiosAreTheFirst) {
  const Values ratios = {1.0, 2.0, 1.0, 2.0, 1.0, 2.0, kInfinity, kInfinity};
  EXPECT_EQ(top_features(ratios, 1), (Numbers{6}));
  EXPECT_EQ(top_features(ratios, 4), (Numbers{1, 3, 6, 7}));
  EXPECT_EQ(top_features(ratios, 7), (Numbers{0, 1, 2, 3, 5, 6, 7}));
}

}  // namespace
}  // namespace hsvm
