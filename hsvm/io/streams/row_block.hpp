// The samples parsed from one block of text, and how blocks become a dataset. Both text formats end here.
//
// A block holds its entries in whichever of two forms takes fewer bytes:
//
//   sparse   columns[k], values[k] of the nonzeros k, row after row; row i has row_end[i-1] .. row_end[i]-1
//   panel    values[i * width + j], all entries of n_rows x width
//
// so that all blocks together never take more than the finished matrix does. They are freed as they are copied
// into it: reading needs about twice the finished matrix at its peak.
#pragma once

#include <deque>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/error.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/read_options.hpp"
#include "hsvm/io/streams/text_input.hpp"

namespace hsvm {

// A place in a block of text, and later in its file; both from 0.
struct TextPlace {
  Count line = 0;
  Count column = 0;

  friend auto operator<=>(const TextPlace&, const TextPlace&) = default;
};

struct TextError {
  TextPlace place;
  std::string message;  // "what; expected what"
};

// Numbers labels in the order in which they are first seen.
class LabelTable {
 public:
  [[nodiscard]] Index number_of(std::string_view label);
  [[nodiscard]] const std::vector<std::string>& distinct() const { return distinct_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::vector<std::string> distinct_;
  std::unordered_map<std::string, Index, Hash, std::equal_to<>> numbers_;
  Index last_ = 0;
};

template <class T>
struct RowBlock {
  Index n_rows = 0;
  Index width = 0;  // the highest column named in the block, plus 1
  Count n_nonzeros = 0;
  bool is_panel = false;
  AlignedBuffer<Index> row_end;  // sparse only
  AlignedBuffer<Index> columns;  // sparse only
  AlignedBuffer<T> values;

  std::vector<std::string> labels;      // distinct ones
  AlignedBuffer<Index> label_of_row;    // into labels; empty in unlabelled rows
  std::optional<TextPlace> labelled;    // the first row with a label
  std::optional<TextPlace> unlabelled;  // the first row without
  Count n_lines = 0;
  std::optional<TextError> error;  // what stopped the parser

  // Takes the entries of n_rows rows in sparse form, or in panel form, and keeps them in the smaller one.
  void take_sparse(const Index* row_ends, const Index* entry_columns, const T* entry_values);
  void take_panel(const T* entries);
};

// Parses a text block by block: parse(text, scratch, block) fills one, with scratch memory that serves call
// after call.
template <class T, class Scratch, class Parse>
[[nodiscard]] std::deque<RowBlock<T>> parse_rows(TextInput& input, const Parse& parse) {
  std::deque<RowBlock<T>> blocks;
  std::vector<Scratch> scratch(n_parse_workers());
  try {
    parse_blocks(
        input, [&]() -> void* { return &blocks.emplace_back(); },
        [&](TextBlock text, void* results, std::size_t worker) {
          RowBlock<T>& block = *static_cast<RowBlock<T>*>(results);
          parse(text.text, scratch[worker], block);
          return !block.error.has_value();
        });
  } catch (const std::bad_alloc&) {
    throw InputError(input.name() + ": not enough memory to read it");
  }
  return blocks;
}

struct DatasetShape {
  std::string source;
  Count first_line = 0;             // of the text in the first block, from 0
  std::optional<Index> n_features;  // absent: as many as the widest block has
  Storage storage = Storage::automatic;
  std::vector<std::string> feature_names;
};

// Makes the dataset of all blocks, in order. Throws InputError for the first error in the text, for a file
// where only some rows have labels, and where there are no rows at all.
template <class T>
[[nodiscard]] Dataset join_blocks(std::deque<RowBlock<T>> blocks, DatasetShape shape);

extern template struct RowBlock<double>;
extern template struct RowBlock<float>;
extern template Dataset join_blocks(std::deque<RowBlock<double>> blocks, DatasetShape shape);
extern template Dataset join_blocks(std::deque<RowBlock<float>> blocks, DatasetShape shape);

// "FILE:LINE:COLUMN: message", the place counted from 0 and printed from 1.
[[nodiscard]] std::string locate(const std::string& file, TextPlace place, const std::string& message);
// A piece of a file as it may stand in a message: on one line, printable, not too long, in quotes.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace hsvm
