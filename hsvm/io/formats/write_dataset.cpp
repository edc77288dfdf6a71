#include "hsvm/io/formats/write_dataset.hpp"

#include "hsvm/core/error.hpp"

namespace hsvm {

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
