// Reads a data file of any format in the table (format_table.hpp).
#pragma once

#include <string>

#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/read_options.hpp"

namespace hsvm {

// The format is ReadOptions::format, else what the name says, else what the content says. "-" is standard input.
// Throws InputError for whatever is wrong with the file, OptionError for an option out of its range.
[[nodiscard]] Dataset read_dataset(const std::string& path, const ReadOptions& options);

}  // namespace hsvm
