#include "hsvm/io/formats/lists.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "hsvm/core/error.hpp"
#include "tests/io/io_support.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;

TEST(Lists, ReadsNumbers) {
  const TemporaryFolder folder;
  EXPECT_THAT(read_numbers(folder.write("a", "1\n2.5\n-3e2\n")), ElementsAre(1, 2.5, -300));
  EXPECT_THAT(read_numbers(folder.write("a", "# weights\n\n 1 \r\n2.5 # half\n\n3")), ElementsAre(1, 2.5, 3));
  EXPECT_THAT(read_numbers(folder.write("a.bz2", compress("1\n2\n", Compression::bzip2))), ElementsAre(1, 2));
}

TEST(Lists, ReadsWords) {
  const TemporaryFolder folder;
  EXPECT_THAT(read_words(folder.write("a", "# folds\n3\nsite B \r\n\n3 # again")),
              ElementsAre("3", "site B", "3"));
  EXPECT_THAT([&] { static_cast<void>(read_words(folder.write("a", "# none\n"))); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("a: no words; expected one on each line")));
}

TEST(Lists, ReadsNames) {
  const TemporaryFolder folder;
  EXPECT_THAT(read_names(folder.write("a", "age\nblood pressure \r\n#3\n\n")),
              ElementsAre("age", "blood pressure", "#3"));
}

TEST(Lists, RefusesBrokenOnesWithAMessage) {
  const TemporaryFolder folder;
  const struct {
    std::string content;
    std::string message;
    bool numbers;
  } lists[] = {
      {"1\n2\nx\n", ":3:1: 'x'; expected a finite number, one on each line", true},
      {"1 2\n", ":1:1: '1 2'; expected a finite number, one on each line", true},
      {"nan\n", ":1:1: 'nan'; expected a finite number, one on each line", true},
      {"\n# c\n1e999\n", ":3:1: '1e999'; expected a finite number, one on each line", true},
      {"1\n\0\n"s, ":2:1: NUL byte; expected text", true},
      {"", ": the file is empty; expected a list", true},
      {"# nothing\n", ": no numbers; expected one on each line", true},
      {"a\n\nb\n", ":2:1: empty line; expected a name", false},
      {"\n\n", ": no names; expected one on each line", false},
      {"", ": the file is empty; expected a list", false},
  };
  for (const auto& list : lists) {
    const std::string path = folder.write("list", list.content);
    try {
      if (list.numbers) {
        (void)read_numbers(path);
      } else {
        (void)read_names(path);
      }
      ADD_FAILURE() << "accepted, where expected:" << list.message;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), path + list.message);
    }
  }
}

}  // namespace
}  // namespace hsvm::test
