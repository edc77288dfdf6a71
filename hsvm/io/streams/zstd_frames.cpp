#include "hsvm/io/streams/zstd_frames.hpp"

#include <algorithm>

namespace hsvm {

void ZstdFrames::watch(std::string_view bytes) {
  while (!bytes.empty()) {
    if (to_skip_ > 0) {
      const auto skipped = static_cast<std::size_t>(std::min<std::uint64_t>(to_skip_, bytes.size()));
      bytes.remove_prefix(skipped);
      to_skip_ -= skipped;
      continue;
    }
    part_ |= std::uint32_t{static_cast<unsigned char>(bytes.front())} << (8 * n_read_++);
    bytes.remove_prefix(1);
    const unsigned size = next_ == Part::descriptor ? 1 : next_ == Part::block ? 3 : 4;
    if (n_read_ == size) {
      finish_part();
      part_ = 0;
      n_read_ = 0;
    }
  }
}

void ZstdFrames::finish_part() {
  switch (next_) {
    case Part::magic:
      next_ = (part_ & 0xfffffff0U) == 0x184d2a50U ? Part::skippable_size : Part::descriptor;
      break;
    case Part::skippable_size:
      to_skip_ = part_;
      next_ = Part::magic;
      break;
    case Part::descriptor: {
      constexpr unsigned kDictionaryBytes[] = {0, 1, 2, 4};
      constexpr unsigned kContentSizeBytes[] = {0, 2, 4, 8};
      const bool single_segment = (part_ & 0x20U) != 0;
      has_checksum_ = (part_ & 0x04U) != 0;
      const unsigned size_bytes = part_ >> 6 == 0 && single_segment ? 1 : kContentSizeBytes[part_ >> 6];
      to_skip_ = (single_segment ? 0U : 1U) + kDictionaryBytes[part_ & 3U] + size_bytes;
      next_ = Part::block;
      break;
    }
    case Part::block: {
      const bool last = (part_ & 1U) != 0;
      const bool repeats_one_byte = (part_ >> 1 & 3U) == 1;
      to_skip_ = repeats_one_byte ? 1 : part_ >> 3;
      if (last) {
        to_skip_ += has_checksum_ ? 4 : 0;
        next_ = Part::magic;
      }
      break;
    }
  }
}

}  // namespace hsvm
