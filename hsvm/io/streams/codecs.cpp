// The codecs come from Boost.Iostreams 1.74. Its gzip, bzip2 and lzma filters were checked to read several members
// and to refuse a stream that is cut at any byte. Its zstd filter accepts any cut: see zstd_frames.hpp.

#include "hsvm/io/streams/compression.hpp"

// GCC 12 warns of an overlap where one character is appended to a string, as in Boost's gzip header (GCC bug 105651).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wrestrict"
#endif

#include <array>
#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <optional>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/io/streams/zstd_frames.hpp"

namespace hsvm {
namespace {

namespace io = boost::iostreams;

constexpr std::streamsize kBufferBytes = 64 << 10;

using InputChain = io::filtering_streambuf<io::input>;
using OutputChain = io::filtering_streambuf<io::output>;

struct Codec {
  void (*add_decompressor)(InputChain&);
  void (*add_compressor)(OutputChain&);
};

// In the order of Compression.
constexpr std::array<Codec, 5> kCodecs = {{
    {[](InputChain&) {}, [](OutputChain&) {}},
    {[](InputChain& chain) { chain.push(io::gzip_decompressor(io::gzip::default_window_bits, kBufferBytes)); },
     [](OutputChain& chain) { chain.push(io::gzip_compressor(io::gzip_params(), kBufferBytes)); }},
    {[](InputChain& chain) { chain.push(io::bzip2_decompressor(io::bzip2::default_small, kBufferBytes)); },
     [](OutputChain& chain) { chain.push(io::bzip2_compressor(io::bzip2_params(), kBufferBytes)); }},
    {[](InputChain& chain) { chain.push(io::lzma_decompressor(kBufferBytes)); },
     [](OutputChain& chain) { chain.push(io::lzma_compressor(io::lzma_params(), kBufferBytes)); }},
    {[](InputChain& chain) { chain.push(io::zstd_decompressor(kBufferBytes)); },
     [](OutputChain& chain) { chain.push(io::zstd_compressor(io::zstd_params(), kBufferBytes)); }},
}};

const Codec& codec_of(Compression compression) {
  return kCodecs[static_cast<std::size_t>(compression)];
}

struct CompressedSource {
  using char_type = char;
  using category = io::source_tag;
  ReadBytes read_bytes;
  ZstdFrames* frames;  // shown what is read; null for the other codecs

  std::streamsize read(char* to, std::streamsize size) {
    const std::size_t n_read = read_bytes(to, static_cast<std::size_t>(size));
    if (frames != nullptr) frames->watch({to, n_read});
    return n_read == 0 ? -1 : static_cast<std::streamsize>(n_read);
  }
};

struct CompressedSink {
  using char_type = char;
  using category = io::sink_tag;
  WriteBytes write_bytes;

  std::streamsize write(const char* bytes, std::streamsize size) {
    write_bytes({bytes, static_cast<std::size_t>(size)});
    return size;
  }
};

}  // namespace

struct Decompressor::Stream {
  std::string file;
  std::string_view codec_name;
  std::optional<ZstdFrames> frames;
  InputChain chain;

  [[nodiscard]] InputError corrupt() const {
    return InputError(file + ": truncated or corrupt " + std::string(codec_name) + " stream");
  }
};

Decompressor::Decompressor(Compression compression, std::string file, ReadBytes read_compressed)
    : stream_(std::make_unique<Stream>()) {
  stream_->file = std::move(file);
  stream_->codec_name = compression_name(compression);
  if (compression == Compression::zstd) stream_->frames.emplace();
  codec_of(compression).add_decompressor(stream_->chain);
  ZstdFrames* const frames = stream_->frames ? &*stream_->frames : nullptr;
  stream_->chain.push(CompressedSource{std::move(read_compressed), frames}, kBufferBytes);
}

Decompressor::~Decompressor() = default;

std::size_t Decompressor::read(char* to, std::size_t size) {
  std::streamsize n_read = 0;
  try {
    n_read = stream_->chain.sgetn(to, static_cast<std::streamsize>(size));
  } catch (const std::ios_base::failure&) {  // what all of Boost's codecs throw
    throw stream_->corrupt();
  }
  if (n_read <= 0 && stream_->frames && !stream_->frames->end_is_whole()) throw stream_->corrupt();
  return n_read <= 0 ? 0 : static_cast<std::size_t>(n_read);
}

struct Compressor::Stream {
  OutputChain chain;
};

Compressor::Compressor(Compression compression, WriteBytes write_compressed)
    : stream_(std::make_unique<Stream>()) {
  codec_of(compression).add_compressor(stream_->chain);
  stream_->chain.push(CompressedSink{std::move(write_compressed)}, kBufferBytes);
}

Compressor::~Compressor() = default;

void Compressor::write(std::string_view bytes) {
  stream_->chain.sputn(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void Compressor::finish() {
  stream_->chain.reset();
}

}  // namespace hsvm
