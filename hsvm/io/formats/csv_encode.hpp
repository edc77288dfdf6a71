// From the parsed blocks of a table to a dataset: words become features, missing values are taken out of the matrix and noted.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/csv_block.hpp"

namespace hsvm {

// What the blocks do not know.
struct CsvTable {
  std::string source;
  Count first_line = 0;                      // of the first block, from 0
  std::vector<Count> transposed_lines = {};  // of a table that was turned: the line each of its columns was
  CsvRules rules;
  const Collective* ranks = &single_process();  // the blocks are those of this one
};

// Throws InputError for the first error in the text; for a column with numbers and words, or with too many words; and for
// missing values where they are refused.
template <class T>
[[nodiscard]] Dataset encode_table(std::deque<CsvBlock<T>> blocks, const CsvTable& table);
extern template Dataset encode_table(std::deque<CsvBlock<double>> blocks, const CsvTable& table);
extern template Dataset encode_table(std::deque<CsvBlock<float>> blocks, const CsvTable& table);

// "FILE:LINE:COLUMN: message", of a transposed table with both in the file's order.
[[nodiscard]] std::string locate_in_table(const CsvTable& table, TextPosition position,
                                          const std::string& message);

}  // namespace hsvm
