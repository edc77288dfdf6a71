// A folder that is gone when the test is over.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace hsvm::test {

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string path(std::string_view name) const { return (folder_ / name).string(); }
  // Writes a file in the folder and returns its path.
  std::string write(std::string_view name, std::string_view content) const;

 private:
  std::filesystem::path folder_;
};

[[nodiscard]] std::string read_text(const std::string& path);

}  // namespace hsvm::test
