#include "hsvm/linalg/outer_products.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "hsvm/core/parallel.hpp"
#include "tests/newton/newton_support.hpp"

namespace hsvm {
namespace {

constexpr Index kSizes[] = {1, 2, 11, 12, 13, 24, 25, 47, 48, 49, 60};

// The panel holds `entries`, by rows.
PackedPanel packed(const test::Square& entries, Index cols) {
  PackedPanel panel;
  panel.reset(static_cast<Index>(entries.size()), cols);
  for (Index j = 0; j < cols; ++j) {
    for (std::size_t k = 0; k < entries.size(); ++k)
      panel.column(j)[k * PackedPanel::kGroup] = entries[k][static_cast<std::size_t>(j)];
  }
  return panel;
}

test::Square random_entries(Random& random, std::size_t rows, std::size_t cols) {
  test::Square result(rows, std::vector<double>(cols));
  for (auto& row : result) {
    for (double& value : row) value = random.normal();
  }
  return result;
}

void expect_naive(Index depth, Index cols, Index first_row, double sign, Index offset) {
  SCOPED_TRACE(testing::Message() << depth << " x " << cols << " from row " << first_row << " at " << offset);
  Random random(static_cast<std::uint64_t>(depth * 1000 + cols), static_cast<std::uint64_t>(offset));
  const auto a = random_entries(random, static_cast<std::size_t>(depth), static_cast<std::size_t>(cols));
  const Index size = offset + cols;
  SymmetricMatrix c(size);
  test::Square expected(static_cast<std::size_t>(size), std::vector<double>(static_cast<std::size_t>(size)));
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j <= i; ++j) {
      const double before = random.normal();
      c.row(i)[j] = before;
      double sum = 0.0;
      if (i >= offset + first_row && j >= offset) {
        for (const auto& row : a)
          sum += row[static_cast<std::size_t>(i - offset)] * row[static_cast<std::size_t>(j - offset)];
      }
      expected[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = before + sign * sum;
    }
  }
  add_outer_products(packed(a, cols), first_row, sign, c, offset);
  EXPECT_LE(test::relative_difference(c, expected, true), 1e-14);
}

TEST(OuterProducts, AreTheNaiveOnes) {
  for (const Index cols : kSizes) {
    for (const Index depth : {1, 3, 24, 129}) {
      expect_naive(depth, cols, 0, 1.0, 0);
      expect_naive(depth, cols, 0, -1.0, 0);
    }
  }
}

TEST(OuterProducts, LeaveOutTheFirstRowsAndStandWhereTheyAreToldTo) {
  for (const Index cols : kSizes) {
    for (const Index first_row : {0, 12, 24, 48}) {
      if (first_row > cols) continue;
      for (const Index offset : {0, 12, 36}) expect_naive(7, cols, first_row, -1.0, offset);
    }
  }
}

TEST(OuterProducts, AreTheNaiveOnesWhenWorkIsShared) {
  expect_naive(130, 170, 0, 1.0, 0);
  expect_naive(130, 170, 36, -1.0, 24);
}

TEST(OuterProducts, AreTheSameBitsForAnyNumberOfThreads) {
  Random random(5);
  const auto a = random_entries(random, 130, 170);
  std::vector<SymmetricMatrix> results;
  for (const int threads : {1, 2, 3, 8}) {
    with_threads(threads, [&] {
      SymmetricMatrix c(170);
      add_outer_products(packed(a, 170), 0, 1.0, c);
      results.push_back(c);
    });
    for (Index i = 0; i < 170; ++i) {
      for (Index j = 0; j <= i; ++j) ASSERT_EQ(results.back()(i, j), results.front()(i, j));
    }
  }
}

TEST(OuterProducts, OfAnEmptyPanelAreNone) {
  SymmetricMatrix c(13);
  c.row(12)[5] = 3.0;
  PackedPanel panel;
  panel.reset(0, 13);
  add_outer_products(panel, 0, 1.0, c);
  EXPECT_EQ(c(12, 5), 3.0);
}

TEST(AddFewOuterProducts, IsTheSumOnBothSides) {
  for (const Index size : kSizes) {
    for (const std::size_t count : {1U, 2U, 3U, 4U, 5U, 8U}) {
      Random random(static_cast<std::uint64_t>(size), count);
      const auto a = random_entries(random, count, static_cast<std::size_t>(size));
      SymmetricMatrix c(size);
      c.resize(size + 1, 0);  // rows further apart than they need to be
      c.resize(size, 0);
      const auto width = static_cast<std::size_t>(c.padded_size());
      std::vector<double> values(count * width, 0.0);
      std::vector<double> signs;
      for (std::size_t k = 0; k < count; ++k) {
        std::ranges::copy(a[k], values.begin() + static_cast<std::ptrdiff_t>(k * width));
        signs.push_back(k % 2 == 0 ? 1.0 : -1.0);
      }
      for (Index i = 0; i < size; ++i) std::fill_n(c.row(i), size, 0.25);
      add_few_outer_products(values, signs, c);
      for (Index i = 0; i < size; ++i) {
        for (Index j = 0; j < size; ++j) {
          double expected = 0.25;
          for (std::size_t k = 0; k < count; ++k)
            expected += signs[k] * a[k][static_cast<std::size_t>(i)] * a[k][static_cast<std::size_t>(j)];
          EXPECT_NEAR(c(i, j), expected, 1e-13);
          EXPECT_EQ(c(i, j), c(j, i));
        }
      }
    }
  }
}

}  // namespace
}  // namespace hsvm
