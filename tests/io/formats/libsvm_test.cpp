#include "hsvm/io/formats/libsvm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/core/random.hpp"
#include "hsvm/io/formats/dataset_file.hpp"
#include "tests/io/io_support.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class Libsvm : public testing::Test {
 protected:
  Dataset read(std::string_view text, const ReadOptions& options = {}) {
    return read_as("libsvm", folder_.write("data.libsvm", text), options);
  }
  TemporaryFolder folder_;
};

TEST_F(Libsvm, ReadsAPlainFile) {
  const Dataset data = read("+1 1:0.5 3:-2\n-1 2:1e-3\n");
  EXPECT_EQ(data.n_samples(), 2);
  EXPECT_EQ(data.n_features(), 3);
  EXPECT_THAT(entries(data), ElementsAre(0.5, 0, -2, 0, 0.001, 0));
  EXPECT_THAT(labels(data), ElementsAre("1", "-1"));
  EXPECT_THAT(data.labels->classes.names, ElementsAre("-1", "1"));
  EXPECT_EQ(data.source, folder_.path("data.libsvm"));
  EXPECT_TRUE(data.feature_names.empty());
}

TEST_F(Libsvm, AcceptsTheWartsOfRealFiles) {
  const struct {
    const char* text;
    std::vector<double> values;
    std::vector<std::string> labels;
  } files[] = {
      {"1 1:2\r\n-1 2:3\r\n", {2, 0, 0, 3}, {"1", "-1"}},                  // Windows line ends
      {"1 1:2\r\n\r\n-1 2:3\r\n\r\n", {2, 0, 0, 3}, {"1", "-1"}},          // and blank lines
      {"\n\n1 1:2\n   \n\t\n-1 2:3\n\n", {2, 0, 0, 3}, {"1", "-1"}},       // blank lines, some with spaces
      {"# title\n1 1:2\n  # more\n-1 2:3\n#", {2, 0, 0, 3}, {"1", "-1"}},  // comment lines
      {"1 1:2 # first\n-1 2:3 #\n", {2, 0, 0, 3}, {"1", "-1"}},            // comments after a sample
      {"1 # nothing measured\n-1 2:3\n", {0, 0, 0, 3}, {"1", "-1"}},       // after a label
      {"  1 1:2  \n\t-1\t2:3\t\n", {2, 0, 0, 3}, {"1", "-1"}},             // spaces and tabs around
      {"1   1:2 \t 2:4\n-1 2:3\n", {2, 4, 0, 3}, {"1", "-1"}},             // and between
      {"1 1:2\n-1 2:3", {2, 0, 0, 3}, {"1", "-1"}},                        // no newline at the end
      {"\xef\xbb\xbf"
       "1 1:2\n-1 2:3\n",
       {2, 0, 0, 3},
       {"1", "-1"}},                                                           // a byte order mark
      {"1.000000 1:2\n+1 2:3\n1 2:4\n", {2, 0, 0, 3, 0, 4}, {"1", "1", "1"}},  // one class, three spellings
      {"spam 1:2\nham 2:3\n", {2, 0, 0, 3}, {"spam", "ham"}},                  // words
      {"1 1:2\n-1\n1 2:3\n", {2, 0, 0, 0, 0, 3}, {"1", "-1", "1"}},            // a row without features
      {"1 1:2 2:0\n-1 1:0.0 2:3\n", {2, 0, 0, 3}, {"1", "-1"}},                // explicit zeros
      {"1 1:+2 2:-0\n-1 2:3.\n", {2, 0, 0, 3}, {"1", "-1"}},                   // signs, a bare point
      {"1 01:2\n-1 0000000002:3\n", {2, 0, 0, 3}, {"1", "-1"}},                // leading zeros
      {"1 1:2e0\n-1 2:.3E+1\n", {2, 0, 0, 3}, {"1", "-1"}},                    // exponents
  };
  for (const auto& file : files) {
    for (const std::size_t block_bytes : {std::size_t{1}, kDefaultBlockBytes}) {
      ReadOptions options;
      options.block_bytes = block_bytes;
      const Dataset data = read(file.text, options);
      EXPECT_EQ(entries(data), file.values) << file.text;
      EXPECT_EQ(labels(data), file.labels) << file.text;
    }
  }
}

TEST_F(Libsvm, TakesTheNumberOfFeaturesGiven) {
  ReadOptions options;
  options.n_features = 5;
  EXPECT_EQ(read("1 1:2\n-1 3:1\n", options).n_features(), 5);
  options.n_features = 3;
  EXPECT_EQ(read("1 1:2\n-1 3:1\n", options).n_features(), 3);
  options.n_features.reset();
  EXPECT_EQ(read("1 1:2 100000:1\n", options).n_features(), 100000);
  EXPECT_EQ(read("1 1:2 100000:0\n", options).n_features(), 100000);  // zeros name a feature too
  options.n_features = 0;
  EXPECT_THROW((void)read("1 1:2\n", options), OptionError);
}

TEST_F(Libsvm, StoresWhatTakesFewerBytes) {
  ReadOptions options;
  const std::string full = "1 1:1 2:2 3:3\n-1 1:4 2:5 3:6\n";
  const std::string sparse = "1 1:1\n-1 9:2\n1\n1 4:1\n";
  EXPECT_TRUE(is_dense(read(full)));
  EXPECT_FALSE(is_dense(read(sparse)));
  for (const Storage storage : {Storage::dense, Storage::sparse}) {
    for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
      options.storage = storage;
      options.precision = precision;
      for (const std::string& text : {full, sparse}) {
        const Dataset data = read(text, options);
        EXPECT_EQ(is_dense(data), storage == Storage::dense);
        EXPECT_EQ(is_single(data), precision == Precision::single_precision);
        EXPECT_EQ(entries(data), entries(read(text)));
      }
    }
  }
}

