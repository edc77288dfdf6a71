// The content of a file, or of standard input where the path is "-", as bytes. A compressed file (gzip, bzip2, xz,
// zstd, recognised by its first bytes) is decompressed on the way. Whatever stops it from being read is an
// InputError that names the file.
//
// The first bytes can be looked at before anything is read: that is how the format of a pipe is found.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "hsvm/core/mapped_file.hpp"

namespace hsvm {

inline constexpr std::size_t kHeadBytes = 4096;

class InputFile {
 public:
  // Throws InputError also where the name ends in .gz .bz2 .xz .zst and the content is something else.
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  [[nodiscard]] const std::string& name() const;  // for messages
  [[nodiscard]] bool is_compressed() const;

  // The first kHeadBytes bytes of the content, fewer where it is shorter. To be called before the first read,
  // which then begins with the same bytes.
  [[nodiscard]] std::string_view head();
  // `size` bytes, fewer only at the end. Throws InputError where a compressed stream is truncated or corrupt.
  std::size_t read(char* to, std::size_t size);

  // The whole content in memory, for as long as the InputFile lives; none where a file cannot be mapped (a pipe, a
  // device, a compressed file). What happens where a file shrinks while it is mapped: core/mapped_file.hpp.
  [[nodiscard]] std::optional<std::string_view> map();
  // The mapping, for who goes on using it beyond the InputFile's life, in any order; null without one.
  [[nodiscard]] std::shared_ptr<const MappedFile> keep_mapping();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hsvm
