// X W and X' R for all classes at once, for every kind of design, against sums written out in long double.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/core/random.hpp"
#include "tests/data/design_kinds.hpp"

namespace hsvm {
namespace {

using test::Expected;
using test::random_matrix;
using test::Shape;
using test::some_columns;

ClassMatrix random_classes(Index rows, Index n_classes, std::uint64_t seed) {
  ClassMatrix m(rows, n_classes);
  Random random(seed, static_cast<std::uint64_t>(rows));
  for (Index i = 0; i < rows; ++i) {
    for (double& value : m.row(i)) value = random.normal();
  }
  return m;
}

// J single products for each row.
void expect_near(const test::HeldDesign& holder, const ClassMatrix& actual, const Expected& expected,
                 Index rows, const std::string& what) {
  ASSERT_EQ(actual.rows(), rows) << what;
  ASSERT_EQ(static_cast<std::size_t>(actual.rows()) * static_cast<std::size_t>(actual.n_classes()),
            expected.value.size())
      << what;
  std::size_t entry = 0;
  for (Index i = 0; i < rows; ++i) {
    for (const double got : actual.row(i)) {
      ASSERT_NEAR(got, expected.value[entry], expected.allowed(entry, holder.largest_shift))
          << what << ", row " << i;
      ++entry;
    }
    for (Index k = actual.n_classes(); k < actual.stride(); ++k)
      ASSERT_EQ(actual.data(i)[k], 0.0) << what << ", padding";
  }
}

Expected multiply(const DenseMatrix<double>& x, const std::vector<Index>& columns, const ClassMatrix& w) {
  Expected result;
  for (Index i = 0; i < x.rows(); ++i) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(w.n_classes()); ++k) {
      result.push(static_cast<double>(columns.size()), [&](const auto& add) {
        for (std::size_t c = 0; c < columns.size(); ++c) add(x(i, columns[c]), w.row(static_cast<Index>(c))[k]);
      });
    }
  }
  return result;
}
Expected multiply_transposed(const DenseMatrix<double>& x, const std::vector<Index>& columns,
                             const ClassMatrix& r) {
  Expected result;
  for (const Index j : columns) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(r.n_classes()); ++k) {
      result.push(static_cast<double>(x.rows()), [&](const auto& add) {
        for (Index i = 0; i < x.rows(); ++i) add(x(i, j), r.row(i)[k]);
      });
    }
  }
  return result;
}

// One product each way with all columns and with some, and the right answers.
struct Case {
  std::string name;
  DenseMatrix<double> x;
  std::vector<Index> columns;
  ClassMatrix w, some_w, r;
  Expected scores, some_scores, dots, some_dots;
};

Case make_case(const Shape& shape, Index n_classes) {
  Case c;
  c.name = std::to_string(shape.rows) + " x " + std::to_string(shape.cols) + ", " + std::to_string(n_classes) +
           " classes";
  c.x = random_matrix(shape);
  c.columns = some_columns(shape.cols);
  c.w = random_classes(shape.cols, n_classes, 1);
  c.some_w = random_classes(static_cast<Index>(c.columns.size()), n_classes, 2);
  c.r = random_classes(shape.rows, n_classes, 3);
  c.scores = multiply(c.x, all_indices(shape.cols), c.w);
  c.some_scores = multiply(c.x, c.columns, c.some_w);
  c.dots = multiply_transposed(c.x, all_indices(shape.cols), c.r);
  c.some_dots = multiply_transposed(c.x, c.columns, c.r);
  return c;
}

// Tiles of a dense product have 2048/stride rows, at least 16 (512 for up to four classes, 51 for forty);
// columns go in groups of 8 and 4 and blocks of 64 and 128; sparse products are cut from 64 nonzeros a row on.
const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> result;
    for (const Index J : {2, 3, 4, 5, 8, 10, 12, 13, 26, 33, 40}) {
      for (const Shape& shape : {Shape{1, 1}, {1, 9}, {5, 3}, {17, 8}, {3, 129}, {60, 21, 0.1}}) {
        result.push_back(make_case(shape, J));
      }
      const Index tile = std::max(Index{16}, 2048 / ((J + 3) / 4 * 4));
      for (const Index rows : {tile - 1, tile, tile + 1, 2 * tile + 1})
        result.push_back(make_case({rows, 5}, J));
    }
    for (const Shape& shape :
         {Shape{17, 0}, {5, 4, 0.0}, {9, 700}, {2, 64}, {16, 65}, {300, 40, 0.05}, {40, 300, 0.5}}) {
      result.push_back(make_case(shape, 3));
      result.push_back(make_case(shape, 13));
    }
    for (const Index rows : {15, 16, 17, 33})
      result.push_back(make_case({rows, 3}, 131));  // the smallest tiles
    return result;
  }();
  return all;
}

