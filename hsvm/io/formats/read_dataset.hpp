// A data file of any format that is read: ReadOptions::format, else that of the name.
#pragma once

#include <string>

#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/detect_format.hpp"
#include "hsvm/io/formats/read_options.hpp"

namespace hsvm {

// Throws InputError for whatever is wrong with the file. "-" is standard input.
[[nodiscard]] Dataset read_dataset(const std::string& path, const ReadOptions& options);

}  // namespace hsvm
