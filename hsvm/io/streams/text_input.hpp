// The text of a file in blocks of whole lines, so that several blocks can be parsed at the same time.
//
// A plain file is mapped into memory, and its blocks are parts of the mapping. A pipe or a compressed file is read
// into one buffer for each block. A byte order mark is dropped.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/io/streams/input_file.hpp"

namespace hsvm {

struct TextBlock {
  // Whole lines, each with its '\n' (added where the last line has none); empty at the end of the text. At least
  // kTextPadding more bytes can be read after it.
  std::string_view text;
  std::unique_ptr<char[]> memory;  // holds `text`, unless that is part of the mapped file
};

// Whether a line break within quotes ends a line. Where it does not, quotes that are still open after kLongestQuoted bytes are
// taken for marks of their own, as in 5" pipe.
enum class LineBreaks { end_lines, may_be_quoted };
inline constexpr std::size_t kLongestQuoted = std::size_t{1} << 20;

class TextInput {
 public:
  // Blocks have about `block_bytes` bytes: fewer at the end, more where a line is longer. The file must outlive the
  // TextInput and its blocks.
  TextInput(InputFile& file, std::size_t block_bytes, LineBreaks breaks = LineBreaks::end_lines);
  // The same of a text in memory; `name` is for messages.
  TextInput(std::string name, std::string text, std::size_t block_bytes, LineBreaks breaks);
  TextInput(const TextInput&) = delete;
  TextInput& operator=(const TextInput&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }  // for messages
  // Whether only a part of the text can be read: that of a mapped file.
  [[nodiscard]] bool has_parts() const { return mapped_.has_value(); }
  // Leaves the lines alone, after the first n_skipped ones, that begin in part number `part` of n_parts parts with as many bytes each. To be
  // called before next().
  void keep_part(Count part, Count n_parts, Count n_skipped = 0);
  // Whether what is still to be read of a mapped file has quotes in it, and with them perhaps line breaks that end no line.
  [[nodiscard]] bool has_quotes() const { return mapped_->find('"') != mapped_->npos; }
  // The next block. Throws InputError where the file cannot be read or decompressed.
  [[nodiscard]] TextBlock next();
  // Makes next() return `block`, the rest of one it has returned, before it goes on. The last put back comes first.
  void put_back(TextBlock block) { put_back_.push_back(std::move(block)); }
  // Reads a compressed stream to its end, to see that it is whole. A reader that found nonsense in the text does so
  // before it complains: a corrupt stream is the better explanation.
  void check_rest();

 private:
  TextBlock next_mapped();
  TextBlock next_streamed();
  std::size_t read(char* to, std::size_t size);  // sets at_end_

  [[nodiscard]] std::size_t mapped_block_size() const;

  InputFile* file_ = nullptr;  // null: the text is in memory
  std::string name_;
  std::string text_;
  std::size_t block_bytes_;
  LineBreaks breaks_;
  std::vector<TextBlock> put_back_;
  std::optional<std::string_view> mapped_;  // of a mapped file: what is still to be read
  // Of any other file:
  std::string carried_;  // the beginning of the line that the last block ended before
  bool has_started_ = false;
  bool at_end_ = false;
};

// Parses one block; returns false to stop. `worker` < n_parse_workers() is never the same in two calls at once.
using ParseBlock = std::function<bool(TextBlock block, std::size_t worker)>;

// Parses the blocks of a text, several at a time. `start_block` is called for one block after the other, in their
// order; what it returns parses that block, on any thread. After a stop no later block is started, but all
// earlier ones are still parsed. Only a bounded number of blocks waits in memory.
void parse_blocks(TextInput& input, const std::function<ParseBlock()>& start_block);
[[nodiscard]] std::size_t n_parse_workers();

// The whole text as one block, for small files.
[[nodiscard]] TextBlock read_whole_text(const std::string& path);

}  // namespace hsvm
