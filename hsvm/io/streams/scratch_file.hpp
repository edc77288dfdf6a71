// A file for what does not fit into memory: it has no name, and nothing is left of it however the program ends.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hsvm {

class ScratchFile {
 public:
  explicit ScratchFile(const std::string& folder);  // on whose disk it lies. Throws InputError, as all below.
  ~ScratchFile();
  ScratchFile(ScratchFile&& other) noexcept;
  ScratchFile& operator=(ScratchFile&&) = delete;

  void append(std::string_view bytes);
  void read(std::size_t offset, char* to, std::size_t size) const;
  void forget(std::size_t offset, std::size_t size) const;  // gives the disk back where it can

 private:
  std::string folder_;
  int descriptor_ = -1;
};

}  // namespace hsvm
