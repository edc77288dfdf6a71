// Files that must be refused, each with the message it must give.
#include "hsvm/io/formats/dataset_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"
#include "tests/io/io_support.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

using namespace std::string_literals;

struct Broken {
  std::string name;
  std::string content;
  std::string message;  // after the path
  ReadOptions options = {};
};

ReadOptions with_features(Index n_features) {
  ReadOptions options;
  options.n_features = n_features;
  return options;
}
ReadOptions with_label(const std::string& label) {
  ReadOptions options;
  options.label = label;
  return options;
}
ReadOptions with_names(std::vector<std::string> names) {
  ReadOptions options;
  const auto n = static_cast<Index>(names.size());
  options.model = ModelColumns{.n_features = n, .feature_names = std::move(names)};
  return options;
}
ReadOptions unlabelled(ReadOptions options = {}) {
  options.labels_required = false;
  return options;
}
ReadOptions single() {
  ReadOptions options;
  options.precision = Precision::single_precision;
  return options;
}

std::vector<Broken> broken_files() {
  const std::string packed = compress("1 1:1\n-1 2:1\n", Compression::gzip);
  const std::string rules =
      "; expected a value (the option missing: mean, median, drop-samples or drop-features)";
  const std::string number =
      "; expected a number (the option na takes a text for a missing value, words a column as words)";
  const std::string limit = "100000000, or the number of features to be given";
  const std::string not_read =
      " files are not read by this version; expected npy, npz, mtx, h5ad, csv, tsv or libsvm "
      "(or the option format, where the name is wrong)";
  return {
      // LIBSVM: indices
      {"a", "1 0:1\n",
       ":1:3: index 0; expected an index of at least 1, or the option zero_based for a file that counts from 0"},
      {"a", "1 1:1\n1 00:1\n",
       ":2:3: index 0; expected an index of at least 1, or the option zero_based for a file that counts from 0"},
      {"a", "1 -3:1\n", ":1:3: negative index '-3'; expected an index of at least 1"},
      {"a", "1 2:1 1:1\n", ":1:7: index 1 after 2; expected increasing indices"},
      {"a", "1 2:1 2:3\n", ":1:7: index 2 twice; expected increasing indices"},
      {"a", "1 100000001:1\n", ":1:3: index '100000001' above the limit; expected at most " + limit},
      {"a", "1 99999999999999999999:1\n",
       ":1:3: index '99999999999999999999' above the limit; expected at most " + limit},
      {"a", "1 2:1 4:1\n", ":1:7: index '4' above the number of features; expected at most 3",
       with_features(3)},
      {"a", "1 2147483648:1\n",
       ":1:3: index '2147483648' above the number of features; expected at most 2147483647",
       with_features(2147483647)},
      {"a", "1 3\n", ":1:4: no value for index '3'; expected ':' after the index"},
      {"a", "1 1:1 3 4:1\n", ":1:8: no value for index '3'; expected ':' after the index"},
      {"a", "1 qid:3 1:1\n", ":1:3: 'qid:3' where an index belongs; expected INDEX:VALUE"},
      {"a", "1 abc\n", ":1:3: 'abc' where an index belongs; expected INDEX:VALUE"},
      {"a", "1 :5\n", ":1:3: ':5' where an index belongs; expected INDEX:VALUE"},
      {"a", "1 1.5:5\n", ":1:3: '1.5:5' where an index belongs; expected INDEX:VALUE"},
      {"a", "1 +1:5\n", ":1:3: '+1:5' where an index belongs; expected INDEX:VALUE"},
      {"a", "1 1x:5\n", ":1:3: '1x:5' where an index belongs; expected INDEX:VALUE"},
      {"a", "1 1 :5\n", ":1:4: no value for index '1'; expected ':' after the index"},
      // LIBSVM: values
      {"a", "1 1:nan\n", ":1:5: value 'nan'; expected a finite number"},
      {"a", "1 1:-inf\n", ":1:5: value '-inf'; expected a finite number"},
      {"a", "1 1:INFINITY 2:1\n", ":1:5: value 'INFINITY'; expected a finite number"},
      {"a", "1 1:1e999\n", ":1:5: value '1e999' too large; expected a finite number"},
      {"a", "1 1:1e39\n", ":1:5: value '1e39' too large; expected a finite number", single()},
      {"a", "1 1:abc\n", ":1:5: 'abc' where a value belongs; expected a number"},
      {"a", "1 1:0x10\n", ":1:5: '0x10' where a value belongs; expected a number"},
      {"a", "1 1:1,5\n", ":1:5: '1,5' where a value belongs; expected a number"},
      {"a", "1 1:1.2.3\n", ":1:5: '1.2.3' where a value belongs; expected a number"},
      {"a", "1 1:2:3\n", ":1:5: '2:3' where a value belongs; expected a number"},
      {"a", "1 1:1#c\n", ":1:5: '1#c' where a value belongs; expected a number"},
      {"a", "1 1:1e 2:1\n", ":1:5: '1e' where a value belongs; expected a number"},
      {"a", "1 1:\n", ":1:5: no value after ':'; expected a number"},
      {"a", "1 1: 5\n", ":1:5: no value after ':'; expected a number"},
      {"a", "1 1:\r\n", ":1:5: no value after ':'; expected a number"},
      {"a", "1 1:1\r2:1\n", ":1:5: '1\\x0d2:1' where a value belongs; expected a number"},
      {"a", "1 1:" + std::string(100, 'z') + "\n",
       ":1:5: '" + std::string(40, 'z') + "...' where a value belongs; expected a number"},
      // LIBSVM: labels and files
      {"a", "1 1:1\n1:5 2:1\n",
       ":2:1: no label: the line begins with '1:5'; expected a label before the first feature"},
      {"a", "1 1:1\n1:5 2:1\n", ":2:1: no label, though lines before it have one; expected a label",
       unlabelled()},
      {"a", "1:5 2:1\n\n 1 1:1\n1 1:y", ":3:2: a label, though lines before it have none; expected INDEX:VALUE",
       unlabelled()},
      {"a", "1 1:1\nNaN 1:1\n", ":2:1: label 'NaN'; expected a word or a finite number"},
      {"a", "-inf 1:1\n", ":1:1: label '-inf'; expected a word or a finite number"},
      {"a", "1 1:1\n1 50000000:2\n",
       ": 2 values, and an index as high as 50000000: nearly all features would be empty; expected a lower index, or the number of "
       "features to be given"},
      {"a", "1\n2\n", ": samples without any features; expected INDEX:VALUE after the labels"},
      {"a", "1#x 1:1\n", ":1:1: '#' in the label '1#x'; expected a space before a comment"},
      {"a", "1 1:1\0\n"s, ":1:6: NUL byte; expected text (is this a binary or UTF-16 file?)"},
      {"a", "1 1:1 \0\n"s, ":1:7: NUL byte; expected text (is this a binary or UTF-16 file?)"},
      {"a", "\0\0\n"s, ":1:1: NUL byte; expected text (is this a binary or UTF-16 file?)"},
      {"a", "1 1:1 # a\0b\n"s, ":1:10: NUL byte; expected text (is this a binary or UTF-16 file?)"},
      {"a",
       "\xff\xfe"
       "1\0 \0"s,
       ":1:4: NUL byte; expected text (is this a binary or UTF-16 file?)"},
      {"a", "", ": the file is empty; expected samples in LIBSVM format"},
      {"a", "\n\n  \n# only a comment\n", ": no samples; expected one on each line"},
      {"a", "\n# comment\n\n1 1:1\n\n1 1:oops\n", ":6:5: 'oops' where a value belongs; expected a number"},
      // CSV: values
      {"a.csv", "y,a,b\nu,1,\n",
       ":2:3: missing value in column 'b', the first of 1 in 1 column: 'b' (1)" + rules},
      {"a.csv", "y,a,b\nu,,1\n",
       ":2:2: missing value in column 'a', the first of 1 in 1 column: 'a' (1)" + rules},
      {"a.csv", "u,1,NA\n", ":1:3: missing value, the first of 1 in 1 column: 3 (1)" + rules},
      {"a.csv", "y,a,b\nu,?,1\n",
       ":2:2: missing value in column 'a', the first of 1 in 1 column: 'a' (1)" + rules},
      {"a.csv", "y,a,b\n,1,1\n", ":2:1: missing value in column 'y'; expected a label"},
      {"a.csv", "y,a,b\nu,1,2\nv,nan,4\n",
       ":3:2: missing value in column 'a', the first of 1 in 1 column: 'a' (1)" + rules},
      {"a.csv", "u,1,2\nv,-Inf,4\n", ":2:2: '-Inf'; expected a finite number"},
      {"a.csv", "y,a,b\nu,1,1e999\n", ":2:3: '1e999' in column 'b' too large; expected a finite number"},
      {"a.csv", "y,a,b\nu,1e39,1\n", ":2:2: '1e39' in column 'a' too large; expected a finite number",
       single()},
      {"a.csv", "y,a,b\nu,1,1\nv,1,red\n", ":3:3: 'red' in column 'b'" + number},
      {"a.csv", "y,a,b\nu,1,1\nv,1,1 2\n", ":3:3: '1 2' in column 'b'" + number},
      {"a.csv", "y,a,b\nu,1,1\nv,1,\"x\"\n", ":3:3: 'x' in column 'b'" + number},
      {"a.csv", "y,a\nu,\"1\n", ":2:2: quotes that are not closed; expected a closing \""},
      {"a.csv", "y,a\nu,\"1\"2\n", ":2:2: text after a closing \"; expected the next column"},
      {"a.csv", "y,\"a\nu,1\n", ":1:1: quotes that are not closed; expected a closing \""},
      {"a.csv", "y,a\nu\0,1\n"s, ":2:1: NUL byte; expected text (is this a binary or UTF-16 file?)"},
      {"a.csv", "y,a\nu,1\0\n"s, ":2:2: NUL byte; expected text (is this a binary or UTF-16 file?)"},
      // CSV: rows and columns
      {"a.csv", "y,a,b\nu,1,2\nv,3\n", ":3:3: 2 columns; expected 3 as in the first row"},
      {"a.csv", "y,a,b\nu,1,2\nv,3,4,5,6\n", ":3:4: 5 columns; expected 3 as in the first row"},
      {"a.csv", "y,a,b\nu,1,2,\n", ":2:4: 4 columns; expected 3 as in the first row"},
      {"a.csv", "u\nv\n", ": a label and no features; expected at least two columns"},
      {"a.csv", "", ": the file is empty; expected a table"},
      {"a.csv", "# nothing\n\n", ": no samples; expected one on each line"},
      {"a.csv", "y,a,b\n", ": no samples; expected one on each line"},
      {"a.csv", "class,a,target\nu,1,2\n",
       ": columns 'class' and 'target' could both be the label; expected the option label to say which"},
      {"a.csv", "a,b\n1,2\n", ": no column is named 'c' for the label; the first row has 'a', 'b'",
       with_label("c")},
      {"a.csv", "a,b\n1,2\n", ": no column 3 for the label; expected 1 to 2, or -1 to -2 from the end",
       with_label("3")},
      {"a.csv", "a,b\n1,2\n", ": no column 0 for the label; expected 1 to 2, or -1 to -2 from the end",
       with_label("0")},
      {"a.csv", "a,b,a\n1,2,3\n",
       ": two columns are named 'a', number 1 and number 3; expected different names", with_label("a")},
      {"a.csv", "y,a,b\nu,1,2\n", ": 2 features in 3 columns, one being the label; expected 5",
       with_features(5)},
      {"a.csv", "1,2,3\n", ": 2 features in 3 columns, one being the label; expected 7",
       unlabelled(with_features(7))},
      {"a.csv", "y,a,b\nu,1,2\n", ": no column is named 'c'; the first row has 'y', 'a', 'b'",
       with_names({"a", "c"})},
      {"a.csv", "y,a,a\nu,1,2\n",
       ": two columns are named 'a', number 2 and number 3; expected different names", with_names({"a"})},
      {"a.csv", "y,a,b\nu,1,2\n", ": feature 'a' is asked for twice; expected different names",
       with_names({"a", "a"})},
      {"a.csv", "a,b\n1,2\n",
       ": no label column: the first is a feature; expected the option label to name one",
       with_names({"a", "b"})},
      {"a.tsv", "y\ta\tb\nu\t1\t\n",
       ":2:3: missing value in column 'b', the first of 1 in 1 column: 'b' (1)" + rules},
      // Files
      {"a.parquet", "1", ": .parquet" + not_read},
      {"a.arff.gz", "1", ": .arff" + not_read},
      {"a.gz", "1 1:1\n", ": not a gzip stream, though its name ends in .gz"},
      {"a.gz", "", ": not a gzip stream, though its name ends in .gz"},
      {"a.gz", packed.substr(0, packed.size() - 1), ": truncated or corrupt gzip stream"},
      {"a.gz", packed + "rubbish", ": truncated or corrupt gzip stream"},
      {"a.csv.xz", packed, ": not a xz stream, though its name ends in .xz"},
      {"a.gz", compress("1 1:x\n", Compression::gzip), ":1:5: 'x' where a value belongs; expected a number"},
      {"a.zst", compress("", Compression::zstd), ": the file is empty; expected samples in LIBSVM format"},
  };
}

