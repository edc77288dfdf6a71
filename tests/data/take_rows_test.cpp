#include "hsvm/data/take_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <typeinfo>

#include "hsvm/core/error.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

using testing::ElementsAre;

const DenseMatrix<double> kWhole = test::matrix({{1, 0, 2}, {0, 0, 3}, {4, 0, 0}, {0, 5, 6}});

Dataset whole(SharedDesign design) {
  Dataset data;
  data.source = "whole.libsvm";
  data.design = std::move(design);
  data.labels = Labels{{false, {"a", "b", "c"}}, {2, 0, 0, 1}};
  data.feature_names = {"u", "v", "w"};
  return data;
}

double entry(const Design& x, Index i, Index j) {
  ColumnBuffer buffer;
  const ColumnView column = x.column(j, buffer);
  if (!column.sparse) return column.values[static_cast<std::size_t>(i)];
  EXPECT_TRUE(std::is_sorted(column.rows.begin(), column.rows.end()));
  const auto found = std::ranges::find(column.rows, i);
  return found == column.rows.end() ? 0.0
                                    : column.values[static_cast<std::size_t>(found - column.rows.begin())];
}

TEST(TakeRows, OfAnyStorageInAnyOrder) {
  const std::vector<SharedDesign> designs = {test::to_dense<double>(kWhole), test::to_dense<float>(kWhole),
                                             test::to_csc<double>(kWhole), test::to_csc<float>(kWhole)};
  const std::vector<std::vector<Index>> choices = {{0, 1, 2, 3}, {1, 3}, {3, 0}, {2, 2, 0, 2}, {}};
  for (const SharedDesign& design : designs) {
    for (const std::vector<Index>& rows : choices) {
      const Dataset part = take_rows(whole(design), rows);
      EXPECT_EQ(typeid(*part.design), typeid(*design));
      ASSERT_EQ(part.n_samples(), static_cast<Index>(rows.size()));
      ASSERT_EQ(part.n_features(), 3);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        for (Index j = 0; j < 3; ++j)
          EXPECT_EQ(entry(part.design, static_cast<Index>(k), j), kWhole(rows[k], j)) << k << " " << j;
      }
    }
  }
}

TEST(TakeRows, KeepsNamesAndTheClassesOfTheWhole) {
  const Dataset part = take_rows(whole(test::to_csc<double>(kWhole)), std::vector<Index>{1, 2, 0});
  EXPECT_EQ(part.source, "whole.libsvm");
  EXPECT_THAT(part.feature_names, ElementsAre("u", "v", "w"));
  EXPECT_THAT(part.labels->classes.names, ElementsAre("a", "b", "c"));
  EXPECT_THAT(part.labels->of_sample, ElementsAre(0, 0, 2));
  Dataset unlabelled = whole(test::to_csc<double>(kWhole));
  unlabelled.labels.reset();
  EXPECT_FALSE(take_rows(unlabelled, std::vector<Index>{1}).labels.has_value());
}

TEST(TakeRows, RefusesRowsThatAreNotThere) {
  for (const Index row : {-1, 4}) {
    try {
      static_cast<void>(take_rows(whole(kWhole), std::vector<Index>{0, row}));
      FAIL() << "accepted " << row;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), "whole.libsvm: no row " + std::to_string(row) + ": must be one of 0 to 3");
    }
  }
}

}  // namespace
}  // namespace hsvm
