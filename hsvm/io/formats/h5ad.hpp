// Single cells as AnnData stores them (.h5ad, HDF5): X, cells by genes, dense or sparse by rows or columns; obs with the cells'
// names and what is known of them, a column of which is the label; var with the genes' names.
//
// Read where HDF5 was there when the library was built; elsewhere every such file is refused with a word on that.
#pragma once

#include <string_view>

#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/read_options.hpp"
#include "hsvm/io/streams/input_file.hpp"

namespace hsvm {

[[nodiscard]] bool recognises_h5ad(std::string_view head);
// ReadOptions::label and ReadOptions::groups name columns of obs. A file, which can be mapped: not a pipe, not compressed.
[[nodiscard]] Dataset read_h5ad(InputFile& file, const ReadOptions& options);

}  // namespace hsvm
