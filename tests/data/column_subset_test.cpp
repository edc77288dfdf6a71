// The products are tested with those of every other design, in design_test.cpp.
#include "hsvm/data/column_subset.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

TEST(ColumnSubset, KnowsItsColumns) {
  const DenseMatrix<double> x = test::matrix({{1, 2, 3}});
  const ColumnSubset subset(x, {2, 0});
  EXPECT_EQ(subset.rows(), 1);
  EXPECT_EQ(subset.cols(), 2);
  EXPECT_EQ(std::vector<Index>(subset.columns().begin(), subset.columns().end()), (std::vector<Index>{2, 0}));
  double out = 0.0;
  subset.multiply(std::vector<double>{1.0, 10.0}, {&out, 1});
  EXPECT_EQ(out, 13.0);
}

}  // namespace
}  // namespace hsvm
