#include "hsvm/io/formats/detect_format.hpp"

#include "hsvm/core/error.hpp"
#include "hsvm/io/streams/compression.hpp"
#include "hsvm/io/formats/csv_fields.hpp"

namespace hsvm {

DataFormat detect_format(const std::string& path) {
  std::string name = lower_case(path.substr(path.find_last_of('/') + 1));
  name.resize(name.size() - compression_ending(compression_of_name(name)).size());
  const std::size_t dot = name.find_last_of('.');
  const std::string ending = dot == name.npos ? "" : name.substr(dot);
  if (ending == ".csv") return DataFormat::csv;
  if (ending == ".tsv") return DataFormat::tsv;
  if (ending == ".mtx" || ending == ".npy" || ending == ".npz") {
    throw InputError(path + ": " + ending +
                     " files are not read by this version; expected LIBSVM, CSV or TSV (or --format, where the "
                     "name is wrong)");
  }
  return DataFormat::libsvm;
}

DataFormat format_from_word(const std::string& word) {
  for (const DataFormat format : {DataFormat::libsvm, DataFormat::csv, DataFormat::tsv}) {
    if (word == format_word(format)) return format;
  }
  throw OptionError("format '" + word + "'; expected libsvm, csv or tsv");
}

std::string_view format_word(DataFormat format) {
  switch (format) {
    case DataFormat::csv:
      return "csv";
    case DataFormat::tsv:
      return "tsv";
    case DataFormat::libsvm:
      break;
  }
  return "libsvm";
}

}  // namespace hsvm
