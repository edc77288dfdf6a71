#include "hsvm/io/streams/input_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "hsvm/core/error.hpp"
#include "hsvm/io/streams/compression.hpp"

namespace hsvm {

InputFile::InputFile(const std::string& path) : name_(path == "-" ? "standard input" : path) {
  if (path.empty()) throw InputError("no file name; expected the name of a file, or - for standard input");
  descriptor_ = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw file_error(name_, "cannot open");
  try {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) throw file_error(name_, "cannot open");
    if (S_ISDIR(status.st_mode)) throw InputError(name_ + ": is a folder; expected a file");
    head_.resize(kMagicBytes);
    std::size_t n_read = 0;
    while (n_read < head_.size()) {
      const std::size_t more = read_some(head_.data() + n_read, head_.size() - n_read);
      if (more == 0) break;
      n_read += more;
    }
    head_.resize(n_read);
  } catch (...) {
    if (descriptor_ != STDIN_FILENO) close(descriptor_);
    throw;
  }
}

InputFile::~InputFile() {
  if (mapping_ != nullptr) munmap(mapping_, mapping_bytes_);
  if (descriptor_ != STDIN_FILENO) close(descriptor_);
}

std::size_t InputFile::read_some(char* to, std::size_t size) {
  for (;;) {
    const ssize_t n_read = ::read(descriptor_, to, size);
    if (n_read >= 0) return static_cast<std::size_t>(n_read);
    if (errno != EINTR) throw file_error(name_, "cannot read");
  }
}

std::size_t InputFile::read(char* to, std::size_t size) {
  if (head_used_ < head_.size()) {
    const std::size_t n_read = std::min(size, head_.size() - head_used_);
    std::memcpy(to, head_.data() + head_used_, n_read);
    head_used_ += n_read;
    return n_read;
  }
  return read_some(to, size);
}

std::optional<std::string_view> InputFile::map() {
  struct stat status {};
  // Files in /proc say that they are empty. Standard input may stand anywhere in its file.
  const bool mappable = descriptor_ != STDIN_FILENO && fstat(descriptor_, &status) == 0 &&
                        S_ISREG(status.st_mode) && status.st_size > 0;
  if (!mappable) return std::nullopt;
  mapping_bytes_ = static_cast<std::size_t>(status.st_size);
  void* const memory = mmap(nullptr, mapping_bytes_, PROT_READ, MAP_PRIVATE, descriptor_, 0);
  if (memory == MAP_FAILED) return std::nullopt;
  mapping_ = memory;
  madvise(mapping_, mapping_bytes_, MADV_SEQUENTIAL);  // a hint
  return std::string_view(static_cast<const char*>(mapping_), mapping_bytes_);
}

}  // namespace hsvm
