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
#include <new>
#include <optional>
#include <string>
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
