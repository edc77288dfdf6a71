// One battery of checks over every kind of design, against sums written out in long double.
#include "hsvm/data/design.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/random.hpp"
#include "hsvm/data/column_subset.hpp"
#include "hsvm/data/csc_matrix.hpp"
#include "hsvm/data/dense_matrix.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

struct Shape {
  Index rows, cols;
  double density = 1.0;
};

DenseMatrix<double> random_matrix(const Shape& shape) {
  Random random(static_cast<std::uint64_t>(shape.rows), static_cast<std::uint64_t>(shape.cols));
  DenseMatrix<double> x(shape.rows, shape.cols);
  for (Index j = 0; j < shape.cols; ++j) {
    for (Index i = 0; i < shape.rows; ++i) {
      const double value = random.uniform() - 0.3;
      // Stored as float without loss, so that one reference serves both precisions.
      x(i, j) = random.uniform() < shape.density ? static_cast<double>(static_cast<float>(value)) : 0.0;
    }
  }
  return x;
}

std::vector<double> vector_of(Index size, std::uint64_t seed) {
  return test::random_vector(seed, static_cast<std::size_t>(size));
}

// Tile edges (8192 rows), groups of columns (12 and 4), chunks of columns (64), blocks of X'r, and thin shapes.
const std::vector<Shape> kShapes = {
    {1, 1},           {1, 2},         {1, 37},        {2, 1},     {3, 5},       {4, 12},    {5, 11},
    {7, 13},          {64, 4},        {65, 3},        {63, 5},    {66, 16},     {67, 23},   {128, 24},
    {131, 25},        {8191, 1},      {8192, 13},     {8193, 3},  {8195, 17},   {16385, 2}, {3, 1500},
    {1, 2000},        {20, 130},      {200, 129},     {17, 0},    {9, 63, 0.3}, {10, 64},   {300, 40, 0.05},
    {8193, 12, 0.02}, {2, 1100, 0.5}, {40, 700, 0.2}, {5, 4, 0.0}};

// Makes X of one kind from the numbers of a dense one; Subset sees the columns through a wider design, in
// another order.
template <class X>
struct Plain {
  explicit Plain(const DenseMatrix<double>& x) : design(make(x)) {}
  static X make(const DenseMatrix<double>& x) {
    if constexpr (requires(X d) { d(0, 0); }) {
      return test::to_dense<typename X::Scalar>(x);
    } else {
      return test::to_csc<typename X::Scalar>(x);
    }
  }
  X design;
};

template <class X>
struct Subset {
  explicit Subset(const DenseMatrix<double>& x)
      : wide(Plain<X>::make(widen(x))), design(wide, places(x.cols())) {}
  // Column j of x stands at 2 (cols - 1 - j) + 1, other numbers between.
  static std::vector<Index> places(Index cols) {
    std::vector<Index> result;
    for (Index j = 0; j < cols; ++j) result.push_back(2 * (cols - 1 - j) + 1);
    return result;
  }
  static DenseMatrix<double> widen(const DenseMatrix<double>& x) {
    DenseMatrix<double> result(x.rows(), 2 * x.cols() + 1);
    for (Index j = 0; j < result.cols(); ++j) {
      for (Index i = 0; i < x.rows(); ++i) result(i, j) = 1000.0 + i;
    }
    const std::vector<Index> place = places(x.cols());
    for (Index j = 0; j < x.cols(); ++j) {
      for (Index i = 0; i < x.rows(); ++i) result(i, place[static_cast<std::size_t>(j)]) = x(i, j);
    }
    return result;
  }
  X wide;
  ColumnSubset<X> design;
};

template <class Holder>
class DesignKind : public testing::Test {};

using Kinds = testing::Types<Plain<DenseMatrix<double>>, Plain<DenseMatrix<float>>, Plain<CscMatrix<double>>,
                             Plain<CscMatrix<float>>, Subset<DenseMatrix<double>>, Subset<DenseMatrix<float>>,
                             Subset<CscMatrix<double>>, Subset<CscMatrix<float>>>;
TYPED_TEST_SUITE(DesignKind, Kinds);

std::string name(const DenseMatrix<double>& x) {
  return std::to_string(x.rows()) + " x " + std::to_string(x.cols());
}

// out = X_C w, and what rounding may make of it.
struct Reference {
  std::vector<double> value, error;
};
Reference multiply(const DenseMatrix<double>& x, const std::vector<Index>& columns,
                   const std::vector<double>& w) {
  Reference result;
  for (Index i = 0; i < x.rows(); ++i) {
    long double sum = 0.0;
    long double size = 0.0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const long double term = static_cast<long double>(x(i, columns[c])) * w[c];
      sum += term;
      size += std::abs(term);
    }
    result.value.push_back(static_cast<double>(sum));
    result.error.push_back(1e-15 * static_cast<double>(size) * (4.0 + std::sqrt(columns.size())));
  }
  return result;
}
Reference multiply_transposed(const DenseMatrix<double>& x, const std::vector<Index>& columns,
                              const std::vector<double>& r) {
  Reference result;
  for (const Index j : columns) {
    long double sum = 0.0;
    long double size = 0.0;
    for (Index i = 0; i < x.rows(); ++i) {
      const long double term = static_cast<long double>(x(i, j)) * r[static_cast<std::size_t>(i)];
      sum += term;
      size += std::abs(term);
    }
    result.value.push_back(static_cast<double>(sum));
    result.error.push_back(1e-15 * static_cast<double>(size) * (4.0 + std::sqrt(x.rows())));
  }
  return result;
}

