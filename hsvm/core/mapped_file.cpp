// The table of what is mapped is the one thing here that is the program's and not an object's: a signal handler has nothing else to
// look at. Its entries are written before they are published and read without a lock.

#include "hsvm/core/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <filesystem>
#include <fstream>
#include <limits>
#include <utility>

namespace hsvm {
namespace {

// Since Linux 5.14; the header may be older than the kernel.
constexpr int kPopulateRead = 22;
constexpr int kPopulateWrite = 23;

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

// The least of the numbers in files of this name, in the folder of a control group and in those around it.
double least_limit(std::filesystem::path root, const std::string& group, const char* name) {
  double least = std::numeric_limits<double>::infinity();
  const auto look = [&] {
    double limit = 0.0;
    if (std::ifstream(root / name) >> limit) least = std::min(least, limit);  // "max" is no number
  };
  look();
  for (const std::filesystem::path& part : std::filesystem::path(group).relative_path()) {
    root /= part;
    look();
  }
  return least;
}

// What the machine has, or what a control group (a container, a job of Slurm's) leaves to us: its cache counts there, too.
double memory_bytes() {
  static const double bytes = [] {
    double least =
        static_cast<double>(std::max(0L, sysconf(_SC_PHYS_PAGES))) * static_cast<double>(page_bytes());
    std::ifstream groups("/proc/self/cgroup");  // "0::/group", or "4:memory:/group" of the first version
    for (std::string line; std::getline(groups, line);) {
      const std::string group = line.substr(std::min(line.size(), line.rfind(':') + 1));
      if (line.starts_with("0::")) least = std::min(least, least_limit("/sys/fs/cgroup", group, "memory.max"));
      if (line.find(":memory:") != std::string::npos)
        least = std::min(least, least_limit("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
    }
    return least;
  }();
  return bytes;
}
constexpr double kMostCopied = 0.25;  // of the memory, for one file

struct MappedRange {
  std::atomic<const char*> begin = nullptr;  // null: free
  std::atomic<std::size_t> size = 0;
  std::array<char, 256> name = {};
};
constexpr std::size_t kMappedRanges = 256;
std::array<MappedRange, kMappedRanges> mapped_ranges;
std::mutex mapped_ranges_mutex;

// A file that finds no free entry is mapped all the same; it is only not known by name.
std::size_t enter_range(const char* begin, std::size_t size, const std::string& name) {
  const std::lock_guard lock(mapped_ranges_mutex);
  for (std::size_t slot = 0; slot < kMappedRanges; ++slot) {
    MappedRange& range = mapped_ranges[slot];
    if (range.begin != nullptr) continue;
    range.name.fill('\0');
    name.copy(range.name.data(), range.name.size() - 1);
    range.size = size;
    range.begin = begin;
    return slot;
  }
  return kMappedRanges;
}

void leave_range(std::size_t slot) {
  if (slot < kMappedRanges) mapped_ranges[slot].begin = nullptr;
}

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::map(int descriptor, std::size_t size, std::string name) {
  assert(size > 0);
  // Nothing is reserved: only what is kept takes memory.
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, descriptor, 0);
  if (memory == MAP_FAILED) memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (memory == MAP_FAILED) return nullptr;
  // Opened again: what the kernel notes of the order of readings is apart from that of the mapping.
  const int again = open(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), O_RDONLY | O_CLOEXEC);
  return std::shared_ptr<const MappedFile>(
      new MappedFile(static_cast<char*>(memory), size, std::move(name), again));
}

MappedFile::MappedFile(char* memory, std::size_t size, std::string name, int descriptor)
    : memory_(memory),
      size_(size),
      name_(std::move(name)),
      descriptor_(descriptor),
      slot_(enter_range(memory, size, name_)) {}

MappedFile::~MappedFile() {
  leave_range(slot_);
  munmap(memory_, size_);
  if (descriptor_ >= 0) close(descriptor_);
}

bool MappedFile::is_large() const {
  return static_cast<double>(size_) > kMostCopied * memory_bytes();
}

MappedFile::Pages MappedFile::pages_of(std::string_view part) const {
  assert(part.data() >= memory_ && part.data() + part.size() <= memory_ + size_);
  const auto begin = static_cast<std::size_t>(part.data() - memory_);
  return {begin / page_bytes(), (begin + part.size() + page_bytes() - 1) / page_bytes()};
}

void MappedFile::advise(Pages pages, int advice) const {
  if (pages.begin >= pages.end) return;
  const std::size_t begin = pages.begin * page_bytes();
  madvise(memory_ + begin, std::min(pages.end * page_bytes(), size_) - begin, advice);
}

// The kernel reads no more for one call than its window for reading ahead, 128 KB where nobody has changed it; without a word it leaves
// the rest to be read page by page.
void MappedFile::read_soon(std::string_view part) const {
  constexpr std::size_t kWindow = std::size_t{128} << 10;
  for (; !part.empty(); part.remove_prefix(std::min(kWindow, part.size())))
    advise(pages_of(part.substr(0, kWindow)), MADV_WILLNEED);
}

void MappedFile::read_now(std::string_view part) const {
  if (part.size() >= kLongPart) read_plainly(part);
  advise(pages_of(part), kPopulateRead);
}

// Whether the kernel's cache has a byte. (mincore does not say so of other people's files.)
bool MappedFile::is_cached(std::size_t at) const {
  char byte = 0;
  const iovec to{&byte, 1};
  return preadv2(descriptor_, &to, 1, static_cast<off_t>(at), RWF_NOWAIT) == 1;
}

// Into the cache; what comes with it is of no use. Advice makes the cache page by page, which takes the kernel longer than some disks; a
// plain reading makes it of large pieces. What cannot be read here will be missed where it is looked at.
void MappedFile::read_plainly(std::string_view part) const {
  const std::lock_guard lock(reading_);  // in order
  std::vector<char> buffer(std::size_t{1} << 18);
  const auto begin = static_cast<std::size_t>(part.data() - memory_);
  for (std::size_t at = begin; at < begin + part.size(); at += buffer.size()) {
    const std::size_t size = std::min(buffer.size(), begin + part.size() - at);
    if (is_cached(at) && is_cached(at + size - 1)) continue;
    if (pread(descriptor_, buffer.data(), size, static_cast<off_t>(at)) <= 0) return;
  }
}

void MappedFile::done_with(std::string_view part) const {
  // A page that is shared with what is before or after may be in use.
  Pages pages = pages_of(part);
  if (static_cast<std::size_t>(part.data() - memory_) % page_bytes() != 0) ++pages.begin;
  if (static_cast<std::size_t>(part.data() + part.size() - memory_) % page_bytes() != 0) --pages.end;
  const std::lock_guard lock(mutex_);
  for (std::size_t begin = pages.begin; begin < pages.end;) {
    std::size_t end = begin;
    while (end < pages.end && (is_copied_.empty() || is_copied_[end] == 0)) ++end;
    advise({begin, end}, MADV_DONTNEED);
    begin = end + 1;
  }
}

void MappedFile::read_in_order() const {
  madvise(memory_, size_, MADV_SEQUENTIAL);
}

void MappedFile::read_anyhow() const {
  madvise(memory_, size_, MADV_NORMAL);
}

// Copies a run of pages that got its first keeper, or gives one back to the file that lost its last. No more is copied than the
// memory will bear: what is beyond stays the file's, and the kernel's to keep in its cache.
void MappedFile::change(Pages run, int step) const {
  if (run.begin == run.end) return;
  const auto begin = is_copied_.begin() + static_cast<std::ptrdiff_t>(run.begin);
  const auto end = is_copied_.begin() + static_cast<std::ptrdiff_t>(run.end);
  const std::size_t size = run.end - run.begin;
  if (step < 0) {
    advise(run, MADV_DONTNEED);
    n_copied_ -= static_cast<std::size_t>(std::count(begin, end, char{1}));
    std::fill(begin, end, char{0});
  } else if (static_cast<double>((n_copied_ + size) * page_bytes()) <= kMostCopied * memory_bytes()) {
    advise(run, kPopulateWrite);
    n_copied_ += size;
    std::fill(begin, end, char{1});
  }
}

void MappedFile::count(const std::vector<Pages>& parts, int step) const {
  const std::lock_guard lock(mutex_);
  n_keepers_.resize((size_ + page_bytes() - 1) / page_bytes(), 0);
  is_copied_.resize(n_keepers_.size(), 0);
  for (const Pages& part : parts) {
    Pages run{part.begin, part.begin};
    for (std::size_t page = part.begin; page < part.end; ++page) {
      const std::uint16_t before = n_keepers_[page];
      n_keepers_[page] = static_cast<std::uint16_t>(before + step);
      const bool turns = step > 0 ? before == 0 : before == 1;
      if (turns && run.end == page) {
        run.end = page + 1;
        continue;
      }
      change(run, step);
      run = turns ? Pages{page, page + 1} : Pages{page + 1, page + 1};
    }
    change(run, step);
  }
}

std::shared_ptr<const void> MappedFile::keep(std::span<const std::string_view> parts) const {
  std::vector<Pages> all;
  for (const std::string_view part : parts) {
    if (!part.empty()) all.push_back(pages_of(part));
  }
  std::ranges::sort(all, {}, &Pages::begin);
  std::vector<Pages> pages;  // each once, though two parts may share it
  for (const Pages& part : all) {
    if (!pages.empty() && part.begin <= pages.back().end) {
      pages.back().end = std::max(pages.back().end, part.end);
    } else {
      pages.push_back(part);
    }
  }
  count(pages, 1);
  const auto release = [file = shared_from_this(), pages](const void*) { file->count(pages, -1); };
  return {static_cast<const void*>(this), release};
}

const char* mapped_file_at(const void* address) {
  const auto* const at = static_cast<const char*>(address);
  for (const MappedRange& range : mapped_ranges) {
    const char* const begin = range.begin;
    if (begin != nullptr && at >= begin && at < begin + range.size + page_bytes()) return range.name.data();
  }
  return nullptr;
}

}  // namespace hsvm
