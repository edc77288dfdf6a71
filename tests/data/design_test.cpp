// One battery of checks over every kind of design, against sums written out in long double.
#include "hsvm/data/design.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/random.hpp"
#include "tests/data/design_kinds.hpp"

namespace hsvm {
namespace {

using test::Expected;
using test::random_matrix;
using test::Shape;
using test::some_columns;

std::vector<double> vector_of(Index size, std::uint64_t seed) {
  return test::random_vector(seed, static_cast<std::size_t>(size));
}

// Tile edges (8192 rows), groups of columns (12 and 4), chunks of columns (64), blocks of X'r, blocks of rows of long and of short sparse
// columns (32768), and thin shapes.
const std::vector<Shape> kShapes = {
    {1, 1},         {1, 2},       {1, 37},          {2, 1},           {3, 5},           {4, 12},
    {5, 11},        {7, 13},      {64, 4},          {65, 3},          {63, 5},          {66, 16},
    {67, 23},       {128, 24},    {131, 25},        {8191, 1},        {8192, 13},       {8193, 3},
    {8195, 17},     {16385, 2},   {3, 1500},        {1, 2000},        {20, 130},        {200, 129},
    {17, 0},        {9, 63, 0.3}, {10, 64},         {300, 40, 0.05},  {8193, 12, 0.02}, {2, 1100, 0.5},
    {40, 700, 0.2}, {5, 4, 0.0},  {65539, 3, 0.05}, {65539, 2, 0.005}};

class DesignKind : public testing::TestWithParam<test::KindOfDesign> {};

INSTANTIATE_TEST_SUITE_P(EveryKind, DesignKind, testing::ValuesIn(test::kAllKinds), test::name_of_kind);

std::string name(const DenseMatrix<double>& x) {
  return std::to_string(x.rows()) + " x " + std::to_string(x.cols());
}

// out = X_C w
Expected multiply(const DenseMatrix<double>& x, const std::vector<Index>& columns,
                  const std::vector<double>& w) {
  Expected result;
  for (Index i = 0; i < x.rows(); ++i) {
    result.push(static_cast<double>(columns.size()), [&](const auto& add) {
      for (std::size_t c = 0; c < columns.size(); ++c) add(x(i, columns[c]), w[c]);
    });
  }
  return result;
}
Expected multiply_transposed(const DenseMatrix<double>& x, const std::vector<Index>& columns,
                             const std::vector<double>& r) {
  Expected result;
  for (const Index j : columns) {
    result.push(x.rows(), [&](const auto& add) {
      for (Index i = 0; i < x.rows(); ++i) add(x(i, j), r[static_cast<std::size_t>(i)]);
    });
  }
  return result;
}

void expect_near(const test::HeldDesign& holder, const std::vector<double>& actual, const Expected& expected,
                 const std::string& what) {
  ASSERT_EQ(actual.size(), expected.value.size()) << what;
  for (std::size_t k = 0; k < actual.size(); ++k) {
    ASSERT_NEAR(actual[k], expected.value[k], expected.allowed(k, holder.largest_shift))
        << what << ", entry " << k;
  }
}

// What the products write over: nothing of it may be left.
std::vector<double> dirty(std::size_t size) {
  return std::vector<double>(size, 1e30);
}

std::vector<double> product(const Design& x, const std::vector<double>& w) {
  std::vector<double> out = dirty(static_cast<std::size_t>(x.rows()));
  x.multiply(w, out);
  return out;
}
std::vector<double> product_transposed(const Design& x, const std::vector<double>& r) {
  std::vector<double> out = dirty(static_cast<std::size_t>(x.cols()));
  x.multiply_transposed(r, out);
  return out;
}
std::vector<double> product(const Design& x, const std::vector<Index>& columns, const std::vector<double>& w) {
  std::vector<double> out = dirty(static_cast<std::size_t>(x.rows()));
  x.multiply(columns, w, out);
  return out;
}
std::vector<double> product_transposed(const Design& x, const std::vector<Index>& columns,
                                       const std::vector<double>& r) {
  std::vector<double> out = dirty(columns.size());
  x.multiply_transposed(columns, r, out);
  return out;
}

TEST_P(DesignKind, HasTheShape) {
  for (const Shape& shape : kShapes) {
    const test::HeldDesign holder = GetParam().make(random_matrix(shape));
    EXPECT_EQ(holder.design.rows(), shape.rows);
    EXPECT_EQ(holder.design.cols(), shape.cols);
  }
}

TEST_P(DesignKind, MultipliesAsWrittenOut) {
  for (const Shape& shape : kShapes) {
    const DenseMatrix<double> x = random_matrix(shape);
    const test::HeldDesign holder = GetParam().make(x);
    const std::vector<double> w = vector_of(shape.cols, 1);
    expect_near(holder, product(holder.design, w), multiply(x, all_indices(shape.cols), w), name(x));
    const std::vector<Index> columns = some_columns(shape.cols);
    const std::vector<double> some = vector_of(static_cast<Index>(columns.size()), 2);
    expect_near(holder, product(holder.design, columns, some), multiply(x, columns, some),
                name(x) + " of some columns");
  }
}

TEST_P(DesignKind, MultipliesTransposedAsWrittenOut) {
  for (const Shape& shape : kShapes) {
    const DenseMatrix<double> x = random_matrix(shape);
    const test::HeldDesign holder = GetParam().make(x);
    const std::vector<double> r = vector_of(shape.rows, 3);
    expect_near(holder, product_transposed(holder.design, r),
                multiply_transposed(x, all_indices(shape.cols), r), name(x));
    const std::vector<Index> columns = some_columns(shape.cols);
    expect_near(holder, product_transposed(holder.design, columns, r), multiply_transposed(x, columns, r),
                name(x) + " of some columns");
  }
}

TEST_P(DesignKind, SkipsZeroCoefficients) {
  for (const Shape& shape : kShapes) {
    const DenseMatrix<double> x = random_matrix(shape);
    const test::HeldDesign holder = GetParam().make(x);
    std::vector<double> w = vector_of(shape.cols, 4);
    std::vector<Index> columns;
    std::vector<double> values;
    for (std::size_t j = 0; j < w.size(); ++j) {
      if (j % 3 == 1) {
        columns.push_back(static_cast<Index>(j));
        values.push_back(w[j]);
      } else {
        w[j] = j % 3 == 0 ? 0.0 : -0.0;
      }
    }
    EXPECT_EQ(product(holder.design, w), product(holder.design, columns, values)) << name(x);
    EXPECT_EQ(product(holder.design, std::vector<double>(w.size(), 0.0)),
              std::vector<double>(static_cast<std::size_t>(shape.rows), 0.0));
  }
}

TEST_P(DesignKind, TakesAnEmptyListOfColumns) {
  const test::HeldDesign holder = GetParam().make(random_matrix({7, 13}));
  EXPECT_EQ(product(holder.design, std::vector<Index>(), {}), std::vector<double>(7, 0.0));
  EXPECT_TRUE(product_transposed(holder.design, std::vector<Index>(), vector_of(7, 1)).empty());
}

TEST_P(DesignKind, TakesTheSameColumnTwice) {
  const DenseMatrix<double> x = random_matrix({67, 23});
  const test::HeldDesign holder = GetParam().make(x);
  const std::vector<Index> columns = {3, 3, 22, 3};
  const std::vector<double> w = {1.0, -2.0, 0.5, 4.0};
  expect_near(holder, product(holder.design, columns, w), multiply(x, columns, w), "repeated columns");
}

TEST_P(DesignKind, OneColumnDoesNotDependOnItsNeighbours) {
  for (const Shape& shape : kShapes) {
    const test::HeldDesign holder = GetParam().make(random_matrix(shape));
    const std::vector<double> r = vector_of(shape.rows, 5);
    const std::vector<double> full = product_transposed(holder.design, r);
    const std::vector<Index> columns = some_columns(shape.cols);
    const std::vector<double> some = product_transposed(holder.design, columns, r);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      ASSERT_EQ(some[c], full[static_cast<std::size_t>(columns[c])]) << shape.rows << " x " << shape.cols;
    }
    for (Index j = 0; j < std::min(shape.cols, Index{30}); ++j) {
      ASSERT_EQ(product_transposed(holder.design, std::vector<Index>{j}, r).front(),
                full[static_cast<std::size_t>(j)]);
    }
  }
}

TEST_P(DesignKind, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const Shape& shape :
       {Shape{8193, 3}, {131, 25}, {20, 130}, {3, 1500}, {40, 700, 0.2}, {300, 40, 0.05}, {30, 2000}}) {
    const test::HeldDesign holder = GetParam().make(random_matrix(shape));
    const std::vector<double> w = vector_of(shape.cols, 6);
    const std::vector<double> r = vector_of(shape.rows, 7);
    std::vector<double> scores;
    std::vector<double> dots;
    with_threads(1, [&] {
      scores = product(holder.design, w);
      dots = product_transposed(holder.design, r);
    });
    for (const int threads : {2, 4}) {
      with_threads(threads, [&] {
        EXPECT_EQ(product(holder.design, w), scores) << shape.rows << " x " << shape.cols;
        EXPECT_EQ(product_transposed(holder.design, r), dots) << shape.rows << " x " << shape.cols;
      });
    }
  }
}

