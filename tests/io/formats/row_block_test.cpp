#include "hsvm/io/formats/row_block.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hsvm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// 2 x 3, once with two nonzeros and once with five.
constexpr double kFew[] = {0, 7, 0, 8, 0, 0};
constexpr double kMany[] = {1, 2, 3, 0, 5, 6};

RowBlock<double> empty_block() {
  RowBlock<double> block;
  block.n_rows = 2;
  block.width = 3;
  return block;
}

void expect_few(const RowBlock<double>& block) {
  EXPECT_FALSE(block.is_panel);
  EXPECT_EQ(block.n_nonzeros, 2);
  EXPECT_THAT(block.row_end, ElementsAre(1, 2));
  EXPECT_THAT(block.columns, ElementsAre(1, 0));
  EXPECT_THAT(block.values, ElementsAre(7, 8));
}

void expect_many(const RowBlock<double>& block) {
  EXPECT_TRUE(block.is_panel);
  EXPECT_EQ(block.n_nonzeros, 5);
  EXPECT_THAT(block.columns, IsEmpty());
  EXPECT_THAT(block.values, testing::ElementsAreArray(kMany));
}

TEST(RowBlock, StoresTheSmallerForm) {
  RowBlock<double> block = empty_block();
  block.store_panel(kFew);
  expect_few(block);
  block = empty_block();
  block.store_panel(kMany);
  expect_many(block);

  const Index few_ends[] = {1, 2};
  const Index few_columns[] = {1, 0};
  const double few_values[] = {7, 8};
  block = empty_block();
  block.store_sparse(few_ends, few_columns, few_values);
  expect_few(block);
  const Index many_ends[] = {3, 5};
  const Index many_columns[] = {0, 1, 2, 1, 2};
  const double many_values[] = {1, 2, 3, 5, 6};
  block = empty_block();
  block.store_sparse(many_ends, many_columns, many_values);
  expect_many(block);
}

}  // namespace
}  // namespace hsvm
