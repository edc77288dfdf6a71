#include "hsvm/io/streams/zstd_frames.hpp"

#include <gtest/gtest.h>

#include <string>

#include "hsvm/core/error.hpp"
#include "tests/io/io_support.hpp"

namespace hsvm::test {
namespace {

TEST(ZstdFrames, EndIsWholeAfterEachFrameOnly) {
  const std::string frame = compress(sample_text(2000), Compression::zstd);
  const std::string bytes = frame + frame;
  ZstdFrames frames;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    EXPECT_EQ(frames.end_is_whole(), at % frame.size() == 0) << at;
    frames.watch(bytes.substr(at, 1));
  }
  EXPECT_TRUE(frames.end_is_whole());
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

}  // namespace
}  // namespace hsvm::test
