// A table with a feature on each row and a sample in each column, as gene expression comes: turned, so that the other readers need
// not know.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/io/streams/text_input.hpp"

namespace hsvm {

struct TransposedText {
  std::string text;
  char delimiter = ',';
  std::vector<Count> lines;  // of the file: where column k of the text stood
};

// `fixed` is the delimiter where it is known. Throws InputError where rows are not of one length.
[[nodiscard]] TransposedText transpose_table(TextInput& input, std::optional<char> fixed);

}  // namespace hsvm
