// The formats of data files, in one table. A format is a row here and a file of its own: docs/add_a_format.md.
//
//   name     endings               read from
//   csv      .csv                  formats/csv.hpp
//   tsv      .tsv .tab             formats/csv.hpp
//   npy      .npy                  formats/numpy.hpp
//   npz      .npz                  formats/numpy.hpp
//   mtx      .mtx                  formats/matrix_market.hpp
//   h5ad     .h5ad                 formats/h5ad.hpp, where HDF5 is there
//   libsvm   .libsvm .svm .txt     formats/libsvm.hpp; also any text that no other row claims
//
// A folder of arrays (formats/folder.hpp) is no file, and no row here: it is known by being a folder.
//
// The content of a file says its format; its name only helps where the content could be anything.
//
// Each ending may be followed by that of a compression: .gz .bz2 .xz .zst.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hsvm/data/dataset.hpp"
#include "hsvm/io/formats/folder_writer.hpp"
#include "hsvm/io/formats/read_options.hpp"
#include "hsvm/io/streams/input_file.hpp"
#include "hsvm/io/streams/output_file.hpp"

namespace hsvm {

struct DataFormat {
  std::string name;                  // what users call it, lower case
  std::vector<std::string> endings;  // of file names, lower case, with the dot; new files get the first
  // Whether a file is in this format, going by its first bytes (InputFile::head), whatever its name is. Null: the format
  // is recognised by its endings only.
  bool (*recognises)(std::string_view head);
  // Throws InputError for whatever is wrong with the file.
  Dataset (*read)(InputFile& file, const ReadOptions& options);
  // Writes the whole dataset such that `read` gives it back; the caller commits. Null: the format is only read.
  void (*write)(const Dataset& dataset, OutputFile& file);
  // Writes a folder of arrays (folder_writer.hpp) from the file without holding the matrix. Null: it is read as a whole for that.
  FolderHeader (*stream)(InputFile& file, const ReadOptions& options, const std::string& folder,
                         const FolderOptions& folder_options) = nullptr;
  // Of a matrix alone the labels stand beside it, in a file with .labels after its name: a word for each sample, one a line.
  bool holds_labels = true;
  // Whether `read` gives each rank its own part of a mapped file (ReadOptions::ranks). Of others all ranks read the whole, and keep their part.
  bool reads_parts = false;
};

[[nodiscard]] std::span<const DataFormat> data_formats();

// The row with this name; throws OptionError where there is none.
[[nodiscard]] const DataFormat& format_named(std::string_view name);
// "csv, tsv, ... or libsvm"
[[nodiscard]] std::string list_format_names();

// The row with the ending of this name; null where the ending says nothing, as for "-". Throws InputError for an
// ending whose format is known but not read: .parquet .arff.
[[nodiscard]] const DataFormat* format_of_name(const std::string& path,
                                               std::span<const DataFormat> formats = data_formats());
// The first row that recognises these first bytes; null where none does.
[[nodiscard]] const DataFormat* format_of_content(std::string_view head,
                                                  std::span<const DataFormat> formats = data_formats());
// What the content says; where it says nothing, what the name says.
[[nodiscard]] const DataFormat& format_of_file(const std::string& path, InputFile& file);
// By the name alone, for a file that is not there yet: the last row where the name says nothing.
[[nodiscard]] const DataFormat& detect_format(const std::string& path);

}  // namespace hsvm
