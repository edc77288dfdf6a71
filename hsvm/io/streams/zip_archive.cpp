#include "hsvm/io/streams/zip_archive.hpp"

#include <algorithm>
#include <boost/crc.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/iostreams/read.hpp>
#include <limits>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/error.hpp"
#include "hsvm/io/streams/text.hpp"

namespace hsvm {
namespace {

constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::uint32_t kEntrySignature = 0x02014b50;
constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::uint32_t kEnd64Signature = 0x06064b50;
constexpr std::uint32_t kLocator64Signature = 0x07064b50;
constexpr std::size_t kLocalBytes = 30;
constexpr std::size_t kEntryBytes = 46;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kLocatorBytes = 20;
constexpr std::uint32_t kIn64 = 0xffffffffU;   // the number stands in the 64-bit part
constexpr std::uint64_t kMostInflated = 1040;  // deflate makes no more of one byte

enum class Method : std::uint16_t { stored = 0, deflated = 8 };

std::uint32_t crc_of(std::string_view bytes) {
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

// Numbers at places of the archive, which must be there.
class ArchiveBytes {
 public:
  ArchiveBytes(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  [[noreturn]] void refuse(const std::string& what) const { throw InputError(file_ + ": " + what); }

  [[nodiscard]] std::string_view part(std::uint64_t at, std::uint64_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at)
      refuse("a zip archive that is cut short, or damaged; expected more bytes");
    return bytes_.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(size));
  }
  template <class T>
  [[nodiscard]] T number(std::uint64_t at) const {
    std::uint64_t value = 0;
    const std::string_view digits = part(at, sizeof(T));
    for (std::size_t k = sizeof(T); k > 0; --k) value = value << 8U | static_cast<unsigned char>(digits[k - 1]);
    return static_cast<T>(value);
  }
  [[nodiscard]] std::string_view all() const { return bytes_; }

 private:
  std::string_view bytes_;
  const std::string& file_;
};

struct Directory {
  std::uint64_t begin = 0;
  std::uint64_t n_entries = 0;
};

Directory find_directory(const ArchiveBytes& archive) {
  const std::string_view all = archive.all();
  constexpr std::size_t kLongestComment = 65535;
  if (all.size() < kEndBytes) archive.refuse("not a zip archive: too short");
  const std::size_t last = all.size() - kEndBytes;
  for (std::size_t back = 0; back <= std::min(last, kLongestComment); ++back) {
    const std::uint64_t at = last - back;
    if (archive.number<std::uint32_t>(at) != kEndSignature) continue;
    Directory directory{archive.number<std::uint32_t>(at + 16), archive.number<std::uint16_t>(at + 10)};
    if (directory.begin != kIn64 && directory.n_entries != 0xffffU) return directory;
    if (at < kLocatorBytes || archive.number<std::uint32_t>(at - kLocatorBytes) != kLocator64Signature)
      return directory;
    const auto end64 = archive.number<std::uint64_t>(at - kLocatorBytes + 8);
    if (archive.number<std::uint32_t>(end64) != kEnd64Signature)
      archive.refuse("a damaged zip archive: its directory is not where it should be");
    return {archive.number<std::uint64_t>(end64 + 48), archive.number<std::uint64_t>(end64 + 32)};
  }
  archive.refuse("not a complete zip archive: it has no directory at its end");
}

struct EntryInfo {
  std::string name;
  Method method = Method::stored;
  std::uint32_t crc = 0;
  std::uint64_t packed = 0;
  std::uint64_t size = 0;
  std::uint64_t local = 0;
};

// Takes the 64-bit numbers from the extra field, in their order, for those that say so.
void read_extra(const ArchiveBytes& archive, std::uint64_t at, std::uint64_t size, EntryInfo& entry) {
  constexpr std::uint16_t kZip64 = 1;
  const std::uint64_t end = at + size;
  while (end - at >= 4) {
    const auto id = archive.number<std::uint16_t>(at);
    const auto length = archive.number<std::uint16_t>(at + 2);
    at += 4;
    if (length > end - at) archive.refuse("a damaged zip archive: a field is longer than its place");
    if (id == kZip64) {
      std::uint64_t next = at;
      for (std::uint64_t* const value : {&entry.size, &entry.packed, &entry.local}) {
        if (*value != kIn64) continue;
        if (next + 8 > at + length) archive.refuse("a damaged zip archive: a 64-bit size is missing");
        *value = archive.number<std::uint64_t>(next);
        next += 8;
      }
    }
    at += length;
  }
}

std::shared_ptr<AlignedBuffer<char>> inflate(const ArchiveBytes& archive, std::string_view packed,
                                             const EntryInfo& entry) {
  namespace io = boost::iostreams;
  if (entry.size > packed.size() * kMostInflated + kMostInflated)
    archive.refuse(in_quotes(entry.name) + " claims to be larger than its bytes can hold");
  auto buffer = std::make_shared<AlignedBuffer<char>>();
  buffer->resize(static_cast<std::size_t>(entry.size));
  io::zlib_params raw;
  raw.noheader = true;
  try {
    io::filtering_istream stream;
    stream.push(io::zlib_decompressor(raw));
    stream.push(io::array_source(packed.data(), packed.size()));
    stream.exceptions(std::ios::badbit);
    stream.read(buffer->data(), static_cast<std::streamsize>(buffer->size()));
    const bool whole = stream.gcount() == std::ssize(*buffer);
    if (!whole || stream.peek() != std::char_traits<char>::eof())
      archive.refuse(in_quotes(entry.name) + " has another size than the zip archive says");
  } catch (const io::zlib_error&) {
    archive.refuse(in_quotes(entry.name) + " is damaged: its deflated bytes cannot be read");
  } catch (const std::ios::failure&) {
    archive.refuse(in_quotes(entry.name) + " is damaged: its deflated bytes cannot be read");
  }
  return buffer;
}

ZipEntry read_content(const ArchiveBytes& archive, const EntryInfo& entry) {
  if (archive.number<std::uint32_t>(entry.local) != kLocalSignature)
    archive.refuse("a damaged zip archive: " + in_quotes(entry.name) + " is not where it should be");
  const std::uint64_t begin = entry.local + kLocalBytes + archive.number<std::uint16_t>(entry.local + 26) +
                              archive.number<std::uint16_t>(entry.local + 28);
  const std::string_view packed = archive.part(begin, entry.packed);
  ZipEntry result{entry.name, packed, nullptr};
  if (entry.method == Method::deflated) {
    const auto buffer = inflate(archive, packed, entry);
    result.bytes = {buffer->data(), buffer->size()};
    result.owner = buffer;
  } else if (entry.packed != entry.size) {
    archive.refuse(in_quotes(entry.name) + " has another size than the zip archive says");
  }
  if (crc_of(result.bytes) != entry.crc)
    archive.refuse(in_quotes(entry.name) + " is damaged: its checksum is another than the zip archive says");
  return result;
}

void append(std::string& to, std::uint64_t number, int bytes) {
  for (int k = 0; k < bytes; ++k, number >>= 8U) to += static_cast<char>(number & 0xffU);
}

}  // namespace

bool is_zip(std::string_view head) {
  return head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06");
}

std::vector<ZipEntry> read_zip(std::string_view bytes, const std::string& file) {
  const ArchiveBytes archive(bytes, file);
  const Directory directory = find_directory(archive);
  std::vector<ZipEntry> entries;
  std::uint64_t at = directory.begin;
  for (std::uint64_t k = 0; k < directory.n_entries; ++k) {
    if (archive.number<std::uint32_t>(at) != kEntrySignature)
      archive.refuse("a damaged zip archive: its directory ends too early");
    const std::uint64_t name_size = archive.number<std::uint16_t>(at + 28);
    const std::uint64_t extra_size = archive.number<std::uint16_t>(at + 30);
    EntryInfo entry{std::string(archive.part(at + kEntryBytes, name_size)),
                    static_cast<Method>(archive.number<std::uint16_t>(at + 10)),
                    archive.number<std::uint32_t>(at + 16),
                    archive.number<std::uint32_t>(at + 20),
                    archive.number<std::uint32_t>(at + 24),
                    archive.number<std::uint32_t>(at + 42)};
    constexpr unsigned kEncrypted = 1;
    if ((archive.number<std::uint16_t>(at + 8) & kEncrypted) != 0)
      archive.refuse(in_quotes(entry.name) + " is encrypted; expected one that is not");
    if (entry.method != Method::stored && entry.method != Method::deflated)
      archive.refuse(in_quotes(entry.name) +
                     " is compressed in a way that is not read; expected stored or deflated");
    static_cast<void>(archive.part(at + kEntryBytes + name_size, extra_size));
    read_extra(archive, at + kEntryBytes + name_size, extra_size, entry);
    entries.push_back(read_content(archive, entry));
    at += kEntryBytes + name_size + extra_size + archive.number<std::uint16_t>(at + 32);
  }
  return entries;
}

void ZipWriter::require_small(std::size_t size) const {
  if (size >= kIn64)
    throw InputError(file_ +
                     ": more than 4 GiB, which the format does not hold here; expected another, such as .npy");
}

void ZipWriter::add(const std::string& name, std::string_view bytes) {
  require_small(archive_.size() + bytes.size());
  constexpr std::uint64_t kVersion = 20;
  constexpr std::uint64_t kDate = 0x21;  // the first day that can be said
  const std::size_t local = archive_.size();
  std::string common;
  append(common, kVersion, 2);
  append(common, 0, 2);  // flags
  append(common, 0, 2);  // stored
  append(common, 0, 2);  // time
  append(common, kDate, 2);
  append(common, crc_of(bytes), 4);
  append(common, bytes.size(), 4);
  append(common, bytes.size(), 4);
  append(common, name.size(), 2);
  append(common, 0, 2);  // extra
  append(archive_, kLocalSignature, 4);
  archive_ += common + name;
  archive_ += bytes;
  append(directory_, kEntrySignature, 4);
  append(directory_, kVersion, 2);
  directory_ += common;
  append(directory_, 0, 2 + 2 + 2 + 4);  // comment, disk, attributes
  append(directory_, local, 4);
  directory_ += name;
  ++n_entries_;
}

std::string ZipWriter::finish() {
  require_small(archive_.size() + directory_.size());
  const std::size_t begin = archive_.size();
  archive_ += directory_;
  append(archive_, kEndSignature, 4);
  append(archive_, 0, 4);  // disks
  append(archive_, n_entries_, 2);
  append(archive_, n_entries_, 2);
  append(archive_, directory_.size(), 4);
  append(archive_, begin, 4);
  append(archive_, 0, 2);  // comment
  return std::move(archive_);
}

}  // namespace hsvm
