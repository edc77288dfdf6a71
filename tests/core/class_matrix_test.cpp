#include "hsvm/core/class_matrix.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace hsvm {
namespace {

TEST(ClassMatrix, HasPaddedRows) {
  for (const auto& [n_classes, stride] :
       std::vector<std::pair<Index, Index>>{{1, 4}, {2, 4}, {4, 4}, {5, 8}, {12, 12}, {13, 16}}) {
    const ClassMatrix m(3, n_classes);
    EXPECT_EQ(m.rows(), 3);
    EXPECT_EQ(m.n_classes(), n_classes);
    EXPECT_EQ(m.stride(), stride);
    EXPECT_EQ(std::ssize(m.values()), 3 * stride);
    EXPECT_EQ(std::ssize(m.row(2)), n_classes);
    EXPECT_EQ(m.data(2) - m.data(0), 2 * stride);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(m.data(0)) % 32, 0U);
    for (const double value : m.values()) EXPECT_EQ(value, 0.0);
  }
}

TEST(ClassMatrix, RowsLieOneAfterTheOther) {
  ClassMatrix m(2, 5);
  std::iota(m.row(0).begin(), m.row(0).end(), 1.0);
  std::iota(m.row(1).begin(), m.row(1).end(), 11.0);
  EXPECT_EQ(std::vector<double>(m.values().begin(), m.values().end()),
            (std::vector<double>{1, 2, 3, 4, 5, 0, 0, 0, 11, 12, 13, 14, 15, 0, 0, 0}));
}

TEST(ClassMatrix, ResetForgetsEverything) {
  ClassMatrix m(4, 7);
  for (double& value : m.values()) value = 1e30;
  m.reset(3, 2);
  EXPECT_EQ(m.rows(), 3);
  EXPECT_EQ(m.n_classes(), 2);
  for (const double value : m.values()) EXPECT_EQ(value, 0.0);
  m.reset(0, 2);
  EXPECT_EQ(m.rows(), 0);
  EXPECT_TRUE(m.values().empty());
}

TEST(ClassMatrix, CopiesAreTheirOwn) {
  ClassMatrix m(1, 2);
  m.row(0)[1] = 3.0;
  ClassMatrix copy = m;
  copy.row(0)[1] = 4.0;
  EXPECT_EQ(m.row(0)[1], 3.0);
  EXPECT_EQ(ClassMatrix().rows(), 0);
}

}  // namespace
}  // namespace hsvm
