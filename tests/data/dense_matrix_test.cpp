// The products are tested with those of every other design, in design_test.cpp.
#include "hsvm/data/dense_matrix.hpp"

#include <gtest/gtest.h>

namespace hsvm {
namespace {

TEST(DenseMatrix, IsZeroAtFirstAndColumnMajor) {
  DenseMatrix<double> x(3, 2);
  EXPECT_EQ(x(2, 1), 0.0);
  x(1, 1) = 5.0;
  ASSERT_EQ(x.column(1).size(), 3U);
  EXPECT_EQ(x.column(1)[1], 5.0);
  EXPECT_EQ(x.column(1).data(), x.column(0).data() + 3);
  EXPECT_EQ(DenseMatrix<float>().rows(), 0);
  EXPECT_EQ(DenseMatrix<float>().cols(), 0);
}

}  // namespace
}  // namespace hsvm