class ClassProducts : public testing::TestWithParam<test::KindOfDesign> {};

INSTANTIATE_TEST_SUITE_P(EveryKind, ClassProducts, testing::ValuesIn(test::kAllKinds), test::name_of_kind);

// What the products write over: nothing of it may be left.
ClassMatrix dirty() {
  ClassMatrix m(7, 9);
  for (double& value : m.values()) value = 1e30;
  return m;
}

ClassMatrix class_product(const Design& x, const std::vector<Index>& columns, const ClassMatrix& w) {
  ClassMatrix out = dirty();
  x.multiply(columns, w, out);
  return out;
}
ClassMatrix product_transposed(const Design& x, const ClassMatrix& r) {
  ClassMatrix out = dirty();
  x.multiply_transposed(r, out);
  return out;
}
ClassMatrix product_transposed(const Design& x, const std::vector<Index>& columns, const ClassMatrix& r) {
  ClassMatrix out = dirty();
  x.multiply_transposed(columns, r, out);
  return out;
}

std::vector<double> numbers(const ClassMatrix& m) {
  return {m.values().begin(), m.values().end()};
}

TEST_P(ClassProducts, AreAsManySingleProducts) {
  for (const Case& c : cases()) {
    const test::HeldDesign holder = GetParam().make(c.x);
    const Index n_some = static_cast<Index>(c.columns.size());
    expect_near(holder, class_product(holder.design, all_indices(c.x.cols()), c.w), c.scores, c.x.rows(),
                c.name);
    expect_near(holder, class_product(holder.design, c.columns, c.some_w), c.some_scores, c.x.rows(),
                c.name + ", some");
    expect_near(holder, product_transposed(holder.design, c.r), c.dots, c.x.cols(), c.name);
    expect_near(holder, product_transposed(holder.design, c.columns, c.r), c.some_dots, n_some,
                c.name + ", some");
  }
}

TEST_P(ClassProducts, AgreeWithTheProductOfOneClass) {
  for (const Shape& shape : {Shape{67, 23}, {40, 90, 0.2}}) {
    const test::HeldDesign holder = GetParam().make(random_matrix(shape));
    const ClassMatrix w = random_classes(shape.cols, 5, 4);
    const ClassMatrix scores = class_product(holder.design, all_indices(shape.cols), w);
    std::vector<double> one(static_cast<std::size_t>(shape.rows));
    for (std::size_t k = 0; k < 5; ++k) {
      std::vector<double> of_class;
      for (Index j = 0; j < shape.cols; ++j) of_class.push_back(w.row(j)[k]);
      holder.design.multiply(of_class, one);
      for (Index i = 0; i < shape.rows; ++i)
        EXPECT_NEAR(scores.row(i)[k], one[static_cast<std::size_t>(i)], 1e-13);
    }
  }
}

TEST_P(ClassProducts, TakeAnEmptyListOfColumns) {
  const test::HeldDesign holder = GetParam().make(random_matrix({7, 13}));
  const ClassMatrix scores = class_product(holder.design, {}, ClassMatrix(0, 5));
  EXPECT_EQ(scores.rows(), 7);
  EXPECT_EQ(scores.n_classes(), 5);
  EXPECT_EQ(numbers(scores), std::vector<double>(7 * 8, 0.0));
  const ClassMatrix dots = product_transposed(holder.design, std::vector<Index>{}, random_classes(7, 5, 1));
  EXPECT_EQ(dots.rows(), 0);
  EXPECT_EQ(dots.n_classes(), 5);
}

TEST_P(ClassProducts, TakeTheSameColumnTwice) {
  const DenseMatrix<double> x = random_matrix({67, 23});
  const test::HeldDesign holder = GetParam().make(x);
  const std::vector<Index> columns = {3, 3, 22, 3};
  const ClassMatrix w = random_classes(4, 6, 5);
  expect_near(holder, class_product(holder.design, columns, w), multiply(x, columns, w), 67,
              "repeated columns");
}

TEST_P(ClassProducts, OfAColumnDoNotDependOnItsNeighbours) {
  for (const Case& c : cases()) {
    if (c.r.n_classes() != 3 && c.r.n_classes() != 40) continue;
    const test::HeldDesign holder = GetParam().make(c.x);
    const ClassMatrix full = product_transposed(holder.design, c.r);
    const ClassMatrix some = product_transposed(holder.design, c.columns, c.r);
    for (std::size_t k = 0; k < c.columns.size(); ++k) {
      ASSERT_TRUE(std::ranges::equal(some.row(static_cast<Index>(k)), full.row(c.columns[k]))) << c.name;
    }
    for (Index j = 0; j < std::min(c.x.cols(), Index{10}); ++j) {
      const ClassMatrix one = product_transposed(holder.design, std::vector<Index>{j}, c.r);
      ASSERT_TRUE(std::ranges::equal(one.row(0), full.row(j))) << c.name;
    }
  }
}

