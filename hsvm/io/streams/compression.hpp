// Compressed streams: gzip, bzip2, xz and Zstandard, each of any number of members one after another.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace hsvm {

enum class Compression { none, gzip, bzip2, xz, zstd };

// By the ending of a name, .gz .bz2 .xz .zst, in upper or lower case.
[[nodiscard]] Compression compression_of_name(std::string_view path);
// By the first bytes of the content; kMagicBytes of them are enough.
[[nodiscard]] Compression compression_of_content(std::string_view head);
inline constexpr std::size_t kMagicBytes = 10;

[[nodiscard]] std::string_view compression_name(Compression compression);    // "gzip", for messages
[[nodiscard]] std::string_view compression_ending(Compression compression);  // ".gz"; "" for none

// Reads up to `size` bytes; 0 only at the end.
using ReadBytes = std::function<std::size_t(char* to, std::size_t size)>;

class Decompressor {
 public:
  // `file` is the file's name, for messages.
  Decompressor(Compression compression, std::string file, ReadBytes read_compressed);
  ~Decompressor();

  // Throws InputError where the stream is truncated or corrupt.
  std::size_t read(char* to, std::size_t size);

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

// Takes bytes; must not throw: its owner remembers a failure.
using WriteBytes = std::function<void(std::string_view bytes)>;

class Compressor {
 public:
  Compressor(Compression compression, WriteBytes write_compressed);
  ~Compressor();

  void write(std::string_view bytes);
  void finish();  // writes what is left; nothing may be written after it

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace hsvm
