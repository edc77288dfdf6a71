#include "hsvm/io/formats/column_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hsvm/core/error.hpp"

namespace hsvm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const ColumnNames kColumns("FILE", {"a", "gene 1", "gene 2", "x,y", "3", "a-b"});

TEST(ColumnList, TakesNamesNumbersRangesAndPatterns) {
  EXPECT_THAT(kColumns.find_all("a", "drop"), ElementsAre(1, 0, 0, 0, 0, 0));
  EXPECT_THAT(kColumns.find_all("2,-1", "drop"), ElementsAre(0, 1, 0, 0, 0, 1));
  EXPECT_THAT(kColumns.find_all("1-2", "drop"), ElementsAre(1, 1, 0, 0, 0, 0));
  EXPECT_THAT(kColumns.find_all("gene 1:gene 2", "drop"), ElementsAre(0, 1, 1, 0, 0, 0));
  EXPECT_THAT(kColumns.find_all("gene*,a", "drop"), ElementsAre(1, 1, 1, 0, 0, 0));
  EXPECT_THAT(kColumns.find_all("gene ?", "drop"), ElementsAre(0, 1, 1, 0, 0, 0));
  EXPECT_THAT(kColumns.find_all("", "drop"), ElementsAre(0, 0, 0, 0, 0, 0));
}

TEST(ColumnList, ANameComesFirst) {
  EXPECT_THAT(kColumns.find_all("x,y", "drop"), ElementsAre(0, 0, 0, 1, 0, 0));
  EXPECT_THAT(kColumns.find_all("3", "drop"), ElementsAre(0, 0, 0, 0, 1, 0));
  EXPECT_THAT(kColumns.find_all("a-b", "drop"), ElementsAre(0, 0, 0, 0, 0, 1));
  EXPECT_EQ(kColumns.find("3", "the label"), 4);
}

TEST(ColumnList, SaysWhatIsNotThere) {
  EXPECT_THAT([] { (void)kColumns.find_all("a,zz", "drop"); },
              ThrowsMessage<InputError>(HasSubstr("FILE: 'zz' of the option drop")));
  EXPECT_THAT([] { (void)kColumns.find_all("7", "only"); },
              ThrowsMessage<InputError>(HasSubstr("'7' of the option only")));
  EXPECT_THAT([] { (void)kColumns.find_all("q*", "only"); }, ThrowsMessage<InputError>(HasSubstr("'q*'")));
  EXPECT_THAT([] { (void)kColumns.find("0", "the label"); },
              ThrowsMessage<InputError>(HasSubstr("no column 0 for the label; expected 1 to 6")));
  const ColumnNames twice("FILE", {"a", "b", "a", "", ""});
  EXPECT_THAT([&] { (void)twice.named("a"); }, ThrowsMessage<InputError>(HasSubstr("number 1 and number 3")));
  EXPECT_EQ(twice.named("b"), 1);
  EXPECT_EQ(twice.named(""), std::nullopt);
  EXPECT_EQ(twice.describe(3), "column 4");
}

}  // namespace
}  // namespace hsvm
