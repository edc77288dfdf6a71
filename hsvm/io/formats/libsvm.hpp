// LIBSVM files: one sample on each line, the features that are not zero by number, counted from 1 and
// increasing.
//
//   line = LABEL {space INDEX:VALUE} [space # comment]
//
// LABEL is a number or any word without ':' and '#'. Spaces and tabs separate; Windows line ends, blank lines
// and comment lines are accepted. Where ReadOptions::labels_required is false the label may be left out, on all
// lines or on none. What does not fit is refused as "FILE:LINE:COLUMN: what; expected what", columns being
// bytes: always the first such place in the file.
#pragma once

#include <string>

#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/read_options.hpp"

namespace hsvm {

// Reads a file, or standard input where the path is "-". Peak memory: about twice the matrix.
[[nodiscard]] Dataset read_libsvm(const std::string& path, const ReadOptions& options);

}  // namespace hsvm
