// Stands in for the library's codecs where Boost.Iostreams is not there: compressed files are refused.

#include "hsvm/core/error.hpp"
#include "hsvm/io/streams/compression.hpp"

namespace hsvm {
namespace {

[[noreturn]] void refuse(const std::string& file, Compression compression) {
  throw InputError(
      file + ": a " + std::string(compression_name(compression)) +
      " stream, which this build of hsvm does not know (Boost.Iostreams was not there); expected plain text");
}

}  // namespace

struct Decompressor::Stream {};
Decompressor::Decompressor(Compression compression, std::string file, ReadBytes /*unused*/) {
  refuse(file, compression);
}
Decompressor::~Decompressor() = default;
std::size_t Decompressor::read(char* /*unused*/, std::size_t /*unused*/) {
  return 0;
}

struct Compressor::Stream {};
Compressor::Compressor(Compression compression, WriteBytes /*unused*/) {
  refuse("the file", compression);
}
Compressor::~Compressor() = default;
void Compressor::write(std::string_view /*unused*/) {}
void Compressor::finish() {}

}  // namespace hsvm
