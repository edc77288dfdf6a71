#include "hsvm/io/formats/read_dataset.hpp"

#include "hsvm/core/error.hpp"
#include "hsvm/io/formats/format_table.hpp"

namespace hsvm {

void ReadOptions::check() const {
  if (n_features && *n_features < 1)
    throw OptionError("features " + std::to_string(*n_features) + "; expected at least 1");
}

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  options.check();
  const DataFormat* format = options.format != nullptr ? options.format : format_of_name(path);
  InputFile file(path);
  if (format == nullptr) format = &format_of_content(file.head());
  return format->read(file, options);
}

}  // namespace hsvm
