#include "hsvm/io/streams/text.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <string>

#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

TEST(Text, LocatesFromOne) {
  EXPECT_EQ(locate("data.csv", {0, 0}, "what"), "data.csv:1:1: what");
  EXPECT_EQ(locate("data.csv", {41, 6}, "what"), "data.csv:42:7: what");
}

TEST(Text, QuotesOnOnePrintableLine) {
  EXPECT_EQ(in_quotes(""), "''");
  EXPECT_EQ(in_quotes("a b"), "'a b'");
  EXPECT_EQ(in_quotes("a\n\x7f"), "'a\\x0a\\x7f'");
  const std::string letters = "0123456789012345678901234567890123456789";
  EXPECT_EQ(in_quotes(letters), "'0123456789012345678901234567890123456789'");
  EXPECT_EQ(in_quotes(letters + "0"), "'0123456789012345678901234567890123456789...'");
  EXPECT_EQ(in_quotes(letters.substr(1) + "\xc3\xa9"),  // no half letter
            "'123456789012345678901234567890123456789...'");
}

TEST(Text, LowersLettersOnly) {
  EXPECT_EQ(lower_case("Data.CSV\xc3\x89[1]"), "data.csv\xc3\x89[1]");
}

TEST(Streams, KnowNoFormat) {
  for (const auto& entry : std::filesystem::directory_iterator(HSVM_SOURCE_DIR "/hsvm/io/streams")) {
    EXPECT_EQ(read_text(entry.path().string()).find("hsvm/io/formats"), std::string::npos) << entry.path();
  }
}

template <class Number>
std::string text_of(Number number) {
  std::string text = "x";
  append_number(text, number);
  return text;
}

TEST(AppendNumber, WritesTheShortestForm) {
  EXPECT_EQ(text_of(0), "x0");
  EXPECT_EQ(text_of(-12), "x-12");
  EXPECT_EQ(text_of(0.1), "x0.1");
  EXPECT_EQ(text_of(0.1F), "x0.1");
  EXPECT_EQ(text_of(1e300), "x1e+300");
  EXPECT_EQ(text_of(-std::numeric_limits<double>::min()), "x-2.2250738585072014e-308");
}

}  // namespace
}  // namespace hsvm::test
