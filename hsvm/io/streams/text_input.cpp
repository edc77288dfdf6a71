#include "hsvm/io/streams/text_input.hpp"

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>

#include "hsvm/core/error.hpp"
#include "hsvm/io/streams/parse_number.hpp"

namespace hsvm {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
// Counts of what is parsed from one block stay far from overflow.
constexpr std::size_t kMaxBlockBytes = std::size_t{64} << 20;

std::unique_ptr<char[]> allocate_text(std::size_t bytes) {
  return std::make_unique_for_overwrite<char[]>(bytes + 1 + kTextPadding);  // one more for a missing newline
}

// Gives text in memory the ending that TextBlock promises.
TextBlock finish_block(std::unique_ptr<char[]> memory, std::size_t size) {
  if (size > 0 && memory[size - 1] != '\n') memory[size++] = '\n';
  std::memset(memory.get() + size, 0, kTextPadding);
  const std::string_view text(memory.get(), size);
  return {text, std::move(memory)};
}

// Removes a byte order mark and returns the new size.
std::size_t drop_mark(char* text, std::size_t size) {
  if (!std::string_view(text, size).starts_with(kByteOrderMark)) return size;
  std::memmove(text, text + kByteOrderMark.size(), size - kByteOrderMark.size());
  return size - kByteOrderMark.size();
}

// By memchr, which most texts without quotes are passed with at the speed of memory.
bool has_open_quotes(std::string_view text) {
  bool is_open = false;
  for (std::size_t at = text.find('"'); at != text.npos; at = text.find('"', at + 1)) is_open = !is_open;
  return is_open;
}

// The size of the whole lines at the beginning of a text, the last line break within quotes not counting; 0 where there is no
// line break that ends a line. Quotes that began long ago are no quotes.
std::size_t size_of_lines(std::string_view text, LineBreaks breaks) {
  const std::size_t last = text.rfind('\n') + 1;
  if (last == 0 || breaks == LineBreaks::end_lines || !has_open_quotes(text.substr(0, last))) return last;
  bool is_open = true;
  for (std::size_t end = last; end > 0 && last - end < kLongestQuoted;) {
    const std::size_t previous = text.rfind('\n', end - 2) + 1;
    if (end < 2 || previous == 0) break;
    if (has_open_quotes(text.substr(previous, end - previous))) is_open = !is_open;
    if (!is_open) return previous;
    end = previous;
  }
  return last > kLongestQuoted ? last : 0;
}

}  // namespace

TextInput::TextInput(InputFile& file, std::size_t block_bytes, LineBreaks breaks)
    : file_(&file),
      name_(file.name()),
      block_bytes_(std::clamp(block_bytes, kByteOrderMark.size() + 1, kMaxBlockBytes)),
      breaks_(breaks),
      mapped_(file.map()) {
  if (mapped_ && mapped_->starts_with(kByteOrderMark)) mapped_->remove_prefix(kByteOrderMark.size());
}

TextInput::TextInput(std::string name, std::string text, std::size_t block_bytes, LineBreaks breaks)
    : name_(std::move(name)),
      text_(std::move(text)),
      block_bytes_(std::clamp(block_bytes, kByteOrderMark.size() + 1, kMaxBlockBytes)),
      breaks_(breaks),
      mapped_(text_) {}

void TextInput::keep_part(Count part, Count n_parts, Count n_skipped) {
  std::string_view text = *mapped_;
  for (Count line = 0; line < n_skipped && !text.empty(); ++line)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  if (text.empty()) {
    mapped_ = text;
    return;
  }
  // A line belongs to the part that its first byte is in.
  const auto begin_of = [&](Count k) {
    const auto cut = static_cast<std::size_t>(static_cast<double>(text.size()) * static_cast<double>(k) /
                                              static_cast<double>(n_parts));
    if (k == 0) return std::size_t{0};
    if (k == n_parts) return text.size();
    return std::min(text.find('\n', cut - std::min<std::size_t>(cut, 1)), text.size() - 1) + 1;
  };
  const std::size_t begin = begin_of(part);
  mapped_ = text.substr(begin, std::max(begin, begin_of(part + 1)) - begin);
}

TextBlock TextInput::next() {
  if (!put_back_.empty()) {
    TextBlock block = std::move(put_back_.back());
    put_back_.pop_back();
    return block;
  }
  return mapped_ ? next_mapped() : next_streamed();
}

