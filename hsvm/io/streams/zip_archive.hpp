// The files in a zip archive, stored or deflated, as NumPy writes them. Sizes and offsets are checked against the bytes that
// are there, contents against their CRC. Whatever is wrong is an InputError that names the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hsvm {

struct ZipEntry {
  std::string name;
  std::string_view bytes;             // the content
  std::shared_ptr<const void> owner;  // of the content where it was deflated; else it is part of the archive
};

[[nodiscard]] bool is_zip(std::string_view head);
[[nodiscard]] std::vector<ZipEntry> read_zip(std::string_view archive, const std::string& file);

// An archive of stored files. Throws InputError where something is too large for the plain form, 4 GiB.
class ZipWriter {
 public:
  explicit ZipWriter(std::string file) : file_(std::move(file)) {}  // its name, for messages
  void add(const std::string& name, std::string_view bytes);
  [[nodiscard]] std::string finish();

 private:
  void require_small(std::size_t size) const;

  std::string file_;
  std::string archive_;
  std::string directory_;
  std::uint16_t n_entries_ = 0;
};

}  // namespace hsvm
