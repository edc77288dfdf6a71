// All bytes of a file at once, for formats that are not text: mapped where that can be done, else read into memory.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "hsvm/io/streams/input_file.hpp"

namespace hsvm {

struct FileBytes {
  std::string_view bytes;
  std::shared_ptr<const void> owner;         // keeps them alive, beyond the file's own life
  std::shared_ptr<const MappedFile> mapped;  // the same, where they are mapped; else null
};

[[nodiscard]] FileBytes read_all_bytes(InputFile& file);

// The size of a plain file and a hash of its ends and of pieces spread evenly over it, as text: what tells files apart that should be the same
// on several machines, without reading them. Throws InputError where the file cannot be read, or is no plain file.
[[nodiscard]] std::string digest_of_file(const std::string& path);

}  // namespace hsvm