TEST_F(Libsvm, DoesNotStoreZeros) {
  ReadOptions options;
  options.storage = Storage::sparse;
  const Dataset data = read("1 1:0 2:0 3:1\n-1 1:0 2:0 3:0\n", options);
  EXPECT_EQ((*data.design.get_if<CscMatrix<double>>()).stored(), 1);
  EXPECT_EQ(data.n_features(), 3);
}

TEST_F(Libsvm, ReadsUnlabelledDataWhereAllowed) {
  ReadOptions options;
  options.labels_required = false;
  const Dataset data = read("1:2 2:3\n\n2:4\n", options);
  EXPECT_FALSE(data.labels.has_value());
  EXPECT_THAT(entries(data), ElementsAre(2, 3, 0, 4));
  EXPECT_TRUE(read("1 1:2 2:3\n", options).labels.has_value());
}

TEST_F(Libsvm, HoldsManyLabels) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i) + ".5 1:1\n";
  ReadOptions options;
  options.block_bytes = 100;
  const Dataset data = read(text, options);
  EXPECT_EQ(data.labels->classes.size(), 5000);
  EXPECT_EQ(labels(data)[4321], "4321.5");
}

TEST_F(Libsvm, IsTheSameForAnyNumberOfThreads) {
  Random random(3);
  for (const int n_columns : {12, 3000}) {  // dense in the end, and sparse
    std::string text;
    for (int i = 0; i < 3000; ++i) {
      text += random.below(2) == 0 ? "+1" : "-1";
      for (int j = 1; j <= n_columns;
           j += 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(n_columns / 6)))) {
        text.append(" ").append(std::to_string(j)).append(":").append(std::to_string(random.normal()));
      }
      text += "\n";
    }
    const std::string plain = folder_.write("data", text);
    const std::string packed = folder_.write("packed", compress(text, Compression::zstd));
    const std::vector<std::uint64_t> expected = fingerprint(read_as("libsvm", plain));
    for (const int threads : {1, 2, 4}) {
      for (const std::size_t block_bytes : {std::size_t{50}, std::size_t{5000}, kDefaultBlockBytes}) {
        with_threads(threads, [&] {
          ReadOptions options;
          options.block_bytes = block_bytes;
          EXPECT_EQ(fingerprint(read_as("libsvm", plain, options)), expected);
          EXPECT_EQ(fingerprint(read_as("libsvm", packed, options)), expected);
        });
      }
    }
  }
}

TEST_F(Libsvm, ReportsTheFirstErrorForAnyNumberOfThreads) {
  std::string text;
  for (int i = 1; i <= 2000; ++i) text += i % 300 == 299 ? "1 1:1 1:2\n" : "1 1:1 2:0.25\n";
  const std::string path = folder_.write("data", text);
  const std::string packed = folder_.write("packed", compress(text, Compression::gzip));
  for (const int threads : {1, 2, 4}) {
    for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{100}, kDefaultBlockBytes}) {
      with_threads(threads, [&] {
        ReadOptions options;
        options.block_bytes = block_bytes;
        const std::string message = ":299:7: index 1 twice; expected increasing indices";
        EXPECT_THAT([&] { (void)read_as("libsvm", path, options); }, ThrowsMessage<InputError>(path + message));
        EXPECT_THAT([&] { (void)read_as("libsvm", packed, options); },
                    ThrowsMessage<InputError>(packed + message));
      });
    }
  }
}

TEST_F(Libsvm, BlamesTheStreamBeforeItsText) {
  std::string text = "1 1:1\nnonsense here\n";
  for (int i = 0; i < 20000; ++i) text.append("1 1:").append(std::to_string(i)).append("\n");
  for (const Compression codec : kCodecs) {
    const std::string bytes = compress(text, codec);
    const std::string path = folder_.write("cut", bytes.substr(0, bytes.size() - 3));
    EXPECT_THAT([&] { (void)read_as("libsvm", path); },
                ThrowsMessage<InputError>(HasSubstr("truncated or corrupt")));
  }
}

TEST(WriteLibsvm, NamesTheLastFeature) {
  const TemporaryFolder folder;
  write_dataset(tiny_dataset({"1", "-1"}), folder.path("a"));
  EXPECT_EQ(read_text(folder.path("a")), "1 1:0.1 3:0\n-1 2:-1e-07\n");
  Dataset empty = tiny_dataset({});
  empty.design = DenseMatrix<double>(2, 3);
  write_dataset(empty, folder.path("a"));
  EXPECT_EQ(read_text(folder.path("a")), "3:0\n1:0\n");
}

TEST(WriteLibsvm, RefusesLabelsItCannotHold) {
  const TemporaryFolder folder;
  for (const std::string label : {"New York", "a:b", "a#b", "", "a\tb"}) {
    EXPECT_THAT(
        [&] {
          write_dataset(tiny_dataset({label, "other"}), folder.path("a"));
        },
        ThrowsMessage<InputError>(HasSubstr("cannot be written in LIBSVM format")));
  }
}

TEST(RecognisesLibsvm, GoesByTheFirstSample) {
  for (const char* head : {"1 1:2\n", "\n# a: note\n  +1 3:0.5", "1:2\n", "spam 12:1 13:1\n", "1 1:2\r\n"}) {
    EXPECT_TRUE(recognises_libsvm(head)) << head;
  }
  for (const char* head : {"", "\n", "a,b\n1,2\n", "# 1:2\n", "1\n", "10,a:b\n", ":1\n", "{\"a\": 1}"}) {
    EXPECT_FALSE(recognises_libsvm(head)) << head;
  }
}

}  // namespace
}  // namespace hsvm::test
