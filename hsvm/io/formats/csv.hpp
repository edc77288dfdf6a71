// CSV and TSV files: a table with one sample on each row. Its columns are features, numbers or words, at most one label, which may
// be any text, and at most one with the samples' names. Which column is what: csv_layout.hpp. How a row is written: csv_fields.hpp. How
// numbers are: number_style.hpp.
//
// Blank lines, comment lines (#) before the first row, Windows line ends, a byte order mark and a first line "sep=;" are accepted. A
// missing value (an empty field, NA, NaN, null, ., ? and what ReadOptions::na adds) is refused, or kept apart (Dataset::missing), or
// its sample or feature is left out, as ReadOptions::missing says. What does not fit is refused as
// "FILE:LINE:COLUMN: what; expected what", columns being fields.
#pragma once

#include <string_view>

#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/read_options.hpp"
#include "hsvm/io/streams/input_file.hpp"
#include "hsvm/io/streams/output_file.hpp"

namespace hsvm {

// Whether the first lines are cut into as many columns by a comma, a semicolon, a bar or spaces, or by tabs.
[[nodiscard]] bool recognises_csv(std::string_view head);
[[nodiscard]] bool recognises_tsv(std::string_view head);

[[nodiscard]] Dataset read_csv(InputFile& file, const ReadOptions& options);
[[nodiscard]] Dataset read_tsv(InputFile& file, const ReadOptions& options);

// A header, then one row for each sample. Label and samples' names stand where they stood in the table that was read; the label of
// other data is the first column, named `label`. The features have their own names, or x1, x2, ... where they have none. A table
// whose features all have numbers for names is only read again with ReadOptions::label: its header looks like a sample. Both throw
// InputError for a text with a NUL byte.
void write_csv(const Dataset& dataset, OutputFile& file);
void write_tsv(const Dataset& dataset, OutputFile& file);

}  // namespace hsvm
