// Plain lists, one item on each line: weights, penalty factors, folds, feature names. Compressed files and "-"
// are read as data files are.
#pragma once

#include <string>
#include <vector>

#include "hsvm/core/types.hpp"

namespace hsvm {

// One number on each line; blank lines and what follows a # are skipped. Throws InputError with the line where
// something is no finite number.
[[nodiscard]] std::vector<double> read_numbers(const std::string& path);

// The same, and inf is one, too: a penalty factor of a feature that is left out.
[[nodiscard]] std::vector<double> read_factors(const std::string& path);

// The same for words, which may be anything: folds, groups, labels.
[[nodiscard]] std::vector<std::string> read_words(const std::string& path);

// One name on each line, as it is but for spaces around it. An empty line is refused unless nothing follows.
[[nodiscard]] std::vector<std::string> read_names(const std::string& path);

}  // namespace hsvm
