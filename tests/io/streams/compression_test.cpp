#include "hsvm/io/streams/compression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "hsvm/core/error.hpp"
#include "hsvm/core/random.hpp"
#include "hsvm/io/streams/text_input.hpp"
#include "tests/io/io_support.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

std::string sample_text(int n_lines) {
  Random random(5);
  std::string text;
  for (int i = 0; i < n_lines; ++i)
    text += std::to_string(random.below(1000)) + ":" + std::to_string(random.uniform()) + "\n";
  return text;
}

// Decompresses bytes handed over a few at a time.
std::string decompress(std::string_view bytes, Compression compression, std::size_t step) {
  Decompressor decompressor(compression, "FILE", [&](char* to, std::size_t size) {
    const std::size_t n = bytes.copy(to, std::min(size, step));
    bytes.remove_prefix(n);
    return n;
  });
  std::string text;
  char buffer[1000];
  for (std::size_t n; (n = decompressor.read(buffer, sizeof(buffer))) > 0;) text.append(buffer, n);
  return text;
}

class EveryCodec : public testing::TestWithParam<Compression> {};
INSTANTIATE_TEST_SUITE_P(Compression, EveryCodec, testing::ValuesIn(kCodecs),
                         [](const auto& codec) { return std::string(compression_word(codec.param)); });

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
      "FILE: truncated or corrupt " + std::string(compression_word(GetParam())) + " stream";
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

TEST(ZstdFrames, ReadsFramesWithAChecksum) {
  // printf 'one\ntwo\n' | zstd, which writes one.
  const std::string bytes(
      "\x28\xb5\x2f\xfd\x04\x58\x41\x00\x00\x6f\x6e\x65\x0a\x74\x77\x6f\x0a\xe6\xa6\x0e\x40", 21);
  EXPECT_EQ(decompress(bytes, Compression::zstd, 1), "one\ntwo\n");
  for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
    EXPECT_THROW((void)decompress(bytes.substr(0, cut), Compression::zstd, 1), InputError) << cut;
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    try {
      EXPECT_EQ(decompress(damaged, Compression::zstd, 1), "one\ntwo\n") << at;  // the size of the window, say
    } catch (const InputError&) {
    }
  }
}

TEST(ZstdFrames, SkipsSkippableFramesAndChecksums) {
  const std::string text = sample_text(50);
  const std::string skippable = std::string("\x53\x2a\x4d\x18", 4) + std::string("\x03\0\0\0", 4) + "abc";
  const std::string bytes = compress(text, Compression::zstd);
  EXPECT_EQ(compression_of_content(skippable + bytes), Compression::zstd);
  EXPECT_EQ(decompress(skippable + bytes + skippable, Compression::zstd, 3), text);
  EXPECT_THROW((void)decompress(bytes + skippable.substr(0, 9), Compression::zstd, 3), InputError);
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