TEST_P(DesignKind, HandsOutPartsOfAColumn) {
  for (const Shape& shape : kShapes) {
    const test::HeldDesign holder = GetParam().make(random_matrix(shape));
    const Index n = shape.rows;
    ColumnBuffer buffer;
    for (Index j = 0; j < std::min(shape.cols, 3); ++j) {
      std::vector<double> whole(static_cast<std::size_t>(n), 0.0);
      for_each_entry(holder.design.column(j, buffer), [&](std::size_t i, double value) { whole[i] = value; });
      for (const auto& [begin, end] : {std::pair{0, n}, {n / 3, n / 2}, {n / 2, n / 2}, {n - 1, n}}) {
        std::vector<double> part(static_cast<std::size_t>(end - begin), 0.0);
        const ColumnPart entries = holder.design.column_between(j, begin, end, buffer);
        if (!entries.sparse) {
          ASSERT_EQ(entries.size, part.size());
        }
        for (std::size_t e = 0; e < entries.size; ++e)
          part.at(entries.sparse ? static_cast<std::size_t>(entries.rows[e] - begin) : e) = entries[e];
        EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + begin)) << name(random_matrix(shape));
      }
    }
  }
}

TEST_P(DesignKind, SumsWeightedSquaresOfAColumn) {
  for (const Shape& shape : {Shape{1, 1}, {7, 13}, {300, 40, 0.05}, {8193, 3}}) {
    const DenseMatrix<double> x = random_matrix(shape);
    const test::HeldDesign holder = GetParam().make(x);
    std::vector<double> s = vector_of(shape.rows, 8);
    for (double& weight : s) weight = std::max(0.0, weight);
    std::vector<double> squares(static_cast<std::size_t>(shape.cols));
    holder.design.column_squared_norms(all_indices(shape.cols), s, squares);
    for (Index j = 0; j < shape.cols; ++j) {
      long double expected = 0.0;
      for (Index i = 0; i < shape.rows; ++i) {
        expected += static_cast<long double>(s[static_cast<std::size_t>(i)]) * x(i, j) * x(i, j);
      }
      EXPECT_NEAR(squares[static_cast<std::size_t>(j)], static_cast<double>(expected),
                  1e-13 * static_cast<double>(expected));
    }
    std::vector<double> by_ones(squares.size());
    holder.design.column_squared_norms(all_indices(shape.cols), std::vector<double>(s.size(), 1.0), by_ones);
    holder.design.column_squared_norms(all_indices(shape.cols), {}, squares);
    EXPECT_EQ(squares, by_ones);
  }
}

