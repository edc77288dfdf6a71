// The products are tested with those of every other design, in design_test.cpp.
#include "hsvm/data/csc_matrix.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace hsvm
