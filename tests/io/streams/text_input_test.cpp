#include "hsvm/io/streams/text_input.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "hsvm/core/parallel.hpp"
#include "tests/io/io_support.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

using testing::HasSubstr;

std::vector<std::string> blocks_of(const std::string& path, std::size_t block_bytes,
                                   LineBreaks breaks = LineBreaks::end_lines) {
  InputFile file(path);
  TextInput input(file, block_bytes, breaks);
  std::vector<std::string> blocks;
  for (TextBlock block = input.next(); !block.text.empty(); block = input.next())
    blocks.emplace_back(block.text);
  EXPECT_TRUE(input.next().text.empty());
  return blocks;
}

std::string joined(const std::vector<std::string>& blocks) {
  std::string text;
  for (const std::string& block : blocks) text += block;
  return text;
}

TEST(TextInput, CutsAtLineEnds) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 100; ++i) text += std::string(static_cast<std::size_t>(i * 7 % 31), 'a') + "\n";
  const std::string plain = folder.write("plain", text);
  const std::string packed = folder.write("packed", compress(text, Compression::gzip));
  for (const std::size_t block_bytes : {1, 8, 16, 33, 100, 1000000}) {
    for (const std::string& path : {plain, packed}) {
      const std::vector<std::string> blocks = blocks_of(path, block_bytes);
      EXPECT_EQ(joined(blocks), text);
      for (const std::string& block : blocks) EXPECT_EQ(block.back(), '\n');
      EXPECT_GT(blocks.size(), block_bytes < 100 ? 10U : 0U);
    }
  }
}

TEST(TextInput, DoesNotCutWithinQuotes) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 60; ++i) text += i % 4 == 0 ? "\"two\nlines, or\n\"\"three\"\"\",1\n" : "one,2\n";
  const std::string plain = folder.write("plain", text);
  const std::string packed = folder.write("packed", compress(text, Compression::gzip));
  for (const std::size_t block_bytes : {1, 8, 16, 33, 100, 1000000}) {
    for (const std::string& path : {plain, packed}) {
      const std::vector<std::string> blocks = blocks_of(path, block_bytes, LineBreaks::may_be_quoted);
      EXPECT_EQ(joined(blocks), text);
      for (const std::string& block : blocks) {
        EXPECT_EQ(block.back(), '\n');
        EXPECT_EQ(std::count(block.begin(), block.end(), '"') % 2, 0) << block;
      }
      EXPECT_GT(blocks.size(), block_bytes < 100 ? 5U : 0U);
    }
  }
}

// A mark of inches is never closed: blocks stay bounded all the same.
TEST(TextInput, AStrayQuoteJoinsNotEverything) {
  const TemporaryFolder folder;
  std::string text = "5\" pipe,1\n";
  while (text.size() < 4 * kLongestQuoted) text += "pipes of all kinds and sizes, long and short,12345678\n";
  const std::string plain = folder.write("plain", text);
  const std::string packed = folder.write("packed", compress(text, Compression::zstd));
  for (const std::string& path : {plain, packed}) {
    const std::vector<std::string> blocks = blocks_of(path, 1000, LineBreaks::may_be_quoted);
    EXPECT_EQ(joined(blocks), text);
    for (const std::string& block : blocks) EXPECT_LE(block.size(), 3 * kLongestQuoted);
  }
}

TEST(TextInput, ReadsATextInMemory) {
  TextInput input("NAME", "a\nb\nc", 4, LineBreaks::end_lines);
  EXPECT_EQ(input.name(), "NAME");
  std::string text;
  for (TextBlock block = input.next(); !block.text.empty(); block = input.next()) text += block.text;
  EXPECT_EQ(text, "a\nb\nc\n");
  TextInput again("NAME", "a\nb\n", 100, LineBreaks::end_lines);
  TextBlock block = again.next();
  again.put_back({block.text.substr(2), nullptr});
  again.put_back({block.text.substr(0, 2), nullptr});
  EXPECT_EQ(again.next().text, "a\n");
  EXPECT_EQ(again.next().text, "b\n");
  EXPECT_EQ(again.next().text, "");
}

TEST(TextInput, EndsTheLastLine) {
  const TemporaryFolder folder;
  EXPECT_EQ(joined(blocks_of(folder.write("a", "1\n2"), 100)), "1\n2\n");
  EXPECT_EQ(joined(blocks_of(folder.write("b.gz", compress("1\n2", Compression::gzip)), 4)), "1\n2\n");
  EXPECT_TRUE(blocks_of(folder.write("c", ""), 100).empty());
}

