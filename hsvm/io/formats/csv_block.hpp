// The rows of a block of a table, parsed as a layout says (csv_layout.hpp). Numbers go to a panel, a column for each slot; words are
// numbered in the order in which they appear. A missing value is NaN there: no other value is.
#pragma once

#include <map>
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
  std::map<std::size_t, std::vector<std::string>> words;  // of each slot of words: the different ones
  // Of the slots that have some: the first that is no number, and of words the first that is one. Few slots do, and there are
  // many blocks.
  std::map<std::size_t, FoundText> first_word;
  std::map<std::size_t, FoundText> first_number;
  std::vector<std::string> sample_names;
  std::vector<std::string> groups;
  // Where the decimal mark is not known yet: numbers that only a comma explains, and the first that either mark does (1,234).
  bool has_decimal_comma = false;
  std::optional<FoundText> unclear_comma;
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
