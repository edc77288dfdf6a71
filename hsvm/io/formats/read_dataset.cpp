#include "hsvm/io/formats/read_dataset.hpp"

#include "hsvm/io/formats/csv.hpp"
#include "hsvm/io/formats/detect_format.hpp"
#include "hsvm/io/formats/libsvm.hpp"

namespace hsvm {

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  const DataFormat format = options.format ? *options.format : detect_format(path);
  return format == DataFormat::libsvm ? read_libsvm(path, options) : read_csv(path, options, format);
}

}  // namespace hsvm
