#include "hsvm/io/formats/csv_fields.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hsvm {
namespace {

using testing::ElementsAre;

TEST(CsvFields, SplitsALine) {
  EXPECT_THAT(split_row("a,b,c\n", ','), ElementsAre("a", "b", "c"));
  EXPECT_THAT(split_row(",\r\n", ','), ElementsAre("", ""));
  EXPECT_THAT(split_row(" a b ;\tc,d\t\n", ';'), ElementsAre("a b", "c,d"));
  EXPECT_THAT(split_row("a\t\tb c \n", '\t'), ElementsAre("a", "", "b c"));
  EXPECT_THAT(split_row("\"a,b\" , \" c \",\"say \"\"x\"\"\"\r\n", ','),
              ElementsAre("a,b", " c ", "say \"x\""));
}

TEST(CsvFields, RefusesBrokenQuotes) {
  EXPECT_THROW((void)split_row("\"a\n", ','), BrokenField);
  EXPECT_THROW((void)split_row("\"a\"\"\n", ','), BrokenField);
  EXPECT_THROW((void)split_row("\"a\"b,c\n", ','), BrokenField);
}

TEST(CsvFields, KnowsWhatIsNoNumber) {
  for (const char* field : {"", "NA", "?", ".", "NaN", "nan", "null", "N/A", "#N/A", "<NA>"})
    EXPECT_TRUE(is_missing(field)) << field;
  for (const char* field : {"0", "na", "-"}) EXPECT_FALSE(is_missing(field)) << field;
  for (const char* field : {"nan", "NaN", "-Inf", "+infinity"}) EXPECT_TRUE(is_not_finite(field)) << field;
  for (const char* field : {"", "1", "information", "nano"}) EXPECT_FALSE(is_not_finite(field)) << field;
}

TEST(CsvFields, SpacesAreOneDelimiter) {
  EXPECT_THAT(split_row("  a  b\t c \n", ' '), ElementsAre("a", "b", "c"));
  EXPECT_THAT(split_row("\"a b\" \"c\"  d\r\n", ' '), ElementsAre("a b", "c", "d"));
}

TEST(CsvFields, ARowMayHaveLineBreaks) {
  EXPECT_THAT(split_row("\"a\nb\",c\nd,e\n", ','), ElementsAre("a\nb", "c"));
  EXPECT_EQ(row_size("a,b\nc\n"), 4U);
  EXPECT_EQ(row_size("\"a\nb\",c\nd,e\n"), 8U);
  EXPECT_EQ(row_size("5\" pipe,c\nd,e\n"), 10U);  // no quotes at all
}

TEST(CsvFields, KnowsTruth) {
  for (const char* field : {"TRUE", "true", "True", "yes", "YES"}) EXPECT_EQ(truth_of(field), 1) << field;
  for (const char* field : {"FALSE", "false", "no", "No"}) EXPECT_EQ(truth_of(field), 0) << field;
  for (const char* field : {"", "1", "t", "nope", "falsehood"}) EXPECT_EQ(truth_of(field), -1) << field;
}

}  // namespace
}  // namespace hsvm
