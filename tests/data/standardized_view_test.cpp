// The products of a view with all columns kept are tested with those of every other design, in design_test.cpp
// and class_products_test.cpp. Here: columns that are left out, and features of any size.
#include "hsvm/data/standardized_view.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/random.hpp"
#include "tests/data/design_kinds.hpp"

namespace hsvm {
namespace {

template <class X>
class LeftOut : public testing::Test {};
using Matrices = testing::Types<DenseMatrix<double>, DenseMatrix<float>, CscMatrix<double>, CscMatrix<float>>;
TYPED_TEST_SUITE(LeftOut, Matrices);

constexpr Index kRows = 37;
constexpr Index kCols = 11;
constexpr Index kClasses = 3;

enum class Which { none, some, all };

bool left_out(Which which, Index j) {
  return which == Which::all || (which == Which::some && j % 3 != 1);
}

// Numbers, seen through a view of a sparse matrix: most entries are zero as they are stored, few as they are
// seen. The columns that are left out are full of what must not be read.
template <class X>
struct Example {
  explicit Example(Which which) : standardization(choose(which)), stored(store(which)) {}

  static Standardization choose(Which which) {
    Standardization result;
    for (Index j = 0; j < kCols; ++j) {
      result.centers.push_back(0.25 * static_cast<double>(j) - 1.0);
      result.scales.push_back(left_out(which, j) ? 0.0 : 0.5 + 0.125 * static_cast<double>(j));
    }
    return result;
  }
  static DenseMatrix<double> numbers(Which which) {
    DenseMatrix<double> x = test::random_matrix({kRows, kCols, 0.3});
    for (Index j = 0; j < kCols; ++j) {
      if (!left_out(which, j)) continue;
      for (Index i = 0; i < kRows; ++i)
        x(i, j) = i % 2 == 0 ? std::nan("") : std::numeric_limits<double>::infinity();
    }
    return x;
  }
  static X store(Which which) { return test::to_layout<X>(numbers(which)); }

  // The same, written out.
  [[nodiscard]] DenseMatrix<double> seen(Which which) const {
    const DenseMatrix<double> x = numbers(which);
    DenseMatrix<double> z(kRows, kCols);
    for (Index j = 0; j < kCols; ++j) {
      const auto feature = static_cast<std::size_t>(j);
      if (standardization.scales[feature] == 0.0) continue;
      for (Index i = 0; i < kRows; ++i)
        z(i, j) = standardization.scales[feature] * (x(i, j) - standardization.centers[feature]);
    }
    return z;
  }

