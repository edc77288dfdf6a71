// MatrixMarket's exchange format (.mtx): a first line that says what follows, comments with %, the size, then entries.
//
//   %%MatrixMarket matrix coordinate real general      ROW COLUMN VALUE on each line, counted from 1; pattern: no value
//   %%MatrixMarket matrix array real general           one value on each line, column after column
//
// Read: real, integer and pattern; general and symmetric (entries of one triangle stand for both). Rows are samples. Entries that
// stand twice are added up. Labels stand beside it.
#pragma once

#include <string_view>

#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/read_options.hpp"
#include "hsvm/io/streams/input_file.hpp"
#include "hsvm/io/streams/output_file.hpp"

namespace hsvm {

[[nodiscard]] bool recognises_matrix_market(std::string_view head);
[[nodiscard]] Dataset read_matrix_market(InputFile& file, const ReadOptions& options);
void write_matrix_market(const Dataset& dataset, OutputFile& file);  // without labels and names

}  // namespace hsvm
