#include "hsvm/io/streams/compression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "hsvm/core/error.hpp"
#include "tests/io/io_support.hpp"

namespace hsvm::test {
namespace {

class EveryCodec : public testing::TestWithParam<Compression> {};
INSTANTIATE_TEST_SUITE_P(Compression, EveryCodec, testing::ValuesIn(kCodecs),
                         [](const auto& codec) { return std::string(compression_name(codec.param)); });

TEST_P(EveryCodec, GivesBackWhatItTook) {
  for (const int n_lines : {0, 1, 10, 20000}) {
    const std::string text = sample_text(n_lines);
    const std::string bytes = compress(text, GetParam());
    EXPECT_EQ(compression_of_content(bytes), GetParam());
    EXPECT_EQ(decompress(bytes, GetParam(), 100000), text);
  }
}

TEST_P(EveryCodec, ReadsAllMembers) {
  const std::string text = sample_text(30);
  const std::string member = compress(text, GetParam());
  const std::string empty = compress("", GetParam());
  std::string bytes;
  std::string expected;
  for (int k = 0; k < 40; ++k) {
    bytes += member;
    expected += text;
    if (k % 7 == 3) bytes += empty;
  }
  for (const std::size_t step : {1, 2, 7, 64, 1000, 1000000})
    EXPECT_EQ(decompress(bytes, GetParam(), step), expected);
}

TEST_P(EveryCodec, RefusesEveryCut) {
  const std::string message =
      "FILE: truncated or corrupt " + std::string(compression_name(GetParam())) + " stream";
  const std::string member = compress(sample_text(12), GetParam());
  const std::string bytes = member + compress("", GetParam()) + member;
  for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
    if (cut == member.size() || cut == bytes.size() - member.size()) continue;  // whole members
    EXPECT_THAT([&] { (void)decompress(bytes.substr(0, cut), GetParam(), 50); },
                testing::ThrowsMessage<InputError>(message))
        << cut;
  }
}

TEST_P(EveryCodec, RefusesCutsOfALongStream) {
  const std::string bytes = compress(sample_text(20000), GetParam());
  for (int k = 1; k < 20; ++k) {
    const std::size_t cut = bytes.size() * static_cast<std::size_t>(k) / 20;
    EXPECT_THROW((void)decompress(bytes.substr(0, cut), GetParam(), 100000), InputError) << cut;
  }
}

TEST_P(EveryCodec, RefusesRubbishAfterTheEnd) {
  const std::string bytes = compress(sample_text(12), GetParam());
  EXPECT_THROW((void)decompress(bytes + "rubbish after the end", GetParam(), 100000), InputError);
}

TEST_P(EveryCodec, NeverTakesDamageForData) {
  const std::string text = sample_text(20);
  const std::string bytes = compress(text, GetParam());
  const bool has_checksum = GetParam() != Compression::zstd;  // frames made by Boost have none
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    try {
      const std::string read = decompress(damaged, GetParam(), 100000);
      EXPECT_TRUE(!has_checksum || read == text) << at;  // a bit that means nothing, such as gzip's time
    } catch (const InputError&) {
    }
  }
}

TEST(Compression, IsKnownByName) {
  EXPECT_EQ(compression_of_name("a.csv.gz"), Compression::gzip);
  EXPECT_EQ(compression_of_name("a.BZ2"), Compression::bzip2);
  EXPECT_EQ(compression_of_name("x/y.xz"), Compression::xz);
  EXPECT_EQ(compression_of_name("a.zst"), Compression::zstd);
  EXPECT_EQ(compression_of_name("a.csv"), Compression::none);
  EXPECT_EQ(compression_of_name(".gz"), Compression::none);
  EXPECT_EQ(compression_of_name("gz"), Compression::none);
  EXPECT_EQ(compression_of_name("-"), Compression::none);
}

TEST(Compression, TextIsNoStream) {
  EXPECT_EQ(compression_of_content("BZh9 1:2\n3"), Compression::none);
  EXPECT_EQ(compression_of_content(""), Compression::none);
  EXPECT_EQ(compression_of_content("1 1:1\n"), Compression::none);
}

}  // namespace
}  // namespace hsvm::test
