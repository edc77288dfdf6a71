// CSV and TSV files: a table with one sample on each row. The columns are numeric features and at most one label, which
// may be any text. Which column is what: csv_layout.hpp. How a row is written: csv_fields.hpp.
//
// The delimiter of CSV is ',', or ';' where the first row has that and no comma; the delimiter of TSV is a tab. Blank
// lines, comment lines (#) before the first row, Windows line ends and a byte order mark are accepted. A missing value
// (an empty field, NA or ?) is refused, as is everything else that is not a finite number, as
// "FILE:LINE:COLUMN: what; expected what", columns being fields.
#pragma once

#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/read_options.hpp"
#include "hsvm/io/streams/input_file.hpp"
#include "hsvm/io/streams/output_file.hpp"

namespace hsvm {

[[nodiscard]] Dataset read_csv(InputFile& file, const ReadOptions& options);
[[nodiscard]] Dataset read_tsv(InputFile& file, const ReadOptions& options);

// A header, then one row for each sample. The label is the first column, named `label`; the features have their own
// names, or x1, x2, ... where they have none. A table whose features all have numbers for names is only read again with
// ReadOptions::label: its header looks like a sample. Both throw InputError for a text with a line break or a NUL byte.
void write_csv(const Dataset& dataset, OutputFile& file);
void write_tsv(const Dataset& dataset, OutputFile& file);

}  // namespace hsvm
