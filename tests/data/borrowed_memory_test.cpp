// Matrices over memory that belongs to somebody else, as the arrays of NumPy, SciPy and R do.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "hsvm/data/csc_matrix.hpp"
#include "hsvm/data/dense_matrix.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

TEST(BorrowedMemory, ADenseArrayIsUsedInPlaceAndKeptAlive) {
  auto array = std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3, 4, 5, 6});
  const std::weak_ptr<std::vector<float>> watch = array;
  const float* const memory = array->data();
  {
    const std::span<const float> values(*array);
    DenseMatrix<float> x(3, 2, values, std::move(array));
    EXPECT_EQ(x.column(1).data(), memory + 3);
    EXPECT_EQ(std::as_const(x)(2, 1), 6.0F);
    const DenseMatrix<float> copy = x;
    EXPECT_EQ(copy.column(0).data(), memory);  // a copy refers to the same memory
    x = DenseMatrix<float>();
    EXPECT_FALSE(watch.expired());
    double product = 0.0;
    copy.multiply_transposed(std::vector<Index>{1}, std::vector<double>{1.0, 1.0, 1.0}, std::span(&product, 1));
    EXPECT_EQ(product, 15.0);
  }
  EXPECT_TRUE(watch.expired());
}

TEST(BorrowedMemory, IsCopiedBeforeAWrite) {
  const std::vector<double> array = {1, 2, 3, 4};
  DenseMatrix<double> x(2, 2, array, nullptr);
  DenseMatrix<double> copy = x;
  EXPECT_EQ(std::as_const(copy).column(0).data(), array.data());
  copy(0, 0) = 7.0;
  EXPECT_EQ(array[0], 1.0);
  EXPECT_EQ(std::as_const(x)(0, 0), 1.0);
  EXPECT_EQ(std::as_const(copy)(0, 0), 7.0);
  EXPECT_EQ(std::as_const(copy)(1, 1), 4.0);
}

TEST(BorrowedMemory, CopiesAreValues) {
  DenseMatrix<double> x = test::matrix({{1, 2}, {3, 4}});
  const DenseMatrix<double> before = x;
  EXPECT_EQ(before.column(0).data(), std::as_const(x).column(0).data());
  x(1, 0) = 9.0;
  EXPECT_EQ(before(1, 0), 3.0);
  EXPECT_EQ(std::as_const(x)(1, 0), 9.0);
}

TEST(BorrowedMemory, RowMajorArraysAreTransposed) {
  for (const auto& [rows, cols] :
       std::vector<std::pair<Index, Index>>{{0, 3}, {3, 0}, {1, 1}, {65, 9}, {200, 131}}) {
    std::vector<double> values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<double>(k);
    const auto x = DenseMatrix<double>::from_row_major(rows, cols, values);
    ASSERT_EQ(x.rows(), rows);
    ASSERT_EQ(x.cols(), cols);
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < cols; ++j) ASSERT_EQ(x(i, j), static_cast<double>(i * cols + j));
    }
  }
}

TEST(BorrowedMemory, SparseArraysHaveColumnStartsOfEitherWidth) {
  // [1 0 2; 0 0 3]
  const std::vector<std::int32_t> narrow = {0, 1, 1, 3};
  const std::vector<Count> wide(narrow.begin(), narrow.end());
  const std::vector<Index> rows = {0, 0, 1};
  const std::vector<double> values = {1, 2, 3};
  const std::span<const std::int32_t> narrow_starts(narrow);
  const std::span<const Count> wide_starts(wide);
  const CscMatrix<double> a(2, narrow_starts, rows, values, nullptr);
  const CscMatrix<double> b(2, wide_starts, rows, values, nullptr);
  for (const CscMatrix<double>* const x : {&a, &b}) {
    EXPECT_EQ(x->cols(), 3);
    EXPECT_EQ(x->stored(), 3);
    EXPECT_EQ(x->column(2).values.data(), values.data() + 1);
    std::vector<double> out(2);
    x->multiply(std::vector<double>{1.0, 10.0, 100.0}, out);
    EXPECT_EQ(out, (std::vector<double>{201.0, 300.0}));
    std::vector<double> products(3);
    x->multiply_transposed(std::vector<double>{1.0, 10.0}, products);
    EXPECT_EQ(products, (std::vector<double>{1.0, 0.0, 32.0}));
  }
}

}  // namespace
}  // namespace hsvm
