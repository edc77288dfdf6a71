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

TEST(SymmetricMatrix, KeepsItsFirstRowsWhenItGrowsOrShrinks) {
  SymmetricMatrix a(5);
  const auto entry = [](Index i, Index j) { return static_cast<double>(100 * i + j); };
  Index kept = 0;
  for (const Index size : {5, 24, 30, 26, 100, 37}) {
    a.resize(size, kept);
    ASSERT_EQ(a.size(), size);
    EXPECT_GE(a.stride(), a.padded_size());
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j < (i < kept ? kept : size); ++j) EXPECT_EQ(a(i, j), i < kept ? entry(i, j) : 0.0);
    }
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j < size; ++j) a.row(i)[j] = entry(i, j);
    }
    kept = size < 24 ? 0 : 24;
  }
}

}  // namespace
}  // namespace hsvm
