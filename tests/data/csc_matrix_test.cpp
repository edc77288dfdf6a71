// The products are tested with those of every other design, in design_test.cpp.
#include "hsvm/data/csc_matrix.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

TEST(CscMatrix, HandsOutItsColumns) {
  const CscMatrix<double> x = test::to_csc<double>(test::matrix({{1, 0, 0}, {0, 0, 0}, {2, 0, 3}}));
  EXPECT_EQ(x.stored(), 3);
  EXPECT_EQ(x.column(0).rows.size(), 2U);
  EXPECT_EQ(x.column(0).rows[1], 2);
  EXPECT_EQ(x.column(0).values[1], 2.0);
  EXPECT_TRUE(x.column(1).rows.empty());
  EXPECT_EQ(x.column(2).values[0], 3.0);
  EXPECT_EQ(CscMatrix<float>().rows(), 0);
  EXPECT_EQ(CscMatrix<float>().cols(), 0);
  EXPECT_EQ(CscMatrix<float>().stored(), 0);
}

// Long columns go by blocks of rows, short ones do not: beside each other each has the bits it has alone.
TEST(CscMatrix, MultipliesLongAndShortColumnsTogether) {
  constexpr Index n = 3 * 32768 + 5;
  DenseMatrix<double> dense(n, 4);
  for (Index i = 0; i < n; ++i) {
    dense(i, 0) = 0.1 + i % 7;
    dense(i, 1) = i % 1000 == 3 ? 1.0 / (1.0 + i) : 0.0;
    dense(i, 2) = i % 50 == 0 ? 0.3 * (i % 11) - 1.0 : 0.0;
    dense(i, 3) = i > n - 2000 ? 0.7 : 0.0;
  }
  const auto x = test::to_csc<double>(dense);
  const std::vector<double> r = test::random_vector(1, n);
  const std::vector<double> w = {0.3, -2.0, 0.7, 1e-3};
  std::vector<double> products(4);
  x.multiply_transposed(r, products);
  for (Index j = 0; j < 4; ++j) {
    const auto k = static_cast<std::size_t>(j);
    double alone = 0.0;
    x.multiply_transposed(std::span(&j, 1), r, std::span(&alone, 1));
    EXPECT_EQ(products[k], alone);
    EXPECT_EQ(products[k], x.column_dot(j, r));
    long double expected = 0.0L;
    for (Index i = 0; i < n; ++i)
      expected += static_cast<long double>(dense(i, j)) * r[static_cast<std::size_t>(i)];
    EXPECT_NEAR(products[k], static_cast<double>(expected), 1e-9);
  }
  std::vector<double> scores(n, 1e30);
  x.multiply(w, scores);
  for (Index i = 0; i < n; ++i) {
    double expected = 0.0;
    for (Index j = 0; j < 4; ++j) expected += w[static_cast<std::size_t>(j)] * dense(i, j);
    ASSERT_NEAR(scores[static_cast<std::size_t>(i)], expected, 1e-14);
  }
}

}  // namespace
}  // namespace hsvm
