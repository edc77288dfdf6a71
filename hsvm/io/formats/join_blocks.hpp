// Makes one dataset of the blocks of a file. The blocks are freed as they are copied into the matrix: reading needs
// about twice the finished matrix at its peak.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/read_options.hpp"
#include "hsvm/io/formats/row_block.hpp"

namespace hsvm {

// What the blocks do not know.
struct DatasetShape {
  std::string source;
  Count first_line = 0;             // of the first block, counted from 0
  std::optional<Index> n_features;  // absent: as many as the widest block has
  Storage storage = Storage::automatic;
  std::vector<std::string> feature_names;
};

// Throws InputError for the first error in the text, for a file where only some rows have labels, and where there are
// no rows at all.
template <class T>
[[nodiscard]] Dataset join_blocks(std::deque<RowBlock<T>> blocks, DatasetShape shape);

extern template Dataset join_blocks(std::deque<RowBlock<double>> blocks, DatasetShape shape);
extern template Dataset join_blocks(std::deque<RowBlock<float>> blocks, DatasetShape shape);

}  // namespace hsvm
