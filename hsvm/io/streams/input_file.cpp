#include "hsvm/io/streams/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "hsvm/core/error.hpp"
#include "hsvm/io/streams/compression.hpp"

namespace hsvm {
namespace {

// Calls read(to, size), which may read fewer bytes than it is asked for, until all are there or no more come.
template <class Read>
std::size_t read_all(char* to, std::size_t size, const Read& read) {
  std::size_t n_read = 0;
  for (std::size_t more = 1; n_read < size && more > 0; n_read += more) more = read(to + n_read, size - n_read);
  return n_read;
}

}  // namespace

struct InputFile::State {
  // Bytes that were read early, to look at them, and are still to be handed out.
  struct LookedAt {
    std::string bytes;
    std::size_t n_used = 0;

    template <class Read>
    void fill(std::size_t size, const Read& read) {
      bytes.resize(size);
      bytes.resize(read_all(bytes.data(), size, read));
    }

    [[nodiscard]] bool is_used() const { return n_used == bytes.size(); }

    std::size_t copy(char* to, std::size_t size) {
      const std::size_t n_copied = bytes.copy(to, size, n_used);
      n_used += n_copied;
      return n_copied;
    }
  };

  std::string name;
  int descriptor = -1;
  LookedAt magic;  // the first bytes of the file
  LookedAt head;   // the first bytes of the content
  std::optional<Decompressor> decompressor;
  std::shared_ptr<const MappedFile> mapping;

  explicit State(const std::string& path) : name(path == "-" ? "standard input" : path) {}

  ~State() {
    if (descriptor >= 0 && descriptor != STDIN_FILENO) close(descriptor);
  }

  void open_file(const std::string& path) {
    descriptor = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (descriptor < 0 || fstat(descriptor, &status) != 0) throw file_error(name, "cannot open");
    if (S_ISDIR(status.st_mode)) throw InputError(name + ": is a folder; expected a file");
  }

  void find_compression(const std::string& path) {
    magic.fill(kMagicBytes, [this](char* to, std::size_t size) { return read_descriptor(to, size); });
    const Compression compression = compression_of_content(magic.bytes);
    const Compression by_name = compression_of_name(path);
    if (by_name != Compression::none && by_name != compression) {
      throw InputError(path + ": not a " + std::string(compression_name(by_name)) +
                       " stream, though its name ends in " + std::string(compression_ending(by_name)));
    }
    if (compression == Compression::none) return;
    decompressor.emplace(compression, name, [this](char* to, std::size_t size) { return read_raw(to, size); });
  }

  std::size_t read_descriptor(char* to, std::size_t size) const {
    for (;;) {
      const ssize_t n_read = ::read(descriptor, to, size);
      if (n_read >= 0) return static_cast<std::size_t>(n_read);
      if (errno != EINTR) throw file_error(name, "cannot read");
    }
  }

  // As they are in the file.
  std::size_t read_raw(char* to, std::size_t size) {
    return magic.is_used() ? read_descriptor(to, size) : magic.copy(to, size);
  }

  // Decompressed.
  std::size_t read_content(char* to, std::size_t size) {
    return decompressor ? decompressor->read(to, size) : read_raw(to, size);
  }
};

InputFile::InputFile(const std::string& path) {
  if (path.empty()) throw InputError("no file name; expected the name of a file, or - for standard input");
  state_ = std::make_unique<State>(path);
  state_->open_file(path);
  state_->find_compression(path);
}

InputFile::~InputFile() = default;

const std::string& InputFile::name() const {
  return state_->name;
}

bool InputFile::is_compressed() const {
  return state_->decompressor.has_value();
}

std::string_view InputFile::head() {
  State& state = *state_;
  if (state.head.bytes.empty()) {
    state.head.fill(kHeadBytes, [&](char* to, std::size_t size) { return state.read_content(to, size); });
  }
  return state.head.bytes;
}

std::size_t InputFile::read(char* to, std::size_t size) {
  return read_all(to, size, [&](char* rest, std::size_t n_left) {
    return state_->head.is_used() ? state_->read_content(rest, n_left) : state_->head.copy(rest, n_left);
  });
}

std::optional<std::string_view> InputFile::map() {
  State& state = *state_;
  struct stat status {};
  // Files in /proc say that they are empty. Standard input need not be at the beginning of its file.
  const bool can_be_mapped = !is_compressed() && state.descriptor != STDIN_FILENO &&
                             fstat(state.descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                             status.st_size > 0;
  if (!can_be_mapped) return std::nullopt;
  if (state.mapping == nullptr) {
    state.mapping = MappedFile::map(state.descriptor, static_cast<std::size_t>(status.st_size), state.name);
    if (state.mapping == nullptr) return std::nullopt;
    state.mapping->read_in_order();
  }
  return state.mapping->bytes();
}

std::shared_ptr<const MappedFile> InputFile::keep_mapping() {
  State& state = *state_;
  if (state.mapping != nullptr) state.mapping->read_anyhow();  // it is read again
  return state.mapping;
}

}  // namespace hsvm
