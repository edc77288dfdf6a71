#include "hsvm/linalg/symmetric_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hsvm {
namespace {

TEST(SymmetricMatrix, StartsAtZeroAndIsPaddedToTiles) {
  for (const Index size : {0, 1, 11, 12, 13, 60}) {
    SymmetricMatrix matrix(size);
    EXPECT_EQ(matrix.size(), size);
    EXPECT_EQ(matrix.stride() % SymmetricMatrix::kTile, 0);
    EXPECT_GE(matrix.stride(), size);
    for (Index i = 0; i < matrix.stride(); ++i) {
      for (Index j = 0; j < matrix.stride(); ++j) ASSERT_EQ(matrix.row(i)[j], 0.0);
    }
  }
}

TEST(SymmetricMatrix, MirrorsWhatIsBelowTheDiagonal) {
  for (const Index size : {1, 2, 11, 12, 13, 31, 32, 33, 60, 64, 65, 100}) {
    for (const Index first : {0, 12, 24, 36, 96}) {
      if (first > size) continue;
      SymmetricMatrix matrix(size);
      for (Index i = 0; i < size; ++i) {
        for (Index j = 0; j < size; ++j) {
          matrix.row(i)[j] = j <= i ? 1000.0 * i + j : std::numeric_limits<double>::quiet_NaN();
        }
      }
      matrix.mirror(first);
      for (Index i = 0; i < size; ++i) {
        for (Index j = 0; j < size; ++j) {
          if (j <= i) {
            ASSERT_EQ(matrix(i, j), 1000.0 * i + j) << size << " " << first;
          } else if (j >= first) {
            ASSERT_EQ(matrix(i, j), 1000.0 * j + i) << size << " " << first;
          } else {
            ASSERT_TRUE(std::isnan(matrix(i, j))) << "not to be touched: " << size << " " << first;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace hsvm
