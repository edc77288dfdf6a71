#include "hsvm/io/streams/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <random>
#include <system_error>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/io/streams/compression.hpp"

namespace hsvm {
namespace {

constexpr std::size_t kFlushBytes = std::size_t{256} << 10;
constexpr int kMaxLinks = 40;      // as many symbolic links as Linux follows
constexpr int kMaxAttempts = 100;  // to find a name that is not taken

// What a chain of symbolic links leads to, whether that exists or not.
std::filesystem::path follow_links(std::filesystem::path path) {
  std::error_code ignored;
  for (int i = 0; i < kMaxLinks && std::filesystem::is_symlink(path, ignored); ++i) {
    const std::filesystem::path target = std::filesystem::read_symlink(path, ignored);
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  return path;
}

// Whether a path leads to one of the program's own open files, which must not be replaced.
bool is_open_file(const std::string& path) {
  return path.starts_with("/dev/std") || path.starts_with("/dev/fd/") || path.starts_with("/proc/");
}

}  // namespace

struct OutputFile::State {
  std::string name;
  int descriptor = -1;
  bool is_standard_output = false;
  bool is_unnamed = false;
  std::filesystem::path target;     // the name when complete; empty where written directly
  std::filesystem::path temporary;  // the name until then; empty where it has none
  bool is_finished = false;
  int failure = 0;  // errno of the first write that failed: no exception may pass through a compressor
  std::string buffer;
  std::optional<Compressor> compressor;

  ~State() {
    compressor.reset();
    if (descriptor >= 0 && !is_standard_output) close(descriptor);
    if (!temporary.empty()) unlink(temporary.c_str());
  }

  void open_target(const std::string& path) {
    if (path == "-") {
      name = "standard output";
      descriptor = STDOUT_FILENO;
      is_standard_output = true;
      return;
    }
    name = path;
    struct stat status {};
    const bool exists = stat(path.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode))
      throw InputError(name + ": is a folder; expected the name of a file");
    if (is_open_file(path) || (exists && !S_ISREG(status.st_mode))) {
      descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
      if (descriptor < 0) throw file_error(name, "cannot write");
      return;
    }
    target = follow_links(path);
    if (exists && access(target.c_str(), W_OK) != 0) throw file_error(name, "cannot write");
    if (!open_unnamed()) open_temporary();
    // This fails only on file systems without permissions. That is no reason to refuse the file.
    if (exists && fchmod(descriptor, status.st_mode & 07777U) != 0) errno = 0;
  }

  // A file in the target's folder that has no name yet: nothing is left of it however the program ends. Not every file
  // system has such files.
  bool open_unnamed() {
#ifdef O_TMPFILE
    const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
    descriptor = open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);  // the umask applies
    is_unnamed = descriptor >= 0;
#endif
    return is_unnamed;
  }

  void open_temporary() {
    const bool made = try_names([&](const std::filesystem::path& beside) {
      descriptor = open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      return descriptor >= 0;
    });
    if (!made) throw file_error(name, "cannot write in its folder");
  }

  // Gives an unnamed file its name; where another file has that, a temporary one, to be renamed.
  void give_name() {
    const std::string self = "/proc/self/fd/" + std::to_string(descriptor);
    const auto link_to = [&](const std::filesystem::path& path) {
      return linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
    };
    if (link_to(target)) return;
    if (errno != EEXIST || !try_names(link_to)) throw file_error(name, "cannot write");
  }

  // Calls make(name) with names beside the target until one is not taken, which becomes the temporary name.
  template <class Make>
  bool try_names(const Make& make) {
    std::random_device random;
    for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
      const std::filesystem::path beside =
          target.parent_path() / (".hsvm-" + std::to_string(random()) + ".tmp");
      if (make(beside)) {
        temporary = beside;
        return true;
      }
      if (errno != EEXIST) break;
    }
    return false;
  }

  void write_bytes(std::string_view bytes) {
    while (!bytes.empty() && failure == 0) {
      const ssize_t n_written = ::write(descriptor, bytes.data(), bytes.size());
      if (n_written >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(n_written));
      } else if (errno != EINTR) {
        failure = errno;
      }
    }
  }

  void flush() {
    if (compressor) {
      compressor->write(buffer);
    } else {
      write_bytes(buffer);
    }
    buffer.clear();
    throw_failure();
  }

  void throw_failure() const {
    if (failure == 0) return;
    errno = failure;
    throw file_error(name, "cannot write");
  }
};

OutputFile::OutputFile(const std::string& path) : state_(std::make_unique<State>()) {
  if (path.empty())
    throw InputError("no file name; expected the name of a file to write, or - for standard output");
  state_->open_target(path);
  const Compression compression = compression_of_name(path);
  if (compression != Compression::none) {
    state_->compressor.emplace(compression,
                               [state = state_.get()](std::string_view bytes) { state->write_bytes(bytes); });
  }
}

OutputFile::~OutputFile() = default;

const std::string& OutputFile::name() const {
  return state_->name;
}

void OutputFile::write(std::string_view text) {
  state_->buffer += text;
  if (state_->buffer.size() >= kFlushBytes) state_->flush();
}

void OutputFile::finish() {
  State& state = *state_;
  if (state.is_finished) return;
  state.flush();
  if (state.compressor) state.compressor->finish();
  state.throw_failure();
  state.is_finished = true;
  if (state.is_standard_output || state.is_unnamed) return;
  const int descriptor = std::exchange(state.descriptor, -1);
  if (close(descriptor) != 0) throw file_error(state.name, "cannot write");
}

void OutputFile::commit() {
  finish();
  State& state = *state_;
  if (state.target.empty()) return;
  if (std::exchange(state.is_unnamed, false)) {
    state.give_name();
    if (close(std::exchange(state.descriptor, -1)) != 0) throw file_error(state.name, "cannot write");
    if (state.temporary.empty()) return;
  }
  if (rename(state.temporary.c_str(), state.target.c_str()) != 0)
    throw file_error(state.name, "cannot replace");
  state.temporary.clear();
}

}  // namespace hsvm