class ColumnDesignKind : public testing::TestWithParam<test::KindOfDesign> {};

INSTANTIATE_TEST_SUITE_P(EveryKind, ColumnDesignKind, testing::ValuesIn(test::kColumnKinds),
                         test::name_of_kind);

// Around the lanes and the unrolled loops of the kernels, and sparse ones.
const std::vector<Shape> kColumnShapes = {{1, 1},  {3, 4},  {4, 2},  {7, 13},  {8, 3},          {15, 2},
                                          {16, 3}, {17, 5}, {33, 4}, {131, 6}, {300, 40, 0.05}, {5, 4, 0.0}};

TEST_P(ColumnDesignKind, DotsAColumnAsWrittenOut) {
  for (const Shape& shape : kColumnShapes) {
    const DenseMatrix<double> x = random_matrix(shape);
    const test::HeldDesign holder = GetParam().make(x);
    const std::vector<double> r = vector_of(shape.rows, 11);
    std::vector<double> dots;
    for (Index j = 0; j < shape.cols; ++j) dots.push_back(holder.design.column_dot(j, r));
    expect_near(holder, dots, multiply_transposed(x, all_indices(shape.cols), r), name(x));
  }
}

TEST_P(ColumnDesignKind, AddsAColumnToWhatIsThere) {
  for (const Shape& shape : kColumnShapes) {
    const DenseMatrix<double> x = random_matrix(shape);
    const test::HeldDesign holder = GetParam().make(x);
    const std::vector<double> s = vector_of(shape.rows, 12);
    const std::vector<double> before = vector_of(shape.rows, 13);
    for (const double factor : {-1.75, 0.0}) {
      for (Index j = 0; j < shape.cols; ++j) {
        std::vector<double> out = before;
        holder.design.add_column(j, factor, s, out);
        for (Index i = 0; i < shape.rows; ++i) {
          const auto row = static_cast<std::size_t>(i);
          const double size = 1.0 + std::abs(before[row]) + 8.0 * std::abs(s[row]);
          ASSERT_NEAR(out[row], before[row] + factor * s[row] * x(i, j), 1e-15 * size) << name(x);
        }
      }
    }
  }
}

TEST(DesignPrecision, FloatTracksDouble) {
  DenseMatrix<double> x(50, 30);
  Random random(9);
  for (Index j = 0; j < 30; ++j) {
    for (Index i = 0; i < 50; ++i) x(i, j) = random.normal();
  }
  const std::vector<double> w = vector_of(30, 10);
  const std::vector<double> exact = product(x, w);
  const std::vector<double> dense = product(test::to_dense<float>(x), w);
  const std::vector<double> sparse = product(test::to_csc<float>(x), w);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_NEAR(dense[i], exact[i], 1e-5);
    EXPECT_NEAR(sparse[i], dense[i], 1e-13);  // sums are double in both
  }
  EXPECT_NE(dense, exact);
}

TEST(Nonzeros, AreThoseThatAreNotZero) {
  const SparseCoefficients result = nonzeros(std::vector<double>{0.0, 1.5, -0.0, 1e-320, -2.0});
  EXPECT_EQ(result.columns, (std::vector<Index>{1, 3, 4}));
  EXPECT_EQ(result.values, (std::vector<double>{1.5, 1e-320, -2.0}));
}

}  // namespace
}  // namespace hsvm
