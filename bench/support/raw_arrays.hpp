// Numbers as raw little-endian arrays, for rivals in other languages.
#pragma once

#include <filesystem>
#include <fstream>

#include "hsvm/core/error.hpp"
#include "hsvm/data/dataset.hpp"

namespace hsvm::bench {

// Throws InputError where the file cannot be written.
template <class T>
void write_array(const std::filesystem::path& file, const T* values, std::size_t size) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(values), static_cast<std::streamsize>(size * sizeof(T)));
  if (!stream.flush()) throw file_error(file.string(), "cannot write");
}

// X by columns in STEM.f64, a sparse X by compressed columns in STEM_start.i64, STEM_rows.i32 and STEM_values.f64.
void write_design(const std::filesystem::path& stem, const Dataset& data);

}  // namespace hsvm::bench
