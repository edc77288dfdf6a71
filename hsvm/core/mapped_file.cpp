// The table of what is mapped is the one thing here that is the program's and not an object's: a signal handler has nothing else to
// look at. Its entries are written before they are published and read without a lock.

#include "hsvm/core/mapped_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
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

std::size_t memory_pages() {
  static const auto pages = static_cast<std::size_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  return pages;
}
constexpr double kMostCopied = 0.25;  // of the machine's memory, for one file

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
  return std::shared_ptr<const MappedFile>(new MappedFile(static_cast<char*>(memory), size, std::move(name)));
}

MappedFile::MappedFile(char* memory, std::size_t size, std::string name)
    : memory_(memory), size_(size), name_(std::move(name)), slot_(enter_range(memory, size, name_)) {}

MappedFile::~MappedFile() {
  leave_range(slot_);
  munmap(memory_, size_);
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

void MappedFile::read_soon(std::string_view part) const {
  advise(pages_of(part), MADV_WILLNEED);
}

void MappedFile::read_now(std::string_view part) const {
  advise(pages_of(part), kPopulateRead);
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
  } else if (static_cast<double>(n_copied_ + size) <= kMostCopied * static_cast<double>(memory_pages())) {
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
