// The rows of a block of a table, parsed as a layout says (csv_layout.hpp). Numbers go to a panel, a column for each slot; words are
// numbered in the order in which they appear. A missing value is NaN there: no other value is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hsvm/io/formats/csv_layout.hpp"
#include "hsvm/io/formats/label_table.hpp"
#include "hsvm/io/formats/row_block.hpp"

namespace hsvm {

// Where a word was found.
struct FoundText {
  TextPosition position;  // its line counted from the block's first
  std::string text;
};

template <class T>
struct CsvBlock {
  TextBlock text;  // kept until the layout is sure: the block may have to be parsed again
  RowBlock<T> rows;
  Count n_missing = 0;
  std::optional<TextPosition> first_missing;
  std::vector<std::vector<std::string>> words;         // of each slot of words: the different ones
  std::vector<std::optional<FoundText>> first_word;    // of each slot: the first that is no number,
  std::vector<std::optional<FoundText>> first_number;  // and of words the first that is one
  std::vector<std::string> sample_names;
  std::vector<std::string> groups;
  bool has_decimal_comma =
      false;  // numbers that only a decimal comma explains, where the mark is not known yet
  std::optional<FoundText> unclear_comma;  // 1,234, where the mark is not known yet
};

// What the parser of all blocks goes by.
struct CsvRules {
  char delimiter = ',';
  std::optional<char> decimal = {};  // absent: not known yet; a point will do
  const CsvLayout* layout = nullptr;
  const ColumnNames* names = nullptr;
  const ReadOptions* options = nullptr;
};

// Parses block.text. `scratch` is memory to work in, used again for other blocks.
template <class T>
void parse_csv_block(const CsvRules& rules, AlignedBuffer<T>& scratch, CsvBlock<T>& block);
extern template void parse_csv_block(const CsvRules&, AlignedBuffer<double>&, CsvBlock<double>&);
extern template void parse_csv_block(const CsvRules&, AlignedBuffer<float>&, CsvBlock<float>&);

}  // namespace hsvm