// Of the next block of a mapped file: up to the first line break after block_bytes_ that ends a line; the size of the whole rest
// where there is none.
std::size_t TextInput::mapped_block_size() const {
  const std::string_view rest = *mapped_;
  const std::size_t first = rest.find('\n', block_bytes_ - 1);
  if (first == rest.npos) return rest.size();
  if (breaks_ == LineBreaks::end_lines || !has_open_quotes(rest.substr(0, first + 1))) return first + 1;
  for (std::size_t end = first + 1; end < rest.size() && end - first < kLongestQuoted;) {
    const std::size_t next = std::min(rest.find('\n', end), rest.size() - 1) + 1;
    if (has_open_quotes(rest.substr(end, next - end))) return next;  // they are closed by now
    end = next;
  }
  return first + 1;
}

TextBlock TextInput::next_mapped() {
  std::string_view& rest = *mapped_;
  if (rest.size() > block_bytes_) {
    const std::size_t size = mapped_block_size();
    if (rest.size() - size >= kTextPadding) {
      const std::string_view text = rest.substr(0, size);
      rest.remove_prefix(text.size());
      return {text, nullptr};
    }
  }
  // The end of the mapping may be the end of readable memory.
  std::unique_ptr<char[]> copy = allocate_text(rest.size());
  std::copy(rest.begin(), rest.end(), copy.get());
  return finish_block(std::move(copy), std::exchange(rest, {}).size());
}

TextBlock TextInput::next_streamed() {
  std::size_t capacity = std::max(block_bytes_, 2 * carried_.size());
  std::unique_ptr<char[]> memory = allocate_text(capacity);
  std::size_t size = std::exchange(carried_, {}).copy(memory.get(), carried_.npos);
  for (;;) {
    size += read(memory.get() + size, capacity - size);
    if (!std::exchange(has_started_, true)) size = drop_mark(memory.get(), size);
    if (at_end_) return finish_block(std::move(memory), size);
    const std::string_view text(memory.get(), size);
    if (const std::size_t n_whole = size_of_lines(text, breaks_); n_whole > 0) {
      carried_ = text.substr(n_whole);
      return finish_block(std::move(memory), n_whole);
    }
    std::unique_ptr<char[]> larger = allocate_text(2 * capacity);  // a line longer than a block
    std::memcpy(larger.get(), memory.get(), size);
    memory = std::move(larger);
    capacity *= 2;
  }
}

std::size_t TextInput::read(char* to, std::size_t size) {
  const std::size_t n_read = file_->read(to, size);
  at_end_ = n_read < size;
  return n_read;
}

void TextInput::check_rest() {
  if (file_ == nullptr || !file_->is_compressed()) return;
  const std::unique_ptr<char[]> memory = allocate_text(block_bytes_);
  while (!at_end_) read(memory.get(), block_bytes_);
}

void parse_blocks(TextInput& input, const std::function<ParseBlock()>& start_block) {
  struct Task {
    TextBlock block;
    ParseBlock parse;
  };
  using SharedTask = std::shared_ptr<Task>;
  std::atomic<bool> stopped = false;
  // Thrown once earlier blocks are done: what is reported must not depend on timing.
  std::exception_ptr input_failure;

  const auto read_block = [&](tbb::flow_control& control) -> SharedTask {
    try {
      TextBlock block = stopped ? TextBlock{} : input.next();
      if (!block.text.empty()) return std::make_shared<Task>(Task{std::move(block), start_block()});
    } catch (const InputError&) {
      input_failure = std::current_exception();
    }
    control.stop();
    return nullptr;
  };
  const auto parse_block = [&](const SharedTask& task) {
    const auto worker = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
    if (!task->parse(std::move(task->block), worker)) stopped = true;
  };
  const std::size_t n_waiting = 2 * n_parse_workers();
  tbb::parallel_pipeline(n_waiting,
                         tbb::make_filter<void, SharedTask>(tbb::filter_mode::serial_in_order, read_block) &
                             tbb::make_filter<SharedTask, void>(tbb::filter_mode::parallel, parse_block));
  if (input_failure) std::rethrow_exception(input_failure);
  if (stopped) input.check_rest();
}

std::size_t n_parse_workers() {
  return static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
}

TextBlock read_whole_text(const std::string& path) {
  InputFile file(path);
  TextInput input(file, std::size_t{1} << 20);
  std::string text;
  for (TextBlock block = input.next(); !block.text.empty(); block = input.next()) text += block.text;
  std::unique_ptr<char[]> memory = allocate_text(text.size());
  std::copy(text.begin(), text.end(), memory.get());
  return finish_block(std::move(memory), text.size());
}

}  // namespace hsvm