TEST_P(ClassProducts, HaveTheSameBitsForAnyNumberOfThreads) {
  for (const Shape& shape : {Shape{1500, 3}, {131, 25}, {20, 300}, {40, 700, 0.4}, {300, 40, 0.05}}) {
    for (const Index J : {3, 13, 40}) {
      const test::HeldDesign holder = GetParam().make(random_matrix(shape));
      const ClassMatrix w = random_classes(shape.cols, J, 6);
      const ClassMatrix r = random_classes(shape.rows, J, 7);
      const std::vector<Index> columns = all_indices(shape.cols);
      std::vector<double> scores;
      std::vector<double> dots;
      with_threads(1, [&] {
        scores = numbers(class_product(holder.design, columns, w));
        dots = numbers(product_transposed(holder.design, r));
      });
      for (const int threads : {2, 4}) {
        with_threads(threads, [&] {
          EXPECT_EQ(numbers(class_product(holder.design, columns, w)), scores)
              << shape.rows << " x " << shape.cols;
          EXPECT_EQ(numbers(product_transposed(holder.design, r)), dots) << shape.rows << " x " << shape.cols;
        });
      }
    }
  }
}

// The kernels run over the padding, too: numbers left there must not reach a class.
TEST_P(ClassProducts, PaddingStaysOutOfTheClasses) {
  const DenseMatrix<double> x = random_matrix({30, 9});
  const test::HeldDesign holder = GetParam().make(x);
  const ClassMatrix w = random_classes(9, 5, 8);
  ClassMatrix soiled = w;
  for (Index j = 0; j < 9; ++j) soiled.data(j)[6] = 1e30;
  const ClassMatrix clean_scores = class_product(holder.design, all_indices(9), w);
  const ClassMatrix scores = class_product(holder.design, all_indices(9), soiled);
  for (Index i = 0; i < 30; ++i) EXPECT_TRUE(std::ranges::equal(scores.row(i), clean_scores.row(i)));
}

class ClassColumns : public testing::TestWithParam<test::KindOfDesign> {};

INSTANTIATE_TEST_SUITE_P(EveryKind, ClassColumns, testing::ValuesIn(test::kColumnKinds), test::name_of_kind);

const std::vector<Shape> kClassColumnShapes = {{1, 2}, {5, 3}, {8, 2}, {67, 5}, {300, 20, 0.05}, {5, 4, 0.0}};

TEST_P(ClassColumns, DotsAColumnWithAllClassesAsWrittenOut) {
  for (const Shape& shape : kClassColumnShapes) {
    for (const Index J : {2, 3, 4, 5, 13}) {
      const DenseMatrix<double> x = random_matrix(shape);
      const test::HeldDesign holder = GetParam().make(x);
      const ClassMatrix r = random_classes(shape.rows, J, 9);
      ClassMatrix dots(shape.cols, J);
      for (double& value : dots.values()) value = 1e30;  // nothing of it may be left, in the padding either
      for (Index j = 0; j < shape.cols; ++j)
        holder.design.column_dot(j, r, {dots.data(j), static_cast<std::size_t>(dots.stride())});
      expect_near(holder, dots, multiply_transposed(x, all_indices(shape.cols), r), shape.cols, "column_dot");
    }
  }
}

TEST_P(ClassColumns, AddsAColumnToAllClasses) {
  for (const Shape& shape : kClassColumnShapes) {
    for (const Index J : {2, 3, 4, 5, 13}) {
      const DenseMatrix<double> x = random_matrix(shape);
      const test::HeldDesign holder = GetParam().make(x);
      const ClassMatrix s = random_classes(shape.rows, J, 10);
      const ClassMatrix before = random_classes(shape.rows, J, 11);
      const ClassMatrix factors = random_classes(shape.cols, J, 12);
      for (Index j = 0; j < shape.cols; ++j) {
        ClassMatrix out = before;
        holder.design.add_column(j, {factors.data(j), static_cast<std::size_t>(factors.stride())}, s, out);
        for (Index i = 0; i < shape.rows; ++i) {
          for (std::size_t k = 0; k < static_cast<std::size_t>(J); ++k) {
            const double by = factors.row(j)[k] * s.row(i)[k];
            const double size = 1.0 + std::abs(before.row(i)[k]) + 6.0 * std::abs(by);
            ASSERT_NEAR(out.row(i)[k], before.row(i)[k] + by * x(i, j), 1e-15 * size) << i << ", " << k;
          }
          for (Index k = J; k < out.stride(); ++k) ASSERT_EQ(out.data(i)[k], 0.0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace hsvm
