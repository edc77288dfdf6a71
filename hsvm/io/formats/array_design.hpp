// Designs from the arrays of binary files: dense in either order, sparse by rows, columns or coordinates. Numbers that are not
// finite are refused with their place.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/read_options.hpp"

namespace hsvm {

// Entries of a sparse matrix, anywhere and in any order. What stands twice is added up, as SciPy does.
template <class T>
struct SparseEntries {
  Index rows = 0;
  Index cols = 0;
  std::vector<Index> row;  // 0 .. rows - 1
  std::vector<Index> column;
  std::vector<T> value;
};
template <class T>
[[nodiscard]] CscMatrix<T> make_csc(const SparseEntries<T>& entries);

// Where compressed rows or columns begin: starts[0] = 0, rising, the last the number of entries. Throws InputError where they
// do not. Gives the number of the row (or column) of each entry.
[[nodiscard]] std::vector<Index> expand_starts(std::span<const std::int64_t> starts, std::size_t n_entries,
                                               const std::string& where);

// The design in the storage that is asked for, as it is where any will do.
[[nodiscard]] SharedDesign as_storage(SharedDesign design, Storage storage);

// Throws InputError for the first value that is no finite number.
void require_finite(const Design& design, const std::string& where);

// A number from a file as one of rows, columns or entries. Throws InputError where it is negative or too large.
[[nodiscard]] Index checked_index(std::uint64_t number, const char* what, const std::string& where);

// What a format with names of its own can do for ReadOptions: picks the features of a model by name, and checks their number.
// Throws InputError where one that the model uses is not there.
void match_features(const ReadOptions& options, Dataset& dataset);

}  // namespace hsvm
