// The samples parsed from one block of text, which all text formats give, and the dataset that is made of them.
//
// A block holds its entries in whichever of two forms takes fewer bytes:
//
//   sparse   columns[k], values[k] of the nonzeros k, row after row; row i has k = row_end[i-1] .. row_end[i]-1
//   panel    values[i * width + j], all entries of n_rows x width
//
// so that all blocks together never take more than the finished matrix does. They are freed as they are copied into
// that: reading needs about twice the finished matrix at its peak.
#pragma once

#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/error.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/read_options.hpp"
#include "hsvm/io/streams/text.hpp"
#include "hsvm/io/streams/text_input.hpp"

namespace hsvm {

template <class T>
struct RowBlock {
  Index n_rows = 0;
  Index width = 0;  // the highest column that is named in the block, plus 1
  Count n_nonzeros = 0;
  bool is_panel = false;
  AlignedBuffer<Index> row_end;  // sparse only
  AlignedBuffer<Index> columns;  // sparse only
  AlignedBuffer<T> values;

  std::vector<std::string> labels;               // the distinct ones
  AlignedBuffer<Index> label_of_row;             // numbers into labels; empty where rows have none
  std::optional<TextPosition> first_labelled;    // the first row with a label
  std::optional<TextPosition> first_unlabelled;  // the first row without
  Count n_lines = 0;
  std::optional<TextError> error;  // what stopped the parser, its line counted from the block's first

  // Copy the entries of n_rows rows, given in sparse form or as a panel, and store them in the smaller form.
  void store_sparse(const Index* row_ends, const Index* entry_columns, const T* entry_values);
  void store_panel(const T* entries);
};

extern template struct RowBlock<double>;
extern template struct RowBlock<float>;

// What one nonzero takes in sparse form.
template <class T>
inline constexpr std::size_t kSparseEntryBytes = sizeof(T) + sizeof(Index);

// Calls visit(columns, values) with the nonzeros of each row, in their order. The spans live until the next call.
template <class T, class Visit>
void for_each_row(const RowBlock<T>& block, const Visit& visit) {
  std::vector<Index> columns;
  std::vector<T> values;
  std::size_t k = 0;
  for (Index i = 0; i < block.n_rows; ++i) {
    if (!block.is_panel) {
      const auto end = static_cast<std::size_t>(block.row_end[static_cast<std::size_t>(i)]);
      visit(std::span<const Index>(block.columns).subspan(k, end - k),
            std::span<const T>(block.values).subspan(k, end - k));
      k = end;
      continue;
    }
    columns.clear();
    values.clear();
    for (Index j = 0; j < block.width; ++j, ++k) {
      if (block.values[k] == T{0}) continue;
      columns.push_back(j);
      values.push_back(block.values[k]);
    }
    visit(std::span<const Index>(columns), std::span<const T>(values));
  }
}

// Finds what is wrong in one block after the other.
template <class T>
class RowErrors {
 public:
  // first_line: of the first block, counted from 0. labels_expected: whether the first row of the text has one, where that is known.
  explicit RowErrors(std::string source, Count first_line = 0, std::optional<bool> labels_expected = {})
      : source_(std::move(source)), first_line_(first_line), labels_expected_(labels_expected) {}

  // Throws InputError for the first error in the block, and where only some rows of all blocks so far have labels.
  void look_at(const RowBlock<T>& block);

 private:
  std::string source_;
  Count first_line_;
  std::optional<bool> labels_expected_;  // whether the first row has one
};

// The number of features: the one that is given, or what the widest row says. Throws InputError where there are no rows, too many,
// no features, or a width that hardly any entries stand behind.
[[nodiscard]] Index checked_width(const std::string& source, Count n_rows, Index width,
                                  std::optional<Index> n_features, Count n_nonzeros);
// The storage that is wanted, or the one that is faster: dense products read entries several times as fast as sparse ones. But no
// more than half as many bytes again are spent on it.
template <class T>
[[nodiscard]] Storage storage_for(Count rows, Index cols, Count n_nonzeros, Storage wanted);

// Parses a text block by block: parse(text, scratch, block) fills one. Each thread has one Scratch, used again for
// every block it parses.
template <class T, class Scratch, class Parse>
[[nodiscard]] std::deque<RowBlock<T>> parse_rows(TextInput& input, const Parse& parse) {
  std::deque<RowBlock<T>> blocks;
  std::vector<Scratch> scratch(n_parse_workers());
  const auto start_block = [&]() -> ParseBlock {
    RowBlock<T>& block = blocks.emplace_back();
    return [&block, &scratch, &parse](const TextBlock& text, std::size_t worker) {
      parse(text.text, scratch[worker], block);
      return !block.error.has_value();
    };
  };
  try {
    parse_blocks(input, start_block);
  } catch (const std::bad_alloc&) {
    throw InputError(input.name() + ": not enough memory to read it");
  }
  return blocks;
}

// The same where rows are not to be held: take(block) is called for one block after the other, in their order. What it throws
// ends the reading and is thrown again.
template <class T, class Scratch, class Parse, class Take>
void stream_rows(TextInput& input, const Parse& parse, const Take& take) {
  struct Waiting {
    RowBlock<T> block = {};
    bool is_parsed = false;
  };
  std::deque<Waiting> blocks;
  std::mutex mutex;
  std::exception_ptr failure;
  std::vector<Scratch> scratch(n_parse_workers());
  const auto start_block = [&]() -> ParseBlock {
    const std::lock_guard start_lock(mutex);
    Waiting& mine = blocks.emplace_back();
    return [&](const TextBlock& text, std::size_t worker) {
      parse(text.text, scratch[worker], mine.block);
      const std::lock_guard lock(mutex);
      mine.is_parsed = true;
      try {
        for (; !failure && !blocks.empty() && blocks.front().is_parsed; blocks.pop_front())
          take(std::as_const(blocks.front().block));
      } catch (...) {
        failure = std::current_exception();
      }
      return !failure;
    };
  };
  parse_blocks(input, start_block);
  if (failure) std::rethrow_exception(failure);
}

// What the blocks do not know.
struct DatasetShape {
  std::string source;
  Count first_line = 0;                  // of the first block, counted from 0
  std::optional<Index> n_features = {};  // absent: as many as the widest block has
  Storage storage = Storage::automatic;
  std::vector<std::string> feature_names = {};
  const Collective* ranks = &single_process();  // the blocks are those of this one
};

// Over ranks the shape, the classes and the storage are those that all samples ask for.
// Throws InputError for the first error in the text, for a file where only some rows have labels, and where there are
// no rows at all.
template <class T>
[[nodiscard]] Dataset join_blocks(std::deque<RowBlock<T>> blocks, DatasetShape shape);

extern template Dataset join_blocks(std::deque<RowBlock<double>> blocks, DatasetShape shape);
extern template Dataset join_blocks(std::deque<RowBlock<float>> blocks, DatasetShape shape);

}  // namespace hsvm
