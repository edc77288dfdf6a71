#include "hsvm/io/streams/scratch_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "hsvm/core/error.hpp"

namespace hsvm {

ScratchFile::ScratchFile(const std::string& folder) : folder_(folder) {
#ifdef O_TMPFILE
  descriptor_ = open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
#endif
  if (descriptor_ < 0) {
    std::string name = folder + "/.hsvm-XXXXXX";
    descriptor_ = mkstemp(name.data());
    if (descriptor_ >= 0) unlink(name.c_str());
  }
  if (descriptor_ < 0) throw file_error(folder_, "cannot write in it");
}

ScratchFile::~ScratchFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

ScratchFile::ScratchFile(ScratchFile&& other) noexcept
    : folder_(std::move(other.folder_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

void ScratchFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n_written = write(descriptor_, bytes.data(), bytes.size());
    if (n_written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n_written));
    } else if (errno != EINTR) {
      throw file_error(folder_, "cannot write in it");
    }
  }
}

void ScratchFile::read(std::size_t offset, char* to, std::size_t size) const {
  while (size > 0) {
    const ssize_t n_read = pread(descriptor_, to, size, static_cast<off_t>(offset));
    if (n_read == 0) errno = EIO;
    if (n_read == 0 || (n_read < 0 && errno != EINTR))
      throw file_error(folder_, "cannot read what was put there");
    if (n_read < 0) continue;
    offset += static_cast<std::size_t>(n_read);
    to += n_read;
    size -= static_cast<std::size_t>(n_read);
  }
}

void ScratchFile::forget(std::size_t offset, std::size_t size) const {
#ifdef FALLOC_FL_PUNCH_HOLE
  if (size > 0 && fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                            static_cast<off_t>(size)) != 0)
    errno = 0;  // the disk is given back at the end
#endif
}

}  // namespace hsvm
