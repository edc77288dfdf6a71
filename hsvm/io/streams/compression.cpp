// What compressed streams are called and how they begin. The codecs are in codecs.cpp.

#include "hsvm/io/streams/compression.hpp"

#include <array>

#include "hsvm/io/streams/text.hpp"

namespace hsvm {
namespace {

struct CodecName {
  std::string_view name;
  std::string_view ending;
};

// In the order of Compression.
constexpr std::array<CodecName, 5> kCodecNames = {
    {{"none", ""}, {"gzip", ".gz"}, {"bzip2", ".bz2"}, {"xz", ".xz"}, {"zstd", ".zst"}}};

}  // namespace

Compression compression_of_name(std::string_view path) {
  for (std::size_t k = 1; k < kCodecNames.size(); ++k) {
    const std::string_view ending = kCodecNames[k].ending;
    if (path.size() > ending.size() && lower_case(path.substr(path.size() - ending.size())) == ending)
      return static_cast<Compression>(k);
  }
  return Compression::none;
}

Compression compression_of_content(std::string_view head) {
  using namespace std::string_view_literals;
  const auto has = [&](std::size_t at, std::string_view bytes) {
    return head.size() >= at && head.substr(at).starts_with(bytes);
  };
  if (has(0, "\x1f\x8b"sv)) return Compression::gzip;
  // A text might begin with BZh. In a stream the digits of pi follow, or those of its root where it is empty.
  if (has(0, "BZh"sv) && (has(4, "\x31\x41\x59\x26\x53\x59"sv) || has(4, "\x17\x72\x45\x38\x50\x90"sv))) {
    return Compression::bzip2;
  }
  if (has(0, "\xfd\x37\x7a\x58\x5a\x00"sv)) return Compression::xz;
  if (has(0, "\x28\xb5\x2f\xfd"sv)) return Compression::zstd;
  if (has(1, "\x2a\x4d\x18"sv) && (static_cast<unsigned char>(head[0]) & 0xf0U) == 0x50)
    return Compression::zstd;
  return Compression::none;
}

std::string_view compression_name(Compression compression) {
  return kCodecNames[static_cast<std::size_t>(compression)].name;
}

std::string_view compression_ending(Compression compression) {
  return kCodecNames[static_cast<std::size_t>(compression)].ending;
}

}  // namespace hsvm
