// NumPy's files.
//
//   .npy   a matrix, samples by features. In Fortran's order it is mapped into memory and used in place; in C's order it is
//          transposed once. It has no labels: they stand beside it.
//   .npz   a zip archive of arrays. Dense: X, or the only matrix in it. Sparse, as scipy.sparse.save_npz writes them: format (csr,
//          csc or coo), shape, data, indices and indptr, or row and col. With either: y or labels, and feature_names.
#pragma once

#include <string_view>

#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/read_options.hpp"
#include "hsvm/io/streams/input_file.hpp"
#include "hsvm/io/streams/output_file.hpp"

namespace hsvm {

[[nodiscard]] bool recognises_npy(std::string_view head);
[[nodiscard]] Dataset read_npy(InputFile& file, const ReadOptions& options);
void write_npy(const Dataset& dataset, OutputFile& file);  // without labels and names

[[nodiscard]] bool recognises_npz(std::string_view head);
[[nodiscard]] Dataset read_npz(InputFile& file, const ReadOptions& options);
// A sparse design by columns, as SciPy has it; a dense one as X.
void write_npz(const Dataset& dataset, OutputFile& file);

}  // namespace hsvm
