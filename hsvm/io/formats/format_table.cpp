#include "hsvm/io/formats/format_table.hpp"

#include <algorithm>
#include <array>

#include "hsvm/core/error.hpp"
#include "hsvm/io/formats/csv.hpp"
#include "hsvm/io/formats/h5ad.hpp"
#include "hsvm/io/formats/libsvm.hpp"
#include "hsvm/io/formats/matrix_market.hpp"
#include "hsvm/io/formats/numpy.hpp"
#include "hsvm/io/streams/compression.hpp"
#include "hsvm/io/streams/text.hpp"

namespace hsvm {
namespace {

constexpr std::array<std::string_view, 2> kEndingsNotRead = {".parquet", ".arff"};

// ".csv" of "folder/Data.CSV.gz"; "" where there is none.
std::string format_ending(const std::string& path) {
  std::string name = lower_case(path.substr(path.find_last_of('/') + 1));
  name.resize(name.size() - compression_ending(compression_of_name(name)).size());
  const std::size_t dot = name.find_last_of('.');
  return dot == name.npos ? "" : name.substr(dot);
}

}  // namespace

std::span<const DataFormat> data_formats() {
  // LIBSVM is the last: it takes any text that no other row claims.
  static const DataFormat formats[] = {
      {.name = "npy",
       .endings = {".npy"},
       .recognises = recognises_npy,
       .read = read_npy,
       .write = write_npy,
       .holds_labels = false},
      {.name = "npz", .endings = {".npz"}, .recognises = recognises_npz, .read = read_npz, .write = write_npz},
      {.name = "mtx",
       .endings = {".mtx"},
       .recognises = recognises_matrix_market,
       .read = read_matrix_market,
       .write = write_matrix_market,
       .holds_labels = false},
      {.name = "h5ad",
       .endings = {".h5ad"},
       .recognises = recognises_h5ad,
       .read = read_h5ad,
       .write = nullptr},
      {.name = "csv",
       .endings = {".csv"},
       .recognises = recognises_csv,
       .read = read_csv,
       .write = write_csv,
       .reads_parts = true},
      {.name = "tsv",
       .endings = {".tsv", ".tab"},
       .recognises = recognises_tsv,
       .read = read_tsv,
       .write = write_tsv,
       .reads_parts = true},
      {.name = "libsvm",
       .endings = {".libsvm", ".svm", ".txt"},
       .recognises = recognises_libsvm,
       .read = read_libsvm,
       .write = write_libsvm,
       .stream = stream_libsvm,
       .reads_parts = true},
  };
  return formats;
}

const DataFormat& format_named(std::string_view name) {
  const auto format = std::ranges::find(data_formats(), name, &DataFormat::name);
  if (format != data_formats().end()) return *format;
  throw OptionError("format '" + std::string(name) + "'; expected " + list_format_names());
}

std::string list_format_names() {
  const std::span<const DataFormat> formats = data_formats();
  std::string list = formats.front().name;
  for (std::size_t k = 1; k < formats.size(); ++k) {
    list += (k + 1 < formats.size() ? ", " : " or ") + formats[k].name;
  }
  return list;
}

const DataFormat* format_of_name(const std::string& path, std::span<const DataFormat> formats) {
  const std::string ending = format_ending(path);
  for (const DataFormat& format : formats) {
    if (std::ranges::find(format.endings, ending) != format.endings.end()) return &format;
  }
  if (std::ranges::find(kEndingsNotRead, ending) != kEndingsNotRead.end()) {
    throw InputError(path + ": " + ending + " files are not read by this version; expected " +
                     list_format_names() + " (or the option format, where the name is wrong)");
  }
  return nullptr;
}

const DataFormat* format_of_content(std::string_view head, std::span<const DataFormat> formats) {
  for (const DataFormat& format : formats) {
    if (format.recognises != nullptr && format.recognises(head)) return &format;
  }
  return nullptr;
}

const DataFormat& format_of_file(const std::string& path, InputFile& file) {
  const DataFormat* const by_content = format_of_content(file.head());
  if (by_content != nullptr) return *by_content;
  return detect_format(path);
}

const DataFormat& detect_format(const std::string& path) {
  const DataFormat* const format = format_of_name(path);
  return format != nullptr ? *format : data_formats().back();
}

}  // namespace hsvm
