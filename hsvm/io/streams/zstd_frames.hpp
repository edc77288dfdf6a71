// Watches a Zstandard stream go by and tells whether it ends where a frame ends. Boost's decompressor takes the
// end of the input for the end of the data and so accepts a stream cut anywhere; what it is given is checked
// here.
//
//   frame     = magic 4 | descriptor 1 | [window 1] | [dictionary 1, 2, 4] | [content size 1, 2, 4, 8] | block
//   ... | [checksum 4] block     = header 3 (last: bit 0, type: bits 1-2, size: the rest) | content (1 byte
//   where the type is 1, else size) skippable = magic 4 (184D2A50 .. 5F) | size 4 | content [RFC 8878,
//   section 3.1]
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hsvm {

class ZstdFrames {
 public:
  void watch(std::string_view bytes);
  // Whether the bytes so far are whole frames. Only meaningful where the decompressor found no fault with them.
  [[nodiscard]] bool complete() const { return next_ == Part::magic && n_read_ == 0 && to_skip_ == 0; }

 private:
  enum class Part { magic, skippable_size, descriptor, block };
  void take_part();

  Part next_ = Part::magic;
  std::uint32_t part_ = 0;     // the bytes of the part being read, little-endian
  unsigned n_read_ = 0;        // how many of them there are
  std::uint64_t to_skip_ = 0;  // bytes before the next part
  bool has_checksum_ = false;
};

}  // namespace hsvm
