#include "hsvm/core/mapped_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

std::shared_ptr<const MappedFile> map_path(const std::string& path, std::size_t size) {
  const int descriptor = open(path.c_str(), O_RDONLY);
  EXPECT_GE(descriptor, 0);
  auto mapped = MappedFile::map(descriptor, size, path);
  close(descriptor);
  return mapped;
}

// Kilobytes of memory that no file stands behind.
long anonymous_kilobytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word == "RssAnon:") break;
  }
  long kilobytes = 0;
  status >> kilobytes;
  return kilobytes;
}

std::string some_bytes(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t k = 0; k < size; ++k) bytes[k] = static_cast<char>(k * 7 + k / 4096);
  return bytes;
}

TEST(MappedFile, BytesAreThoseOfTheFileWhateverIsAdvised) {
  const TemporaryFolder folder;
  const std::string bytes = some_bytes(100'001);
  const auto file = map_path(folder.write("f", bytes), bytes.size());
  ASSERT_NE(file, nullptr);
  file->read_soon(file->bytes().substr(5, 9000));
  file->read_now(file->bytes());
  file->read_in_order();
  file->read_anyhow();
  EXPECT_EQ(file->bytes(), bytes);
  file->done_with(file->bytes().substr(3, 50'000));
  file->done_with(file->bytes().substr(7, 9));
  EXPECT_EQ(file->bytes(), bytes);
  EXPECT_FALSE(file->is_large());
}

// Kilobytes of files that are mapped and have been read.
long mapped_kilobytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word && word != "RssFile:") {
  }
  long kilobytes = 0;
  status >> kilobytes;
  return kilobytes;
}

// Long enough to be read plainly, and not in the cache.
TEST(MappedFile, WhatIsReadIsThereUntilOneIsDoneWithItAndWhatIsKeptStays) {
  const TemporaryFolder folder;
  constexpr std::size_t kSize = std::size_t{16} << 20;
  const std::string bytes = some_bytes(kSize);
  const std::string path = folder.write("f", bytes);
  const int descriptor = open(path.c_str(), O_RDONLY);
  fsync(descriptor);
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  close(descriptor);
  const auto file = map_path(path, kSize);
  const long before = mapped_kilobytes();
  file->read_now(file->bytes());
  EXPECT_GE(mapped_kilobytes() - before, static_cast<long>(kSize / 1024) - 1024);
  const long anonymous = anonymous_kilobytes();
  const auto kept = file->keep(std::vector{file->bytes().substr(kSize / 2 + 5, kSize / 4)});
  file->done_with(file->bytes().substr(1));
  EXPECT_LE(mapped_kilobytes() - before, 1024);
  EXPECT_GE(anonymous_kilobytes() - anonymous, static_cast<long>(kSize / 4 / 1024) - 1024);
  EXPECT_EQ(file->bytes(), bytes);
}

TEST(MappedFile, WhatIsKeptIsACopyAtTheSamePlaceAndGoesWithItsLastKeeper) {
  const TemporaryFolder folder;
  constexpr std::size_t kSize = std::size_t{32} << 20;
  const std::string bytes = some_bytes(kSize);
  const auto file = map_path(folder.write("f", bytes), kSize);
  const std::string_view half = file->bytes().substr(0, kSize / 2);
  const long before = anonymous_kilobytes();
  auto first = file->keep(std::vector{half});
  const long with_half = anonymous_kilobytes();
  EXPECT_GE(with_half - before, static_cast<long>(kSize / 2 / 1024) - 1024);
  auto again = file->keep(std::vector{half.substr(10, 5000), half.substr(4096, 100), half});
  EXPECT_LE(anonymous_kilobytes() - with_half, 4096);  // nothing twice
  first.reset();
  EXPECT_GE(anonymous_kilobytes() - before, static_cast<long>(kSize / 2 / 1024) - 4096);
  EXPECT_EQ(file->bytes(), bytes);
  again.reset();
  EXPECT_LE(anonymous_kilobytes() - before, static_cast<long>(kSize / 8 / 1024));
  EXPECT_EQ(file->bytes(), bytes);
}

// What is kept is a copy: it does not see what others write to the file.
TEST(MappedFile, KeptBytesAreThoseOfTheMomentAndOthersThoseOfTheFile) {
  const TemporaryFolder folder;
  const std::string bytes = some_bytes(64 * 1024);
  const std::string path = folder.write("f", bytes);
  const auto file = map_path(path, bytes.size());
  auto kept = file->keep(std::vector{file->bytes().substr(0, 100)});
  std::fstream(path, std::ios::in | std::ios::out | std::ios::binary) << "new";
  EXPECT_EQ(file->bytes().substr(0, 3), bytes.substr(0, 3));
  kept.reset();
  EXPECT_EQ(file->bytes().substr(0, 3), "new");
}

TEST(MappedFile, IsKnownByNameWhereItIsMappedAndWhileItIs) {
  const TemporaryFolder folder;
  const std::string path = folder.write("named", some_bytes(64 * 1024));
  auto file = map_path(path, 64 * 1024);
  const char* const last = file->bytes().data() + file->bytes().size() - 1;
  ASSERT_NE(mapped_file_at(last), nullptr);
  EXPECT_EQ(path.find(mapped_file_at(last)), 0U);
  EXPECT_EQ(mapped_file_at(file->bytes().data() - 1), nullptr);
  EXPECT_EQ(mapped_file_at(&path), nullptr);
  file.reset();
  EXPECT_EQ(mapped_file_at(last), nullptr);
}

}  // namespace
}  // namespace hsvm::test
