#include "app/files.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "hsvm/api.hpp"

namespace hsvm::app {
namespace {

namespace fs = std::filesystem;

bool is_plain(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return !path.empty() && path != "-" && (!fs::exists(status) || fs::is_regular_file(status));
}

bool is_same_file(const std::string& a, const std::string& b) {
  if (!is_plain(a) || !is_plain(b)) return false;  // /dev/null may be given twice
  std::error_code ignored;
  const auto full_path = [&](const std::string& file) {
    return fs::weakly_canonical(fs::absolute(file, ignored), ignored);
  };
  return fs::equivalent(a, b, ignored) || full_path(a) == full_path(b);
}

}  // namespace

void refuse_overwriting(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const NamedFile& output = outputs[k];
    for (const NamedFile& input : inputs) {
      if (is_same_file(output.path, input.path)) {
        throw OptionError(
            fmt::format("{} {}: is the same file as {} {}, which would be lost: give another name", output.flag,
                        output.path, input.flag, input.path));
      }
    }
    for (std::size_t other = 0; other < k; ++other) {
      if (is_same_file(output.path, outputs[other].path)) {
        throw OptionError(
            fmt::format("{} {}: must be another file than {}", output.flag, output.path, outputs[other].flag));
      }
    }
  }
}

}  // namespace hsvm::app