TEST(TextInput, ReadsAFileOfWholePages) {  // the byte after its mapping is no memory
  const TemporaryFolder folder;
  std::string text(16384, 'x');
  for (std::size_t i = 15; i < text.size(); i += 16) text[i] = '\n';
  EXPECT_EQ(joined(blocks_of(folder.write("pages", text), 4096)), text);
  EXPECT_EQ(joined(blocks_of(folder.write("pages", text), 1 << 20)), text);
}

TEST(TextInput, DropsTheByteOrderMark) {
  const TemporaryFolder folder;
  const std::string text = "\xef\xbb\xbf" + std::string(100, 'a') + "\nb\n";
  EXPECT_EQ(joined(blocks_of(folder.write("plain", text), 10)), text.substr(3));
  EXPECT_EQ(joined(blocks_of(folder.write("packed", compress(text, Compression::xz)), 10)), text.substr(3));
}

TEST(TextInput, ReadsPipes) {
  const TemporaryFolder folder;
  for (const bool packed : {false, true}) {
    const std::string pipe = folder.path(packed ? "packed" : "plain");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::string text;
    for (int i = 0; i < 30000; ++i) text += std::to_string(i) + "\n";
    std::thread writer([&] {
      const std::string bytes = packed ? compress(text, Compression::zstd) : text;
      const int descriptor = open(pipe.c_str(), O_WRONLY);
      for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t n = write(descriptor, bytes.data() + at, std::min<std::size_t>(777, bytes.size() - at));
        if (n <= 0) break;
        at += static_cast<std::size_t>(n);
      }
      close(descriptor);
    });
    EXPECT_EQ(joined(blocks_of(pipe, 1000)), text);
    writer.join();
  }
}

TEST(TextInput, ReadsStandardInput) {
  const TemporaryFolder folder;
  const std::string text = "1 1:1\n-1 2:1\n";
  const int saved = dup(STDIN_FILENO);
  for (const std::string& bytes : {text, compress(text, Compression::gzip), std::string()}) {
    const int descriptor = open(folder.write("in", bytes).c_str(), O_RDONLY);
    dup2(descriptor, STDIN_FILENO);
    EXPECT_EQ(joined(blocks_of("-", 8)), bytes.empty() ? "" : text);
    close(descriptor);
  }
  dup2(saved, STDIN_FILENO);
  close(saved);
}

TEST(TextInput, PutsBackWhatIsLeft) {
  const TemporaryFolder folder;
  InputFile file(folder.write("a", "1\n2\n3\n"));
  TextInput input(file, 100);
  TextBlock block = input.next();
  block.text.remove_prefix(2);
  input.put_back(std::move(block));
  EXPECT_EQ(input.next().text, "2\n3\n");
  EXPECT_TRUE(input.next().text.empty());
}

TEST(ParseBlocks, ParsesAllBlocksBeforeTheOneThatStops) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 2000; ++i) text += std::to_string(i) + "\n";
  const std::string path = folder.write("numbers", text);
  for (const int threads : {1, 2, 4}) {
    with_threads(threads, [&] {
      InputFile file(path);
      TextInput input(file, 20);
      std::deque<std::string> parsed;
      std::atomic<int> at_once = 0;
      parse_blocks(input, [&]() -> ParseBlock {
        std::string& result = parsed.emplace_back("not parsed");
        return [&](const TextBlock& block, std::size_t worker) {
          EXPECT_LT(worker, n_parse_workers());
          EXPECT_LE(++at_once, threads);
          result = block.text;
          --at_once;
          return block.text.find("\n1234\n") == block.text.npos;
        };
      });
      std::string before;
      for (const std::string& block : parsed) before += block;
      EXPECT_EQ(before, text.substr(0, before.size()));
      EXPECT_THAT(before, HasSubstr("\n1234\n"));
    });
  }
}

TEST(ReadWholeText, GivesOneBlock) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_whole_text(folder.write("a", "1\n2")).text, "1\n2\n");
  EXPECT_EQ(read_whole_text(folder.write("b.zst", compress("1\n2", Compression::zstd))).text, "1\n2\n");
  EXPECT_EQ(read_whole_text(folder.write("c", "")).text, "");
}

}  // namespace
}  // namespace hsvm::test
