#include "hsvm/io/streams/output_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "hsvm/core/error.hpp"
#include "hsvm/io/streams/text_input.hpp"
#include "tests/io/io_support.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

void write_file(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

std::size_t files_in(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

unsigned mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 07777U;
}

TEST(OutputFile, IsThereWhenCommitted) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a");
  {
    OutputFile file(path);
    file.write("one\n");
    EXPECT_FALSE(fs::exists(path));
    file.write("two\n");
    file.commit();
  }
  EXPECT_EQ(read_text(path), "one\ntwo\n");
  EXPECT_EQ(files_in(folder.path("")), 1U);
}

TEST(OutputFile, FinishedIsNotYetThere) {
  const TemporaryFolder folder;
  for (const char* name : {"a", "a.gz"}) {
    const std::string path = folder.path(name);
    {
      OutputFile file(path);
      file.write("one\n");
      file.finish();
      EXPECT_FALSE(fs::exists(path));
    }
    EXPECT_EQ(files_in(folder.path("")), 0U);
    OutputFile file(path);
    file.write("one\n");
    file.finish();
    file.commit();
    EXPECT_EQ(read_whole_text(path).text, "one\n");
    fs::remove(path);
  }
  OutputFile full("/dev/full");
  full.write("one\n");
  EXPECT_THAT([&] { full.finish(); }, ThrowsMessage<InputError>(HasSubstr("/dev/full: cannot write")));
}

TEST(OutputFile, LeavesNothingWhenNotCommitted) {
  const TemporaryFolder folder;
  const std::string path = folder.write("old", "before");
  for (const char* name : {"old", "new", "new.gz", "new.zst"}) {
    OutputFile file(folder.path(name));
    file.write(std::string(1 << 20, 'x'));
  }
  EXPECT_EQ(read_text(path), "before");
  EXPECT_EQ(files_in(folder.path("")), 1U);
}

TEST(OutputFile, CompressesByName) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i * 7) + "\n";
  for (const Compression codec : kCodecs) {
    const std::string path = folder.path("a" + std::string(compression_ending(codec)));
    write_file(path, text);
    EXPECT_EQ(compression_of_content(read_text(path)), codec);
    EXPECT_EQ(read_whole_text(path).text, text);
    write_file(path, "");
    EXPECT_EQ(read_whole_text(path).text, "");
  }
}

TEST(OutputFile, FollowsTheUmaskAndKeepsModes) {
  const TemporaryFolder folder;
  const mode_t before = umask(027);
  write_file(folder.path("a"), "x");
  umask(before);
  EXPECT_EQ(mode_of(folder.path("a")), 0640U);
  chmod(folder.path("a").c_str(), 0604);
  write_file(folder.path("a"), "y");
  EXPECT_EQ(mode_of(folder.path("a")), 0604U);
  EXPECT_EQ(read_text(folder.path("a")), "y");
}

TEST(OutputFile, ReplacesTheTargetOfALink) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path("sub"));
  folder.write("sub/target", "before");
  fs::create_symlink("sub/target", folder.path("link"));
  fs::create_symlink("link", folder.path("link2"));
  write_file(folder.path("link2"), "after");
  EXPECT_TRUE(fs::is_symlink(folder.path("link2")));
  EXPECT_TRUE(fs::is_symlink(folder.path("link")));
  EXPECT_EQ(read_text(folder.path("sub/target")), "after");
  fs::create_symlink("sub/absent", folder.path("dangling"));
  write_file(folder.path("dangling"), "new");
  EXPECT_TRUE(fs::is_symlink(folder.path("dangling")));
  EXPECT_EQ(read_text(folder.path("sub/absent")), "new");
}

TEST(OutputFile, WritesToDevicesAsTheyAre) {
  write_file("/dev/null", "text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const TemporaryFolder folder;
  fs::create_symlink("/dev/null", folder.path("null.gz"));
  write_file(folder.path("null.gz"), "text");
  EXPECT_TRUE(fs::is_symlink(folder.path("null.gz")));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(OutputFile, WritesToPipes) {
  const TemporaryFolder folder;
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  write_file(pipe, "through");
  char text[100];
  EXPECT_EQ(std::string(text, static_cast<std::size_t>(read(reader, text, sizeof(text)))), "through");
  close(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(OutputFile, WritesToStandardOutput) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out", "");
  for (const char* name : {"-", "/dev/stdout"}) {
    const pid_t child = fork();
    if (child == 0) {
      const int descriptor = open(path.c_str(), O_WRONLY | O_TRUNC);
      dup2(descriptor, STDOUT_FILENO);
      try {
        write_file(name, "hello\n");
      } catch (...) {
        _exit(1);
      }
      _exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(read_text(path), "hello\n") << name;
  }
}

TEST(OutputFile, SaysWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  for (const std::string ending : {"", ".gz", ".bz2", ".xz", ".zst"}) {
    const std::string path = folder.path("full" + ending);
    fs::create_symlink("/dev/full", path);
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{3} << 20}) {
      if (size == 0 && ending.empty()) continue;  // nothing to write, nothing to fail
      std::string text(size, 'x');
      for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>('0' + i * i % 71);
      EXPECT_THAT([&] { write_file(path, text); },
                  ThrowsMessage<InputError>(path + ": cannot write: No space left on device"))
          << path << " " << size;
    }
  }
}

TEST(OutputFile, SaysWhyItCannotBeWritten) {
  const TemporaryFolder folder;
  const auto write_to = [](const std::string& path) { return [path] { write_file(path, "x"); }; };
  EXPECT_THAT(write_to(folder.path("absent/a")),
              ThrowsMessage<InputError>(folder.path("absent/a") +
                                        ": cannot write in its folder: No such file or directory"));
  EXPECT_THAT(write_to(folder.path("")), ThrowsMessage<InputError>(HasSubstr("is a folder")));
  EXPECT_THAT(write_to(""), ThrowsMessage<InputError>(HasSubstr("no file name")));
  EXPECT_THROW(write_file("/proc/absent", "x"), InputError);
  if (geteuid() == 0) return;  // root may write anywhere
  fs::create_directory(folder.path("locked"));
  chmod(folder.path("locked").c_str(), 0555);
  EXPECT_THAT(write_to(folder.path("locked/a")), ThrowsMessage<InputError>(HasSubstr("Permission denied")));
  const std::string kept = folder.write("kept", "x");
  chmod(kept.c_str(), 0444);
  EXPECT_THAT(write_to(kept), ThrowsMessage<InputError>(kept + ": cannot write: Permission denied"));
}

}  // namespace
}  // namespace hsvm::test
