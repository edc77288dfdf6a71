#include "hsvm/io/lists.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/io/io_support.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

using testing::ElementsAre;

TEST(Lists, ReadsNumbers) {
  const TemporaryFolder folder;
  EXPECT_THAT(read_numbers(folder.write("a", "1\n2.5\n-3e2\n")), ElementsAre(1, 2.5, -300));
  EXPECT_THAT(read_numbers(folder.write("a", "# weights\n\n 1 \r\n2.5 # half\n\n3")), ElementsAre(1, 2.5, 3));
  EXPECT_THAT(read_numbers(folder.write("a.bz2", compress("1\n2\n", Compression::bzip2))), ElementsAre(1, 2));
}

TEST(Lists, ReadsNames) {
  const TemporaryFolder folder;
  EXPECT_THAT(read_names(folder.write("a", "age\nblood pressure \r\n#3\n\n")),
              ElementsAre("age", "blood pressure", "#3"));
}

}  // namespace
}  // namespace hsvm::test
