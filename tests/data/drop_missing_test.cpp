#include "hsvm/data/drop_missing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hsvm/core/error.hpp"
#include "tests/io/io_support.hpp"

namespace hsvm::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Features a, c=u, c=v, b; the words of sample 1 and the b of sample 2 are missing.
Dataset with_gaps(bool sparse) {
  DenseMatrix<double> x(4, 4);
  const double values[4][4] = {{1, 1, 0, 5}, {2, 0, 0, 6}, {3, 0, 1, 0}, {4, 0, 1, 8}};
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 4; ++j) x(i, j) = values[i][j];
  }
  Dataset data;
  data.source = "FILE";
  data.design = sparse ? SharedDesign(as_sparse(x)) : SharedDesign(x);
  data.labels = make_labels(std::vector<std::string>{"p", "only", "q", "q"});
  data.feature_names = {"a", "c=u", "c=v", "b"};
  data.sample_names = {"s1", "s2", "s3", "s4"};
  data.table.words = {{.name = "c", .first_feature = 1, .words = {"u", "v"}}};
  data.missing = {.columns = {{1, {1}}, {2, {1}}, {3, {2}}}};
  return data;
}

TEST(DropMissing, Samples) {
  for (const bool sparse : {false, true}) {
    const Dataset data = drop_missing_samples(with_gaps(sparse));
    EXPECT_THAT(entries(data), ElementsAre(1, 1, 0, 5, 4, 0, 1, 8));
    EXPECT_THAT(labels(data), ElementsAre("p", "q"));
    EXPECT_THAT(data.labels->classes.names, ElementsAre("p", "q"));  // nobody has the other any more
    EXPECT_THAT(data.sample_names, ElementsAre("s1", "s4"));
    EXPECT_THAT(data.table.dropped_rows, ElementsAre(1, 2));
    EXPECT_TRUE(data.missing.empty());
    EXPECT_EQ(data.design->is_sparse(), sparse);
  }
}

TEST(DropMissing, Features) {
  for (const bool sparse : {false, true}) {
    Dataset data = with_gaps(sparse);
    EXPECT_THAT(entries(drop_missing_features(data)), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(drop_missing_features(data).table.words, IsEmpty());
    data.missing = {.columns = {{0, {3}}}};
    data = drop_missing_features(data);
    EXPECT_THAT(data.feature_names, ElementsAre("c=u", "c=v", "b"));
    EXPECT_THAT(entries(data), ElementsAre(1, 0, 5, 0, 0, 6, 0, 1, 0, 0, 1, 8));
    ASSERT_EQ(data.table.words.size(), 1U);
    EXPECT_EQ(data.table.words[0].first_feature, 0);
  }
}

TEST(DropMissing, LeavesSomething) {
  Dataset data = with_gaps(false);
  data.missing = {.columns = {{0, {0, 1, 2, 3}}}};
  EXPECT_THROW((void)drop_missing_samples(data), InputError);
  data.missing = {.columns = {{0, {0}}, {1, {0}}, {2, {0}}, {3, {0}}}};
  EXPECT_THROW((void)drop_missing_features(data), InputError);
}

}  // namespace
}  // namespace hsvm::test
