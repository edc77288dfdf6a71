// A folder of plain arrays, which are mapped and used where they lie: data of any size, and NumPy opens it, too.
//
//   header.json          {"format": "hsvm-data", "version": 1, "storage": "dense" | "csc", "type": "float32" | "float64",
//                         "n_samples": n, "n_features": p, "n_entries": stored numbers, "row_blocks": [0, .., n],
//                         "classes": ["-1", "1"], "numeric_classes": true}            the last two where there are labels
//   X.npy                dense: n x p in Fortran's order, column after column
//   data.npy             csc: n_entries numbers, \ a column after the other, the rows of a column ascending,
//   indices.npy          int32, their rows,      / block of rows after block of rows
//   indptr.npy           int64, p + 1 numbers: column j is data[indptr[j]] .. data[indptr[j + 1] - 1]; with several blocks a matrix,
//                        blocks x (p + 1), in C's order
//   labels.npy           int32, n: the class of each sample, a number into "classes"
//   feature_names.json   a list of p texts, where features have names; likewise sample_names.json and groups.json, of n
//
// Rows can be taken: of a dense array by the part of each column, of csc by blocks of rows. Block b holds samples row_blocks[b] ..
// row_blocks[b + 1] - 1, and its row numbers count from the first of them, so that a block is a csc matrix of its own. There is one
// block unless the writer was asked for more; then indptr is SciPy's: csc_array((data, indices, indptr), shape=(n, p)).
// Numbers are in the machine's order of bytes (little-endian), lengths are those of the header, or the folder is refused before
// any number is read. The header is written last: a folder without it is not complete.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/read_options.hpp"

namespace hsvm {

struct FolderHeader {
  Storage storage = Storage::dense;  // or sparse
  Precision precision = Precision::double_precision;
  Index n_samples = 0;
  Index n_features = 0;
  Count n_entries = 0;
  std::vector<Index> row_blocks;   // the first sample of each, and n_samples
  std::optional<Classes> classes;  // absent: no labels
};

// Whether data under this name is a folder, there or to be written: it is one, or the name ends in / or .hsvm.
[[nodiscard]] bool names_folder(const std::string& path);

// Throws InputError, as all below, for whatever is wrong: what is missing, foreign, cut short, or does not fit the header.
[[nodiscard]] FolderHeader read_folder_header(const std::string& folder);

// ReadOptions::rows takes some of the samples: of a dense array in place, of blocks of rows that are wholly wanted in place, of
// others as a copy. Options that are for text or tables say nothing here.
[[nodiscard]] Dataset read_folder(const std::string& folder, const ReadOptions& options);

// A dataset that is there, in one block of rows. Replaces a folder of this kind, and nothing else.
void write_folder(const Dataset& dataset, const std::string& folder);

}  // namespace hsvm