  Standardization standardization;
  X stored;
  StandardizedView view{stored, standardization};
};

ClassMatrix random_classes(Index rows, std::uint64_t seed) {
  ClassMatrix m(rows, kClasses);
  Random random(seed);
  for (Index i = 0; i < rows; ++i) {
    for (double& value : m.row(i)) value = random.normal();
  }
  return m;
}

// Everything a design can be asked for, one number after the other.
template <class X>
std::vector<double> every_product(const X& x, const std::vector<Index>& columns) {
  const auto m = static_cast<Index>(columns.size());
  const std::vector<double> w = test::random_vector(1, kCols);
  const std::vector<double> some = test::random_vector(2, columns.size());
  const std::vector<double> r = test::random_vector(3, kRows);
  std::vector<double> s = r;
  for (double& weight : s) weight = std::abs(weight);
  std::vector<double> result;
  const auto keep = [&](std::span<const double> values) {
    result.insert(result.end(), values.begin(), values.end());
  };
  const auto run = [&](std::size_t size, const auto& product) {
    std::vector<double> out(size, 1e30);
    product(out);
    keep(out);
  };
  run(kRows, [&](auto& out) { x.multiply(w, out); });
  run(kRows, [&](auto& out) { x.multiply(columns, some, out); });
  run(kCols, [&](auto& out) { x.multiply_transposed(r, out); });
  run(columns.size(), [&](auto& out) { x.multiply_transposed(columns, r, out); });
  run(columns.size(), [&](auto& out) { x.column_squared_norms(columns, s, out); });
  ClassMatrix out;
  x.multiply(columns, random_classes(m, 4), out);
  keep(out.values());
  x.multiply_transposed(random_classes(kRows, 5), out);
  keep(out.values());
  x.multiply_transposed(columns, random_classes(kRows, 6), out);
  keep(out.values());
  for (Index j = 0; j < kCols; ++j) {
    keep(std::vector<double>{x.column_dot(j, r)});
    std::vector<double> sum = r;
    x.add_column(j, 0.75, s, sum);
    keep(sum);
    run(ClassMatrix::kPadding, [&](auto& dots) { x.column_dot(j, random_classes(kRows, 7), dots); });
    ClassMatrix sums = random_classes(kRows, 8);
    x.add_column(j, std::vector<double>{0.5, -1.5, 2.0, 0.0}, random_classes(kRows, 9), sums);
    keep(sums.values());
  }
  return result;
}

TYPED_TEST(LeftOut, EveryProductIsThatOfTheMatrixWrittenOut) {
  for (const Which which : {Which::none, Which::some, Which::all}) {
    const Example<TypeParam> example(which);
    const DenseMatrix<double> z = example.seen(which);
    for (const std::vector<Index>& columns :
         {all_indices(kCols), test::some_columns(kCols), std::vector<Index>{4, 1, 4}, std::vector<Index>{}}) {
      const std::vector<double> expected = every_product(z, columns);
      const std::vector<double> got = every_product(example.view, columns);
      ASSERT_EQ(got.size(), expected.size());
      // float rounds no product, since all entries are floats.
      for (std::size_t k = 0; k < got.size(); ++k) {
        ASSERT_NEAR(got[k], expected[k], 1e-13 * (1.0 + std::abs(expected[k])))
            << "number " << k << " of " << columns.size() << " columns";
      }
    }
  }
}

TYPED_TEST(LeftOut, TheNumberOfThreadsChangesNoBit) {
  const Example<TypeParam> example(Which::some);
  std::vector<double> one;
  with_threads(1, [&] { one = every_product(example.view, test::some_columns(kCols)); });
  for (const int threads : {2, 4})
    with_threads(threads, [&] { EXPECT_EQ(every_product(example.view, test::some_columns(kCols)), one); });
}

TYPED_TEST(LeftOut, AProductWithAColumnDoesNotDependOnThoseLeftOut) {
  const Example<TypeParam> some(Which::some);
  const std::vector<double> r = test::random_vector(3, kRows);
  std::vector<double> all(kCols);
  std::vector<double> one(1);
  some.view.multiply_transposed(r, all);
  for (Index j = 0; j < kCols; ++j) {
    some.view.multiply_transposed(std::vector<Index>{j}, r, one);
    EXPECT_EQ(one[0], all[static_cast<std::size_t>(j)]);
    if (left_out(Which::some, j)) {
      EXPECT_EQ(one[0], 0.0);
    }
  }
}

TYPED_TEST(LeftOut, NothingIsCopied) {
  const Example<TypeParam> example(Which::some);
  EXPECT_EQ(&example.view.source(), &example.stored);
  EXPECT_EQ(&example.stored.source(), &example.stored);
  EXPECT_LE(sizeof(example.view), 5 * sizeof(void*));
  EXPECT_EQ(example.view.affine(4).center, example.standardization.centers[4]);
  EXPECT_EQ(example.view.affine(4).scale, example.standardization.scales[4]);
}

// Squares of the entries as they are stored overflow, or vanish; as they are seen they do not.
TEST(StandardizedView, FeaturesOfAnySizeHaveSquares) {
  const DenseMatrix<double> x = test::matrix({{1e200, 3e-200}, {-1e200, 1e-200}, {0.0, 0.0}});
  const Standardization standardization{{0.0, 1e-200}, {1e-200, 1e200}};
  const std::vector<double> s = {1.0, 2.0, 4.0};
  const auto squares = [&]<class X>(const X& matrix) {
    std::vector<double> out(2);
    StandardizedView(matrix, standardization).column_squared_norms(all_indices(2), s, out);
    return out;
  };
  for (const std::vector<double>& out : {squares(x), squares(test::to_csc<double>(x))}) {
    EXPECT_NEAR(out[0], 3.0, 1e-14);  // z = 1, -1, 0
    EXPECT_NEAR(out[1], 8.0, 1e-14);  // z = 2, 0, -1
  }
}

}  // namespace
}  // namespace hsvm
