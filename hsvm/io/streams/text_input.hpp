// The text of a file (or of standard input, "-") in blocks of whole lines, so that blocks can be parsed side by
// side.
//
// A plain file is mapped into memory and its blocks are parts of the mapping; a pipe is read, and a compressed
// file or pipe (gzip, bzip2, xz, zstd, known by its first bytes) decompressed, into one buffer for each block.
// A byte order mark is dropped. A file that shrinks while it is mapped ends the program, as it does for any
// reader that maps files.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace hsvm {

struct TextBlock {
  // Whole lines, each with its '\n' (added where the last line has none); empty at the end of the text. At
  // least kTextPadding more bytes after it can be read.
  std::string_view text;
  std::unique_ptr<char[]> memory;  // what `text` lies in, unless that is the mapped file
};

class TextInput {
 public:
  // Blocks have about `block_bytes` bytes: fewer at the end, more where a line is longer.
  TextInput(const std::string& path, std::size_t block_bytes);
  ~TextInput();
  TextInput(const TextInput&) = delete;
  TextInput& operator=(const TextInput&) = delete;

  [[nodiscard]] const std::string& name() const;  // for messages
  // The next block. Throws InputError where the file cannot be read or decompressed.
  [[nodiscard]] TextBlock next();
  // Makes next() return `block`, what is left of the last one, before it goes on.
  void put_back(TextBlock block);
  // Goes to the end of a compressed stream, to see that it is whole. A reader that found nonsense in the text
  // does so before it complains: a corrupt stream is the better explanation.
  void check_rest();

 private:
  struct Source;
  struct MappedText;
  struct StreamedText;
  std::unique_ptr<Source> source_;
  TextBlock put_back_;
};

// Parses the blocks of a text, several at a time. `open` is called for one block after the other, in their
// order, and gives the place for its results; `parse` is called on any thread and returns false to stop: no
// later block is opened then, but all earlier ones are still parsed. `worker` < n_parse_workers() is never the
// same in two calls at once. Blocks wait in memory in bounded number only.
void parse_blocks(TextInput& input, const std::function<void*()>& open,
                  const std::function<bool(TextBlock block, void* results, std::size_t worker)>& parse);
[[nodiscard]] std::size_t n_parse_workers();

// The whole text as one block, for small files.
[[nodiscard]] TextBlock read_whole_text(const std::string& path);

}  // namespace hsvm
