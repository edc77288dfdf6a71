// Data files of any format in the table (format_table.hpp). What is written reads as the same dataset again, bit for bit:
// numbers are in the shortest form that reads back exactly. Files are compressed by the ending of their name, and are
// complete or absent (output_file.hpp). A name that is a folder's stands for a folder of arrays (folder.hpp), which is mapped.
#pragma once

#include <string>

#include "hsvm/io/formats/format_table.hpp"

namespace hsvm {

// The format is ReadOptions::format, else what the content says, else what the name says. "-" is standard input.
// Throws InputError for whatever is wrong with the file, OptionError for an option out of its range.
// Where the options name several ranks, each gets its part of the samples; classes and features are those of the whole. The file must
// be the same for all of them: its size, and bytes at places spread over it, are compared.
[[nodiscard]] Dataset read_dataset(const std::string& path, const ReadOptions& options);

// Into a folder of arrays (folder.hpp): of LIBSVM text without holding the matrix, in so much memory as the options allow; what is
// in any other format is read first. Throws as the two others do.
FolderHeader convert_to_folder(const std::string& path, const ReadOptions& options, const std::string& folder,
                               const FolderOptions& folder_options);

// In the format given, or that of the name where it is null. Throws InputError where the format cannot hold the
// dataset or the file cannot be written.
void write_dataset(const Dataset& dataset, const std::string& path, const DataFormat* format = nullptr);
// The same into an open file, which is left to be committed.
void write_dataset(const Dataset& dataset, OutputFile& file, const DataFormat& format);

}  // namespace hsvm
