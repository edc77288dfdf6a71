#include "hsvm/io/formats/csv_layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// More rules, and what is refused, are tested on whole files: csv_test.cpp, read_dataset_test.cpp.

namespace hsvm {
namespace {

using testing::ElementsAre;

TEST(CsvLayout, SaysWhatEachColumnIs) {
  ReadOptions options;
  CsvLayout layout = find_layout("FILE", {"a", "Class", "b"}, options);
  EXPECT_TRUE(layout.has_header);
  EXPECT_TRUE(layout.has_label);
  EXPECT_THAT(layout.role, ElementsAre(0, kLabelColumn, 1));
  EXPECT_THAT(layout.column_names, ElementsAre("a", "Class", "b"));
  EXPECT_THAT(layout.feature_names, ElementsAre("a", "b"));

  options.feature_names = {"b"};
  layout = find_layout("FILE", {"a", "Class", "b"}, options);
  EXPECT_THAT(layout.role, ElementsAre(kIgnoredColumn, kLabelColumn, 0));
  EXPECT_EQ(layout.n_features, 1);
}

TEST(CsvLayout, CountsTheFeaturesOfATable) {
  ReadOptions options;
  options.labels_required = false;
  options.n_features = 9;  // what a sparse file may have
  options.n_table_features = 3;
  const CsvLayout layout = find_layout("FILE", {"1", "2", "3"}, options);
  EXPECT_FALSE(layout.has_header);
  EXPECT_FALSE(layout.has_label);
  EXPECT_THAT(layout.role, ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace hsvm
