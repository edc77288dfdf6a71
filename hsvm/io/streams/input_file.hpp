// A file, or standard input where the path is "-", open for reading as raw bytes. Everything that stops it from
// being read is an InputError that names it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hsvm {

class InputFile {
 public:
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }  // for messages
  // The first bytes (kMagicBytes, fewer where the file is shorter), which are still to be read.
  [[nodiscard]] std::string_view head() const { return head_; }
  // Up to `size` bytes; 0 only at the end.
  std::size_t read(char* to, std::size_t size);

  // The whole file, mapped into memory until it is closed; none where that is not possible (a pipe, a device).
  [[nodiscard]] std::optional<std::string_view> map();

 private:
  std::size_t read_some(char* to, std::size_t size);

  std::string name_;
  int descriptor_ = -1;
  std::string head_;
  std::size_t head_used_ = 0;
  void* mapping_ = nullptr;
  std::size_t mapping_bytes_ = 0;
};

}  // namespace hsvm
