// CSV and TSV files: a table with one sample on each row, the columns being numeric features and at most one
// label, which may be any text. What columns are what: csv_layout.hpp. How a row is written: csv_fields.hpp.
//
// The delimiter is ',' for CSV, or ';' where the first row has that and no comma, and a tab for TSV. Blank
// lines, comment lines
// (#) before the first row, Windows line ends and a byte order mark are accepted. A missing value (an empty
// field, NA or ?) is refused, as is all else that is not a finite number: "FILE:LINE:COLUMN: what; expected
// what", columns counted by fields.
#pragma once

#include <string>

#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/read_options.hpp"

namespace hsvm {

// Reads a file, or standard input where the path is "-". `format` is csv or tsv.
[[nodiscard]] Dataset read_csv(const std::string& path, const ReadOptions& options,
                               DataFormat format = DataFormat::csv);

}  // namespace hsvm
