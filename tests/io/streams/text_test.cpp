#include "hsvm/io/streams/text.hpp"

#include <gtest/gtest.h>

#include <filesystem>
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

}  // namespace
}  // namespace hsvm::test
