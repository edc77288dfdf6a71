#include "hsvm/core/lost_bytes.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "hsvm/core/mapped_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

TEST(LostBytesDeathTest, AFileThatShrinksEndsTheProgramWithItsNameAndTheCode) {
  constexpr std::size_t kSize = 64 * 1024;
  const TemporaryFolder folder;
  const std::string path = folder.write("shrinks", std::string(kSize, 'x'));
  const auto read_it = [&] {
    end_on_lost_bytes("program", 7);
    const int descriptor = open(path.c_str(), O_RDONLY);
    const auto file = MappedFile::map(descriptor, kSize, path);
    std::filesystem::resize_file(path, 100);
    int sum = 0;
    for (const char byte : file->bytes()) sum += byte;
    _exit(sum == 0 ? 1 : 2);
  };
  EXPECT_EXIT(read_it(), testing::ExitedWithCode(7), "program: .*shrinks: became shorter while it was read");
}

}  // namespace
}  // namespace hsvm::test
