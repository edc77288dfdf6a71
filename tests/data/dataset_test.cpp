#include "hsvm/data/dataset.hpp"

#include <gtest/gtest.h>

#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

TEST(Dataset, HasTheShapeOfItsDesign) {
  Dataset data;
  EXPECT_EQ(data.n_samples(), 0);
  EXPECT_EQ(data.n_features(), 0);
  data.design = DenseMatrix<float>(3, 2);
  EXPECT_EQ(data.n_samples(), 3);
  EXPECT_EQ(data.n_features(), 2);
  data.design = test::to_csc<double>(DenseMatrix<double>(4, 5));
  EXPECT_EQ(data.n_samples(), 4);
  EXPECT_EQ(data.n_features(), 5);
}

}  // namespace
}  // namespace hsvm
