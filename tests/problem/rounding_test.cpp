#include "hsvm/problem/rounding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hsvm/core/random.hpp"
#include "hsvm/data/dense_matrix.hpp"
#include "hsvm/data/standardized_view.hpp"
#include "hsvm/problem/intercept.hpp"

namespace hsvm {
namespace {

TEST(CarefulSum, KeepsWhatRoundingDrops) {
  CarefulSum sum;
  sum.add(1e17, 1.0);
  sum.add(1.0 + 1e-15, 1.0 - 1e-15);
  sum.add(-1e17, 1.0);
  EXPECT_NEAR(sum.value(), 1.0, 1e-15);
}

TEST(ColumnSizes, MeasuresWhatItIsAskedFor) {
  DenseMatrix<double> x(4, 3);
  for (Index i = 0; i < 4; ++i) {
    x(i, 0) = 2.0;
    x(i, 1) = 100.0 + (i % 2 == 0 ? 1.0 : -1.0);
  }
  ColumnSizes sizes;
  sizes.measure(x, std::vector<Index>{0});
  EXPECT_DOUBLE_EQ(sizes[0], 4.0);
  EXPECT_EQ(sizes[1], 0.0);
  // Standardised, the second column is +-1; it is multiplied as it is stored.
  const std::vector<double> ones(4, 1.0);
  const Standardization standardization = standardize(x, ones);
  const StandardizedView view(x, standardization);
  ColumnSizes seen;
  seen.measure(view, std::vector<Index>{1});
  EXPECT_NEAR(seen[1], 2.0 + 2.0 * 200.0, 1e-9);
}

// Products are off by less than their estimate, and not by next to nothing.
TEST(RoundingFactor, CoversProducts) {
  Random random(8);
  double worst = 0.0;
  for (const Index n : {3, 30, 300, 3000}) {
    DenseMatrix<double> x(n, 50);
    std::vector<double> r(static_cast<std::size_t>(n));
    for (double& value : r) value = random.normal();
    for (Index j = 0; j < 50; ++j) {
      for (Index i = 0; i < n; ++i) x(i, j) = j % 2 == 0 ? random.normal() : 1e9 + random.normal();
    }
    std::vector<double> products(50);
    x.multiply_transposed(r, products);
    ColumnSizes sizes;
    sizes.measure(x, all_indices(50));
    CarefulSum square;
    for (const double value : r) square.add(value, value);
    for (Index j = 0; j < 50; ++j) {
      CarefulSum exact;
      for (Index i = 0; i < n; ++i) exact.add(x(i, j), r[static_cast<std::size_t>(i)]);
      const double error = std::abs(products[static_cast<std::size_t>(j)] - exact.value());
      const double estimate = rounding_factor(n) * sizes[j] * std::sqrt(square.value());
      EXPECT_LE(error, estimate) << n << " " << j;
      worst = std::max(worst, error / estimate);
    }
  }
  EXPECT_GT(worst, 1e-3);
}

TEST(PayForIntercept, CutsWhereLambda3WouldDivideRounding) {
  const Imbalance noise{.square = 1e-34, .cut = 1e-17, .share = 4e-17};
  for (const double lambda3 : {0.0, 1e-300, 1e-34}) {
    DualValue value{.linear = 0.5, .quadratic = 0.25};
    pay_for_intercept(noise, lambda3, value);
    EXPECT_NEAR(value.linear, 0.5, 1e-16);
    EXPECT_EQ(value.quadratic, 0.25);
    EXPECT_EQ(value.share, 4e-17);
  }
  // m = lambda3 b is what a penalised intercept has at its best.
  const Imbalance penalised{.square = 1e-4, .cut = 0.01, .share = 0.04};
  DualValue value{.linear = 0.5, .quadratic = 0.25};
  pay_for_intercept(penalised, 0.01, value);
  EXPECT_EQ(value.linear, 0.5);
  EXPECT_DOUBLE_EQ(value.quadratic, 0.26);
  // A free one must have none.
  pay_for_intercept(penalised, 0.0, value);
  EXPECT_EQ(value.linear, 0.0);
}

// A step of slope over lambda3 alone would lead to 1e115, from where bisection does not come back.
TEST(BestIntercept, HardlyAnyLambda3) {
  const std::vector<double> y = {1.0, 1.0, 1.0, -1.0};
  const std::vector<double> s(4, 1.0);
  const std::vector<double> z(4, 0.0);
  for (const double lambda3 : {0.0, 1e-300, 1e-116, 1e-34})
    EXPECT_NEAR(best_intercept(huberized_hinge(1.0), {y, s}, z, lambda3, 0.0), 2.0 / 3.0, 1e-12) << lambda3;
}

}  // namespace
}  // namespace hsvm
