#include "hsvm/io/formats/matrix_market.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hsvm/core/error.hpp"
#include "tests/io/io_support.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

Dataset read_market(const std::string& text, std::size_t block_bytes = kDefaultBlockBytes) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.labels_required = false;
  options.block_bytes = block_bytes;
  return read_dataset(folder.write("a.mtx", text), options);
}

TEST(MatrixMarket, ReadsCoordinatesOfEveryKind) {
  for (const std::size_t block_bytes : {std::size_t{1}, kDefaultBlockBytes}) {
    const Dataset real = read_market(
        "%%MatrixMarket matrix coordinate real general\n% a comment\n\n 2 3  4 \n2 1 -1.5e0\r\n1 3 2\n2 1 0.5\n1 1 0\n",
        block_bytes);
    EXPECT_THAT(entries(real), ElementsAre(0, 0, 2, -1, 0, 0));  // what stands twice is added up
    EXPECT_FALSE(is_dense(real));
    EXPECT_EQ(real.design->stored(), 2);  // a zero is no entry
    EXPECT_THAT(entries(read_market("%%matrixmarket MATRIX Coordinate Integer symmetric\n2 2 2\n1 1 3\n2 1 4\n",
                                    block_bytes)),
                ElementsAre(3, 4, 4, 0));
    EXPECT_THAT(entries(read_market("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n",
                                    block_bytes)),
                ElementsAre(0, 1, 1, 0));
    EXPECT_EQ(
        read_market("%%MatrixMarket matrix coordinate real general\n2 2 0\n", block_bytes).design->stored(), 0);
  }
}

TEST(MatrixMarket, ReadsArrays) {
  const Dataset data = read_market("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n");
  EXPECT_THAT(entries(data), ElementsAre(1, 3, 5, 2, 4, 6));
  EXPECT_TRUE(is_dense(data));
  EXPECT_THAT(entries(read_market("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n")),
              ElementsAre(1, 2, 2, 3));
}

TEST(MatrixMarket, IsKnownByItsContent) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.labels_required = false;
  const std::string path = folder.write("unnamed", "%%MatrixMarket matrix array real general\n1 1\n7\n");
  EXPECT_THAT(entries(read_dataset(path, options)), ElementsAre(7));
}

TEST(MatrixMarket, SaysWhatIsWrong) {
  const std::string coordinates = "%%MatrixMarket matrix coordinate real general\n";
  const std::string array = "%%MatrixMarket matrix array real general\n";
  const struct {
    std::string text;
    std::string message;
  } cases[] = {
      {"", "not a MatrixMarket file"},
      {"1 1 1\n", "a.mtx:1:1: not a MatrixMarket file"},
      {"%%MatrixMarket vector\n", "a.mtx:1:16: 'vector' is not read; expected matrix"},
      {"%%MatrixMarket matrix coordinate complex general\n",
       "'complex' is not read; expected real, integer, pattern"},
      {"%%MatrixMarket matrix array pattern general\n", "'pattern' is not read"},
      {"%%MatrixMarket matrix coordinate real hermitian\n",
       "'hermitian' is not read; expected general, symmetric"},
      {coordinates, "no line with the size"},
      {coordinates + "0 3 1\n", "a.mtx:2:1: the number of rows is '0'; expected a whole number from 1"},
      {coordinates + "3 x 1\n", "a.mtx:2:3: the number of columns is 'x'"},
      {coordinates + "3 99999999999 1\n",
       "the number of columns is '99999999999'; expected a whole number from 1 to 100000000"},
      {coordinates + "3 3 1 4\n", "a.mtx:2:7: '4'; expected the end of the line"},
      {coordinates + "3 3 1\n4 1 1\n", "a.mtx:3:1: row '4'; expected a whole number from 1 to 3"},
      {coordinates + "3 3 1\n1 0 1\n", "column '0'; expected a whole number from 1 to 3"},
      {coordinates + "3 3 1\n1 1 nan\n", "a.mtx:3:5: 'nan'; expected a finite number"},
      {coordinates + "3 3 1\n1 1\n", "''; expected a finite number"},
      {coordinates + "3 3 1\n1 1 1 1\n", "'1'; expected the end of the line"},
      {coordinates + "3 3 1\n1 1 1\n1 2 1\n", "a.mtx:4:1: more than the 1 entries"},
      {coordinates + "3 3 2\n1 1 1\n", "1 entries, though 2 were announced"},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n", "other rows than columns"},
      {array + "2 2\n1\n2\n3\n", "3 values; expected 4"},
      {array + "2 2\n1\n2\n3\n4\n5\n", "more than 4 values"},
      {array + "2147483647 100000000\n1\n", "1 values; expected 214748364700000000"},
  };
  for (const auto& c : cases) {
    const TemporaryFolder folder;
    const std::string path = folder.write("a.mtx", c.text);
    EXPECT_THAT([&] { static_cast<void>(read_as("mtx", path)); },
                ThrowsMessage<InputError>(HasSubstr(c.message)))
        << c.text;
  }
}

TEST(ZeroBased, IndicesCountFromZero) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.svm", "1 0:5 2:6\n2 1:7\n");
  ReadOptions options;
  options.zero_based = true;
  options.storage = Storage::dense;
  EXPECT_THAT(entries(read_dataset(path, options)), ElementsAre(5, 0, 6, 0, 7, 0));
  EXPECT_THAT([&] { static_cast<void>(read_dataset(path, {})); },
              ThrowsMessage<InputError>(
                  HasSubstr("index 0; expected an index of at least 1, or the option zero_based")));
  EXPECT_THAT([&] { static_cast<void>(read_as("libsvm", folder.write("b.svm", "1 0:1 0:2\n"), options)); },
              ThrowsMessage<InputError>(HasSubstr("index 0 twice")));
  EXPECT_THAT([&] { static_cast<void>(read_as("libsvm", folder.write("b.svm", "1 3:1 1:2\n"), options)); },
              ThrowsMessage<InputError>(HasSubstr("index 1 after 3")));
  options.n_features = 3;
  EXPECT_EQ(read_dataset(path, options).n_features(), 3);
  options.n_features = 2;
  EXPECT_THAT([&] { static_cast<void>(read_dataset(path, options)); },
              ThrowsMessage<InputError>(HasSubstr("index '2' above the number of features")));
}

}  // namespace
}  // namespace hsvm::test
