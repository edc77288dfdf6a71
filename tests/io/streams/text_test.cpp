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

TEST(Text, EscapesControls) {
  EXPECT_EQ(escape_controls("plain \xc3\xa4"), "plain \xc3\xa4");
  EXPECT_EQ(escape_controls("a\x1b[31m\n\x7f"), "a\\x1b[31m\\x0a\\x7f");
  EXPECT_EQ(escape_controls("a\xc2\x9b"
                            "31m"),
            "a\\u009b31m");  // the same in one character
}

TEST(Text, KnowsUtf8) {
  for (const char* good :
       {"", "plain", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
    EXPECT_TRUE(is_utf8(good)) << good;
  for (const char* bad : {"\xe4", "m\xe4nnlich", "\xc3", "\xc0\x80", "\xe0\x9f\xbf", "\xed\xa0\x80",
                          "\xf4\x90\x80\x80", "\xff", "\x80", "\xf0\x8f\x80\x80"})
    EXPECT_FALSE(is_utf8(bad)) << bad;
}

}  // namespace
}  // namespace hsvm::test
