// A file mapped into memory: its bytes are read when they are touched, and given back when memory is short.
//
//   const auto file = MappedFile::map(descriptor, size, name);     // null where the file cannot be mapped
//   file->read_soon(part);                                         // the disk begins; nothing waits
//   const auto kept = file->keep({part, ...});                     // copied to memory of our own while `kept` lives
//
// What is kept stays at its place: the mapping is private and can be written to, and a page that is written to becomes a copy in
// memory. So who reads it needs no second pointer, and the bits are the same. Pages that are no longer kept are the file's again.
// No more than a quarter of the memory is taken for the copies of one file.
//
// A file that becomes shorter while it is mapped has no bytes to give: the kernel sends SIGBUS. What a program may do about that:
// core/lost_bytes.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hsvm {

class MappedFile : public std::enable_shared_from_this<MappedFile> {
 public:
  // The descriptor may be closed afterwards; size > 0.
  [[nodiscard]] static std::shared_ptr<const MappedFile> map(int descriptor, std::size_t size,
                                                             std::string name);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string_view bytes() const { return {memory_, size_}; }
  // More than a quarter of the memory, that of a control group where there is one: the kernel's cache may not hold it for long.
  [[nodiscard]] bool is_large() const;

  static constexpr std::size_t kLongPart = std::size_t{2} << 20;
  // Parts of bytes(). All of this is advice: where the kernel does not take it, bytes are read when they are touched.
  void read_soon(std::string_view part) const;  // starts to read; for what is shorter than kLongPart
  void read_now(std::string_view part) const;   // waits until they are there
  void done_with(
      std::string_view part) const;  // for now: the first to go where memory is short, but for what is kept
  void read_in_order() const;        // from the first byte to the last, once
  void read_anyhow() const;          // again, and in any order
  // Several may keep the same bytes. The file is mapped at least as long as what is returned lives.
  [[nodiscard]] std::shared_ptr<const void> keep(std::span<const std::string_view> parts) const;

 private:
  MappedFile(char* memory, std::size_t size, std::string name, int descriptor);
  struct Pages {  // begin <= page < end
    std::size_t begin;
    std::size_t end;
  };
  [[nodiscard]] Pages pages_of(std::string_view part) const;
  void advise(Pages pages, int advice) const;
  void read_plainly(std::string_view part) const;
  [[nodiscard]] bool is_cached(std::size_t at) const;
  void change(Pages run, int step) const;
  void count(const std::vector<Pages>& parts, int step) const;

  char* memory_;
  std::size_t size_;
  std::string name_;
  int descriptor_;    // -1 where it could not be opened
  std::size_t slot_;  // in the table of what is mapped
  mutable std::mutex reading_;
  mutable std::mutex mutex_;
  mutable std::vector<std::uint16_t> n_keepers_;  // of each page; empty before the first
  mutable std::vector<char> is_copied_;           // likewise
  mutable std::size_t n_copied_ = 0;              // pages
};

// The name (its beginning) of the file that is mapped there, null where there is none. A signal handler may ask.
[[nodiscard]] const char* mapped_file_at(const void* address);

}  // namespace hsvm