void expect_near(const std::vector<double>& actual, const Reference& expected, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.value.size()) << what;
  for (std::size_t k = 0; k < actual.size(); ++k) {
    ASSERT_NEAR(actual[k], expected.value[k], expected.error[k]) << what << ", entry " << k;
  }
}

std::vector<Index> all_columns(Index cols) {
  std::vector<Index> result(static_cast<std::size_t>(cols));
  std::iota(result.begin(), result.end(), 0);
  return result;
}

// Some columns, neither all nor in order.
std::vector<Index> some_columns(Index cols) {
  std::vector<Index> result;
  for (Index j = cols - 1; j >= 0; j -= 1 + j % 3) result.push_back(j);
  return result;
}

// What the products write over: nothing of it may be left.
std::vector<double> dirty(std::size_t size) {
  return std::vector<double>(size, 1e30);
}

template <class X>
std::vector<double> product(const X& x, const std::vector<double>& w) {
  std::vector<double> out = dirty(static_cast<std::size_t>(x.rows()));
  x.multiply(w, out);
  return out;
}
template <class X>
std::vector<double> product_transposed(const X& x, const std::vector<double>& r) {
  std::vector<double> out = dirty(static_cast<std::size_t>(x.cols()));
  x.multiply_transposed(r, out);
  return out;
}
template <class X>
std::vector<double> product(const X& x, const std::vector<Index>& columns, const std::vector<double>& w) {
  std::vector<double> out = dirty(static_cast<std::size_t>(x.rows()));
  x.multiply(columns, w, out);
  return out;
}
template <class X>
std::vector<double> product_transposed(const X& x, const std::vector<Index>& columns,
                                       const std::vector<double>& r) {
  std::vector<double> out = dirty(columns.size());
  x.multiply_transposed(columns, r, out);
  return out;
}

TYPED_TEST(DesignKind, HasTheShape) {
  for (const Shape& shape : kShapes) {
    const TypeParam holder(random_matrix(shape));
    EXPECT_EQ(holder.design.rows(), shape.rows);
    EXPECT_EQ(holder.design.cols(), shape.cols);
  }
}

TYPED_TEST(DesignKind, MultipliesAsWrittenOut) {
  for (const Shape& shape : kShapes) {
    const DenseMatrix<double> x = random_matrix(shape);
    const TypeParam holder(x);
    const std::vector<double> w = vector_of(shape.cols, 1);
    expect_near(product(holder.design, w), multiply(x, all_columns(shape.cols), w), name(x));
    const std::vector<Index> columns = some_columns(shape.cols);
    const std::vector<double> some = vector_of(static_cast<Index>(columns.size()), 2);
    expect_near(product(holder.design, columns, some), multiply(x, columns, some),
                name(x) + " of some columns");
  }
}

TYPED_TEST(DesignKind, MultipliesTransposedAsWrittenOut) {
  for (const Shape& shape : kShapes) {
    const DenseMatrix<double> x = random_matrix(shape);
    const TypeParam holder(x);
    const std::vector<double> r = vector_of(shape.rows, 3);
    expect_near(product_transposed(holder.design, r), multiply_transposed(x, all_columns(shape.cols), r),
                name(x));
    const std::vector<Index> columns = some_columns(shape.cols);
    expect_near(product_transposed(holder.design, columns, r), multiply_transposed(x, columns, r),
                name(x) + " of some columns");
  }
}

TYPED_TEST(DesignKind, SkipsZeroCoefficients) {
  for (const Shape& shape : kShapes) {
    const DenseMatrix<double> x = random_matrix(shape);
    const TypeParam holder(x);
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

TYPED_TEST(DesignKind, TakesAnEmptyListOfColumns) {
  const TypeParam holder(random_matrix({7, 13}));
  EXPECT_EQ(product(holder.design, std::vector<Index>(), {}), std::vector<double>(7, 0.0));
  EXPECT_TRUE(product_transposed(holder.design, std::vector<Index>(), vector_of(7, 1)).empty());
}

TYPED_TEST(DesignKind, TakesTheSameColumnTwice) {
  const DenseMatrix<double> x = random_matrix({67, 23});
  const TypeParam holder(x);
  const std::vector<Index> columns = {3, 3, 22, 3};
  const std::vector<double> w = {1.0, -2.0, 0.5, 4.0};
  expect_near(product(holder.design, columns, w), multiply(x, columns, w), "repeated columns");
}

TYPED_TEST(DesignKind, OneColumnDoesNotDependOnItsNeighbours) {
  for (const Shape& shape : kShapes) {
    const TypeParam holder(random_matrix(shape));
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

TYPED_TEST(DesignKind, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const Shape& shape :
       {Shape{8193, 3}, {131, 25}, {20, 130}, {3, 1500}, {40, 700, 0.2}, {300, 40, 0.05}, {30, 2000}}) {
    const TypeParam holder(random_matrix(shape));
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

TYPED_TEST(DesignKind, SumsWeightedSquaresOfAColumn) {
  for (const Shape& shape : {Shape{1, 1}, {7, 13}, {300, 40, 0.05}, {8193, 3}}) {
    const DenseMatrix<double> x = random_matrix(shape);
    const TypeParam holder(x);
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
