#include "hsvm/io/formats/dataset_file.hpp"

#include "hsvm/core/error.hpp"

namespace hsvm {

void ReadOptions::check() const {
  if (n_features && *n_features < 1)
    throw value_error("n_features", std::to_string(*n_features), "must be at least 1");
}

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  options.check();
  if (options.format == nullptr) (void)format_of_name(path);  // refuses an ending whose format is not read
  InputFile file(path);
  const DataFormat& format = options.format != nullptr ? *options.format : format_of_file(path, file);
  return format.read(file, options);
}

void write_dataset(const Dataset& dataset, OutputFile& file, const DataFormat& format) {
  if (format.write == nullptr)
    throw InputError(file.name() + ": " + format.name + " files are only read; expected another format");
  format.write(dataset, file);
}

void write_dataset(const Dataset& dataset, const std::string& path, const DataFormat* format) {
  const DataFormat& chosen = format != nullptr ? *format : detect_format(path);  // before anything is opened
  OutputFile file(path);
  write_dataset(dataset, file, chosen);
  file.commit();
}

}  // namespace hsvm