TEST(BrokenFiles, AreRefusedWithAMessage) {
  const TemporaryFolder folder;
  for (const Broken& broken : broken_files()) {
    const std::string path = folder.write(broken.name, broken.content);
    for (const int threads : {1, 4}) {
      for (const std::size_t block_bytes : {std::size_t{1}, kDefaultBlockBytes}) {
        ReadOptions options = broken.options;
        options.block_bytes = block_bytes;
        with_threads(threads, [&] {
          try {
            (void)read_dataset(path, options);
            ADD_FAILURE() << "accepted, where expected:" << broken.message;
          } catch (const InputError& error) {
            EXPECT_EQ(error.what(), path + broken.message);
          }
        });
      }
    }
  }
}

TEST(ReadDataset, FindsTheFormatByContentThenByName) {
  const TemporaryFolder folder;
  const std::string table = "y,a\nu,1\nv,2\n";
  const std::string libsvm = "u 1:1\nv 1:2\n";
  const std::vector<double> expected = {1, 2};
  EXPECT_EQ(entries(read_dataset(folder.write("a.csv", table), {})), expected);
  EXPECT_EQ(entries(read_dataset(folder.write("a", libsvm), {})), expected);
  EXPECT_EQ(entries(read_dataset(folder.write("a", table), {})), expected);
  EXPECT_EQ(entries(read_dataset(folder.write("b.csv", libsvm), {})), expected);
  EXPECT_EQ(entries(read_dataset(folder.write("b.libsvm", table), {})), expected);
  EXPECT_EQ(entries(read_as("csv", folder.write("a", table))), expected);
  EXPECT_EQ(entries(read_as("libsvm", folder.write("a.csv", libsvm))), expected);
  EXPECT_EQ(entries(read_dataset(folder.write("a.xz", compress(libsvm, Compression::xz)), {})), expected);
}

TEST(ReadDataset, RefusesANumberOfFeaturesBelowOne) {
  const TemporaryFolder folder;
  for (const char* name : {"a.csv", "a.libsvm"}) {
    const std::string path = folder.write(name, "1 1:2\n");
    EXPECT_THAT([&] { (void)read_dataset(path, with_features(0)); },
                testing::ThrowsMessage<OptionError>("n_features 0: must be at least 1"));
  }
}

}  // namespace
}  // namespace hsvm::test
