// An array of NumPy's: the bytes of an .npy file, and what they mean.
//
//   "\x93NUMPY" version header, then the values. The header is a Python dictionary: {'descr': '<f8', 'fortran_order': False,
//   'shape': (3, 4), }. Read: numbers of 1 to 8 bytes (floating point of 4 and 8), truth values, and texts of a fixed size.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hsvm/core/mapped_file.hpp"
#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/array_design.hpp"

namespace hsvm {

struct NumpyArray {
  std::string where;  // file and name, for messages
  char kind = 'f';    // f i u b: numbers; S U: texts of bytes, of letters of 4 bytes
  std::size_t item_bytes = 8;
  bool swapped = false;  // the other order of bytes than this machine's
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::string_view data;
  std::shared_ptr<const void> owner;         // of the data, null where the caller is
  std::shared_ptr<const MappedFile> mapped;  // the same, where the data lies in a mapped file

  [[nodiscard]] std::size_t size() const { return data.size() / item_bytes; }
  [[nodiscard]] bool is_number() const { return kind != 'S' && kind != 'U'; }
};

[[nodiscard]] bool is_npy(std::string_view head);
// Throws InputError, naming `where`, for whatever is wrong.
[[nodiscard]] NumpyArray parse_npy(std::string_view bytes, std::shared_ptr<const void> owner,
                                   std::string where);

// A matrix of two dimensions; used in place where order, type and place in memory allow. What is used in a mapped file and is
// large is not searched for numbers that are not finite, which would be a pass more: a fit meets them.
[[nodiscard]] SharedDesign dense_design(const NumpyArray& array, const ReadOptions& options);
// All numbers, in memory's order.
template <class T>
[[nodiscard]] std::vector<T> numbers_in(const NumpyArray& array);
// Of one dimension: texts as they are, numbers in their shortest form.
[[nodiscard]] std::vector<std::string> words_in(const NumpyArray& array);

// The bytes of an .npy file. Matrices are in Fortran's order, so that they are used in place when read again.
[[nodiscard]] std::string npy_header(const std::string& descr, bool fortran_order,
                                     const std::vector<std::size_t>& shape);
// Of double, float, int32 and int64: "<f8" on most machines.
template <class T>
[[nodiscard]] const char* npy_type();
template <class T>
[[nodiscard]] std::string npy_of_numbers(std::span<const T> numbers);
[[nodiscard]] std::string npy_of_words(const std::vector<std::string>& words);
// Calls write(bytes) with the header and then column by column.
void write_npy_matrix(const Design& design, const std::function<void(std::string_view)>& write);

}  // namespace hsvm
