#include "hsvm/io/streams/file_bytes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/error.hpp"

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

std::string digest_of_file(const std::string& path) {
  constexpr std::uint64_t kPieces = 64;
  constexpr std::uint64_t kPieceBytes = 4096;
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure))
    throw InputError(path + ": is no plain file; expected one that all ranks can read");
  std::ifstream file(path, std::ios::binary);
  const std::uint64_t size = std::filesystem::file_size(path, failure);
  if (!file || failure) throw file_error(path, "cannot read");
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  std::array<char, kPieceBytes> piece{};
  const std::uint64_t last = size - std::min(size, kPieceBytes);
  for (std::uint64_t k = 0; k < kPieces; ++k) {
    file.clear();
    file.seekg(
        static_cast<std::streamoff>(last / (kPieces - 1) * k + last % (kPieces - 1) * k / (kPieces - 1)));
    file.read(piece.data(), static_cast<std::streamsize>(kPieceBytes));
    for (std::streamsize b = 0; b < file.gcount(); ++b)
      hash = (hash ^ static_cast<unsigned char>(piece[static_cast<std::size_t>(b)])) * 1099511628211U;
  }
  return std::to_string(size) + ":" + std::to_string(hash);
}

}  // namespace hsvm
