// Datasets to files, such that reading them gives the same dataset again, bit for bit. Numbers are written in
// the shortest form that reads back exactly; files are compressed by their names' endings and are complete or
// absent (output_file.hpp).
#pragma once

#include <optional>
#include <string>

#include "hsvm/data/dataset.hpp"
#include "hsvm/io/streams/output_file.hpp"
#include "hsvm/io/formats/read_options.hpp"

namespace hsvm {

// LABEL INDEX:VALUE ... on each line. The first line has an explicit zero in the last column where no other
// line has a number there, so that the number of features survives; so has a line that would be empty, in the
// first. Throws InputError for a label that the format cannot hold (with a space, ':' or '#').
void write_libsvm(const Dataset& dataset, const std::string& path);

// A header, the column `label` first where there are labels, then the feature names, x1, x2, ... where there
// are none; then one row for each sample. A table whose features all have numbers for names needs --label to be
// read again: its header looks like a sample.
void write_csv(const Dataset& dataset, const std::string& path, char delimiter = ',');

// In the format given, or that of the name.
void write_dataset(const Dataset& dataset, const std::string& path,
                   std::optional<DataFormat> format = std::nullopt);
// The same into an open file of that name, which is left to be committed.
void write_dataset(const Dataset& dataset, OutputFile& file, const std::string& path,
                   std::optional<DataFormat> format = std::nullopt);

}  // namespace hsvm
