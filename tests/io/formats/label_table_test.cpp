#include "hsvm/io/formats/label_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hsvm {
namespace {

TEST(LabelTable, NumbersLabelsAsTheyAppear) {
  LabelTable table;
  EXPECT_TRUE(table.distinct().empty());
  EXPECT_EQ(table.number_of(""), 0);
  EXPECT_EQ(table.number_of("b"), 1);
  EXPECT_EQ(table.number_of("a"), 2);
  EXPECT_EQ(table.number_of("a"), 2);
  EXPECT_EQ(table.number_of("b"), 1);
  EXPECT_EQ(table.number_of(""), 0);
  EXPECT_THAT(table.distinct(), testing::ElementsAre("", "b", "a"));
}

}  // namespace
}  // namespace hsvm
