// Writes a dataset to a file of any format in the table (format_table.hpp), such that reading it gives the same dataset
// again, bit for bit. Numbers are written in the shortest form that reads back exactly. Files are compressed by the
// ending of their name, and are complete or absent (output_file.hpp).
#pragma once

#include <string>

#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/format_table.hpp"
#include "hsvm/io/streams/output_file.hpp"

namespace hsvm {

// In the format given, or that of the name where it is null. Throws InputError where the format cannot hold the
// dataset or the file cannot be written.
void write_dataset(const Dataset& dataset, const std::string& path, const DataFormat* format = nullptr);
// The same into an open file, which is left to be committed.
void write_dataset(const Dataset& dataset, OutputFile& file, const DataFormat& format);

}  // namespace hsvm
