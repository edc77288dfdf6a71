#include "hsvm/io/streams/input_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "hsvm/core/error.hpp"
#include "tests/io/io_support.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::string content_of(InputFile& file) {
  std::string content;
  char buffer[777];
  for (std::size_t n; (n = file.read(buffer, sizeof(buffer))) > 0;) content.append(buffer, n);
  return content;
}

TEST(InputFile, DecompressesByContent) {
  const TemporaryFolder folder;
  const std::string text = sample_text(3000);
  for (const Compression codec : kCodecs) {
    InputFile file(folder.write("data", compress(text, codec)));
    EXPECT_TRUE(file.is_compressed());
    EXPECT_FALSE(file.map().has_value());
    EXPECT_EQ(content_of(file), text);
  }
}

TEST(InputFile, HeadIsStillToBeRead) {
  const TemporaryFolder folder;
  for (const int n_lines : {0, 1, 3000}) {
    const std::string text = sample_text(n_lines);
    for (const std::string& bytes : {text, compress(text, Compression::bzip2)}) {
      InputFile file(folder.write("data", bytes));
      EXPECT_EQ(file.head(), text.substr(0, kHeadBytes));
      EXPECT_EQ(file.head(), text.substr(0, kHeadBytes));
      EXPECT_EQ(content_of(file), text);
    }
  }
}

TEST(InputFile, MapsPlainFiles) {
  const TemporaryFolder folder;
  InputFile file(folder.write("data", "some text"));
  EXPECT_EQ(file.head(), "some text");
  EXPECT_EQ(file.map(), "some text");
  EXPECT_EQ(file.map(), "some text");
  EXPECT_FALSE(InputFile(folder.write("empty", "")).map().has_value());
}

TEST(InputFile, ReadsStandardInput) {
  const TemporaryFolder folder;
  const int saved = dup(STDIN_FILENO);
  const int descriptor = open(folder.write("in", "from a pipe").c_str(), O_RDONLY);
  dup2(descriptor, STDIN_FILENO);
  {
    InputFile file("-");
    EXPECT_EQ(file.name(), "standard input");
    EXPECT_EQ(file.head(), "from a pipe");
    EXPECT_FALSE(file.map().has_value());
    EXPECT_EQ(content_of(file), "from a pipe");
  }
  close(descriptor);
  dup2(saved, STDIN_FILENO);
  close(saved);
}

TEST(InputFile, SaysWhyAFileCannotBeRead) {
  const TemporaryFolder folder;
  const auto open_file = [](const std::string& path) { return [path] { (void)InputFile(path); }; };
  const std::string absent = folder.path("absent");
  EXPECT_THAT(open_file(absent),
              ThrowsMessage<InputError>(absent + ": cannot open: No such file or directory"));
  EXPECT_THAT(open_file("/tmp"), ThrowsMessage<InputError>("/tmp: is a folder; expected a file"));
  EXPECT_THAT(open_file(""), ThrowsMessage<InputError>(HasSubstr("no file name")));
  const std::string not_gzip = folder.write("plain.csv.gz", "1,2\n");
  EXPECT_THAT(open_file(not_gzip),
              ThrowsMessage<InputError>(not_gzip + ": not a gzip stream, though its name ends in .gz"));
  const std::string other = folder.write("other.bz2", compress("1,2\n", Compression::xz));
  EXPECT_THAT(open_file(other), ThrowsMessage<InputError>(HasSubstr("not a bzip2 stream")));
  if (geteuid() != 0) {
    const std::string locked = folder.write("locked", "1\n");
    chmod(locked.c_str(), 0);
    EXPECT_THAT(open_file(locked), ThrowsMessage<InputError>(locked + ": cannot open: Permission denied"));
  }
}

}  // namespace
}  // namespace hsvm::test
