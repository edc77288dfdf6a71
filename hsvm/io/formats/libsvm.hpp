// LIBSVM files: one sample on each line, with the features that are not zero by number, counted from 1 and increasing.
//
//   line = LABEL {space INDEX:VALUE} [space # comment]
//
// LABEL is a number or any word without ':' and '#'. Spaces and tabs separate. Windows line ends, blank lines and
// comment lines are accepted. Where ReadOptions::labels_required is false the label may be left out, on all lines or
// on none. What does not fit is refused as "FILE:LINE:COLUMN: what; expected what", columns being bytes. The first
// error in the file is the one that is reported.
#pragma once

#include <string_view>

#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/folder_writer.hpp"
#include "hsvm/io/formats/read_options.hpp"
#include "hsvm/io/streams/input_file.hpp"
#include "hsvm/io/streams/output_file.hpp"

namespace hsvm {

// Whether the first line that has more than a label goes on with INDEX:VALUE.
[[nodiscard]] bool recognises_libsvm(std::string_view head);

// Peak memory: about twice the matrix.
[[nodiscard]] Dataset read_libsvm(InputFile& file, const ReadOptions& options);

// The same into a folder of arrays, without holding the matrix (folder_writer.hpp).
FolderHeader stream_libsvm(InputFile& file, const ReadOptions& options, const std::string& folder,
                           const FolderOptions& folder_options);

// The first line has an explicit zero in the last column where no line has a number there, so that the number of
// features survives. A line that would be empty has one in the first column. Throws InputError for a label that the
// format cannot hold (with a space, ':' or '#').
void write_libsvm(const Dataset& dataset, OutputFile& file);

}  // namespace hsvm
