#include "hsvm/io/formats/csv_fields.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hsvm {
namespace {

using testing::ElementsAre;

TEST(CsvFields, SplitsALine) {
  EXPECT_THAT(split_line("a,b,c\n", ','), ElementsAre("a", "b", "c"));
  EXPECT_THAT(split_line(",\r\n", ','), ElementsAre("", ""));
  EXPECT_THAT(split_line(" a b ;\tc,d\t\n", ';'), ElementsAre("a b", "c,d"));
  EXPECT_THAT(split_line("a\t\tb c \n", '\t'), ElementsAre("a", "", "b c"));
  EXPECT_THAT(split_line("\"a,b\" , \" c \",\"say \"\"x\"\"\"\r\n", ','),
              ElementsAre("a,b", " c ", "say \"x\""));
}

TEST(CsvFields, RefusesBrokenQuotes) {
  EXPECT_THROW((void)split_line("\"a\n", ','), BrokenField);
  EXPECT_THROW((void)split_line("\"a\"b,c\n", ','), BrokenField);
}

TEST(CsvFields, KnowsWhatIsNoNumber) {
  for (const char* field : {"", "NA", "?"}) EXPECT_TRUE(is_missing(field)) << field;
  for (const char* field : {"0", "na", "-"}) EXPECT_FALSE(is_missing(field)) << field;
  for (const char* field : {"nan", "NaN", "-Inf", "+infinity"}) EXPECT_TRUE(is_not_finite(field)) << field;
  for (const char* field : {"", "1", "information", "nano"}) EXPECT_FALSE(is_not_finite(field)) << field;
}

}  // namespace
}  // namespace hsvm
