// Watches a Zstandard stream go by and tells whether it ends where a frame ends. Boost's decompressor takes the
// end of its input for the end of the data, so it accepts a stream that was cut anywhere. This class finds the cut.
//
//   frame      magic 4 | descriptor 1 | [window 1] | [dictionary 1, 2, 4] | [content size 1, 2, 4, 8] | block ... |
//              [checksum 4]
//   block      header 3 (last: bit 0, type: bits 1-2, size: the rest) | content (1 byte for type 1, else size)
//   skippable  magic 4 (184D2A50 .. 184D2A5F) | size 4 | content
//
// The numbers count bytes; parts in brackets may be absent [RFC 8878, section 3.1].
#pragma once

#include <cstdint>
#include <string_view>

namespace hsvm {

class ZstdFrames {
 public:
  void watch(std::string_view bytes);
  // Whether the bytes so far are whole frames. Only meaningful where the decompressor found no fault with them.
  [[nodiscard]] bool end_is_whole() const { return next_ == Part::magic && n_read_ == 0 && to_skip_ == 0; }

 private:
  enum class Part { magic, skippable_size, descriptor, block };
  void finish_part();

  Part next_ = Part::magic;
  std::uint32_t part_ = 0;     // the bytes of the part being read, little-endian
  unsigned n_read_ = 0;        // how many of them are there
  std::uint64_t to_skip_ = 0;  // bytes before the next part
  bool has_checksum_ = false;
};

}  // namespace hsvm
