#include "hsvm/data/missing_entries.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hsvm/data/csc_matrix.hpp"
#include "hsvm/data/dense_matrix.hpp"
#include "tests/io/io_support.hpp"

namespace hsvm::test {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

// Three features of five samples; zeros stand where values are missing.
DenseMatrix<double> measured() {
  DenseMatrix<double> x(5, 3);
  const double values[5][3] = {{1, 10, 0}, {2, 0, 0}, {0, 30, 0}, {6, 0, 7}, {9, 20, 0}};
  for (Index i = 0; i < 5; ++i) {
    for (Index j = 0; j < 3; ++j) x(i, j) = values[i][j];
  }
  return x;
}
const MissingEntries kGaps = {.columns = {{0, {2}}, {1, {1, 3}}}};

TEST(MissingEntries, KnowsWhereTheyAre) {
  EXPECT_EQ(kGaps.size(), 3);
  EXPECT_THAT(kGaps.rows_of(1), ElementsAre(1, 3));
  EXPECT_TRUE(kGaps.rows_of(2).empty());
  EXPECT_THAT(kGaps.complete_rows(5), ElementsAre(1, 0, 0, 0, 1));
  const MissingEntries taken = kGaps.take_rows(std::vector<Index>{3, 4, 0, 3}, 5);
  ASSERT_EQ(taken.columns.size(), 1U);
  EXPECT_EQ(taken.columns[0].feature, 1);
  EXPECT_THAT(taken.columns[0].rows, ElementsAre(0, 3));
}

TEST(LearnFill, IsLearnedFromWhatIsThere) {
  const std::vector<Index> all = {0, 1, 2};
  const std::vector<double> equal(5, 1.0);
  for (const bool sparse : {false, true}) {
    const SharedDesign x = sparse ? SharedDesign(as_sparse(measured())) : SharedDesign(measured());
    EXPECT_THAT(learn_fill(x, kGaps, Fill::mean, all, equal), ElementsAre(4.5, 20.0, DoubleEq(1.4)));
    EXPECT_THAT(learn_fill(x, kGaps, Fill::median, all, equal), ElementsAre(4.0, 20.0, 0.0));
    // The samples that weigh nothing have no part in it; the others have theirs.
    const std::vector<double> some = {1, 0, 5, 3, 0};
    EXPECT_THAT(learn_fill(x, kGaps, Fill::mean, all, some),
                ElementsAre(4.75, DoubleEq(160.0 / 6), DoubleEq(21.0 / 9)));
    EXPECT_THAT(learn_fill(x, kGaps, Fill::median, all, some), ElementsAre(6.0, 30.0, 0.0));
  }
}

TEST(LearnFill, HasAnAnswerForEveryColumn) {
  const MissingEntries nothing_there = {.columns = {{0, {0, 1, 2, 3, 4}}}};
  const std::vector<double> equal(5, 1.0);
  EXPECT_THAT(learn_fill(measured(), nothing_there, Fill::mean, std::vector<Index>{0}, equal),
              ElementsAre(0.0));
  DenseMatrix<double> huge(2, 1);
  huge(0, 0) = huge(1, 0) = 1.5e308;
  EXPECT_THAT(learn_fill(huge, {}, Fill::mean, std::vector<Index>{0}, std::vector<double>{1, 1}),
              ElementsAre(1.5e308));
}

}  // namespace
}  // namespace hsvm::test
