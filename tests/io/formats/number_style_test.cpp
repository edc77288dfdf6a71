#include "hsvm/io/formats/number_style.hpp"

#include <gtest/gtest.h>

namespace hsvm {
namespace {

TEST(NumberStyle, ReadsBothMarks) {
  const struct {
    const char* text;
    double point, comma;  // 0: no number under that mark
  } cases[] = {
      {"1.5", 1.5, 0},
      {"1,5", 0, 1.5},
      {"1,234", 1234, 1.234},
      {"1.234", 1.234, 1234},
      {"1,234.5", 1234.5, 0},
      {"1.234,5", 0, 1234.5},
      {"-12,345,678", -12345678, 0},
      {"1'234.5", 1234.5, 0},
      {"1 234,5", 0, 1234.5},
      {"1\xc2\xa0"
       "234",
       1234, 1234},
      {"+7", 7, 7},
      {"1e3", 1000, 1000},
      {"2,5e-1", 0, 0.25},
      {"12,34,567", 0, 0},
      {"1234,567", 0, 1234.567},
      {"1,23", 0, 1.23},
      {",5", 0, 0.5},
      {"1,", 0, 1},
      {"", 0, 0},
      {"abc", 0, 0},
      {"1 2", 0, 0},
      {"1,234x", 0, 0},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(styled_number<double>(c.text, '.').value_or(0.0), c.point) << c.text;
    EXPECT_EQ(styled_number<double>(c.text, ',').value_or(0.0), c.comma) << c.text;
  }
}

TEST(NumberStyle, SaysWhatANumberTells) {
  EXPECT_EQ(decimal_hint("17"), MarkHint::none);
  EXPECT_EQ(decimal_hint("1.5"), MarkHint::point);
  EXPECT_EQ(decimal_hint("0.125"), MarkHint::point);
  EXPECT_EQ(decimal_hint("1.234"), MarkHint::none);
  EXPECT_EQ(decimal_hint("1,5"), MarkHint::comma);
  EXPECT_EQ(decimal_hint("-0,125"), MarkHint::comma);
  EXPECT_EQ(decimal_hint("1,234"), MarkHint::either);
  EXPECT_EQ(decimal_hint("1,234,567"), MarkHint::point);
  EXPECT_EQ(decimal_hint("1.234.567"), MarkHint::comma);
  EXPECT_EQ(decimal_hint("red"), MarkHint::no_number);
}

}  // namespace
}  // namespace hsvm
