#include "hsvm/io/streams/file_bytes.hpp"

#include <algorithm>

#include "hsvm/core/aligned_buffer.hpp"

namespace hsvm {

FileBytes read_all_bytes(InputFile& file) {
  if (const auto mapped = file.map()) return {*mapped, file.keep_mapping(), file.keep_mapping()};
  constexpr std::size_t kFirstBytes = std::size_t{1} << 20;
  auto buffer = std::make_shared<AlignedBuffer<char>>();
  std::size_t size = 0;
  for (;;) {
    buffer->resize(std::max(kFirstBytes, 2 * size));
    const std::size_t n_read = file.read(buffer->data() + size, buffer->size() - size);
    size += n_read;
    if (size < buffer->size()) break;
  }
  return {std::string_view(buffer->data(), size), buffer, nullptr};
}

}  // namespace hsvm
