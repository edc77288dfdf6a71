#include "hsvm/io/formats/format_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "hsvm/core/error.hpp"
#include "hsvm/io/formats/dataset_file.hpp"
#include "hsvm/io/streams/compression.hpp"
#include "hsvm/io/streams/text_input.hpp"
#include "tests/io/io_support.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

TEST(FormatTable, IsConsistent) {
  std::set<std::string> names;
  std::set<std::string> endings;
  for (const DataFormat& format : data_formats()) {
    SCOPED_TRACE(format.name);
    EXPECT_TRUE(names.insert(format.name).second);
    EXPECT_EQ(&format_named(format.name), &format);
    EXPECT_THAT(list_format_names(), testing::HasSubstr(format.name));
    EXPECT_NE(format.read, nullptr);
    ASSERT_FALSE(format.endings.empty());
    for (const std::string& ending : format.endings) {
      EXPECT_TRUE(ending.starts_with('.')) << ending;
      EXPECT_EQ(ending.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ/"), ending.npos) << ending;
      EXPECT_EQ(compression_of_name("a" + ending), Compression::none) << ending;
      EXPECT_TRUE(endings.insert(ending).second) << ending;
      EXPECT_EQ(format_of_name("a" + ending), &format) << ending;
    }
  }
}

TEST(FormatTable, GoesByTheName) {
  for (const char* name : {"a.libsvm", "a.svm", "a.txt", "a.svm.gz"}) {
    EXPECT_EQ(format_of_name(name), &format_named("libsvm")) << name;
    EXPECT_EQ(&detect_format(name), &format_named("libsvm")) << name;
  }
  for (const char* name :
       {"a.csv", "a.CSV", "a.b.csv", "x/a.csv.gz", "a.csv.bz2", "a.csv.xz", "a.csv.zst", "a.Csv.GZ"}) {
    EXPECT_EQ(format_of_name(name), &format_named("csv")) << name;
  }
  EXPECT_EQ(format_of_name("a.tsv"), &format_named("tsv"));
  EXPECT_EQ(format_of_name("a.tsv.zst"), &format_named("tsv"));
  for (const char* name : {"a", "-", "a.csv/b", "a.dat", "dir.csv/.gz"}) {
    EXPECT_EQ(format_of_name(name), nullptr) << name;
    EXPECT_EQ(&detect_format(name), &format_named("libsvm")) << name;
  }
  for (const char* name : {"a.parquet", "a.arff", "a.arff.gz"})
    EXPECT_THROW((void)format_of_name(name), InputError);
}

TEST(FormatTable, GoesByTheContent) {
  for (const char* head : {"1 1:2\n", "# note\n\n-1 3:1e-3 5:2 # x\n", "u\nv\t7:1\n", "1:2 3:4\n", "yes 12:x\n",
                           "1,2 1:1\n3,4 1:2\n"})
    EXPECT_EQ(format_of_content(head), &format_named("libsvm")) << head;
  for (const char* head :
       {"a,b\n1,2\n", "a;b\n1,5;2\n", "a|b\n", "y a b\nu 1 2\n", "\"y\" \"a\"\n\"1\" \"u\" 2\n",
        "t,a\n12:30,1\n", "2024-01-01 12:30,1.5,2\n2024-01-02 12:30,1.5,2\n", "sep=;\na;b\n",
        "\"a\nb\",c\nd,e\n"})
    EXPECT_EQ(format_of_content(head), &format_named("csv")) << head;
  for (const char* head : {"a\tb\n", "a\tb c,d\n1\t2\n"})
    EXPECT_EQ(format_of_content(head), &format_named("tsv")) << head;
  for (const char* head : {"", "hello", "1\n-1\n", "# only a comment\n"})
    EXPECT_EQ(format_of_content(head), nullptr) << head;
}

TEST(FormatTable, RefusesAnUnknownName) {
  EXPECT_EQ(list_format_names(), "npy, npz, mtx, h5ad, csv, tsv or libsvm");
  EXPECT_THAT(
      [] { (void)format_named("xml"); },
      testing::ThrowsMessage<OptionError>("format 'xml'; expected npy, npz, mtx, h5ad, csv, tsv or libsvm"));
}

// A format of its own: a first line "%bits", then a sample on each line, one digit for each feature.

bool recognises_bits(std::string_view head) {
  return head.starts_with("%bits\n");
}

Dataset read_bits(InputFile& file, const ReadOptions& options) {
  TextInput input(file, options.block_bytes);
  std::vector<std::string> lines;
  for (TextBlock block = input.next(); !block.text.empty(); block = input.next()) {
    for (std::string_view rest = block.text; !rest.empty(); rest.remove_prefix(lines.back().size() + 1))
      lines.emplace_back(rest.substr(0, rest.find('\n')));
  }
  lines.erase(lines.begin());
  DenseMatrix<double> x(static_cast<Index>(lines.size()), static_cast<Index>(lines.front().size()));
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j)
      x(i, j) = lines[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] - '0';
  }
  Dataset dataset;
  dataset.design = std::move(x);
  return dataset;
}

void write_bits(const Dataset& dataset, OutputFile& file) {
  file.write("%bits\n");
  const std::vector<double> values = entries(dataset);
  const auto width = static_cast<std::size_t>(dataset.n_features());
  for (std::size_t k = 0; k < values.size(); ++k) {
    file.write(values[k] == 0.0 ? "0" : "1");
    if ((k + 1) % width == 0) file.write("\n");
  }
}

const DataFormat kBits = {.name = "bits",
                          .endings = {".bits"},
                          .recognises = recognises_bits,
                          .read = read_bits,
                          .write = write_bits};

TEST(FormatTable, NeedsOneRowForANewFormat) {
  std::vector<DataFormat> formats = {kBits};
  for (const DataFormat& format : data_formats()) formats.push_back(format);
  EXPECT_EQ(format_of_name("a.bits.gz", formats), &formats.front());
  EXPECT_EQ(format_of_content("%bits\n01\n", formats), &formats.front());
  EXPECT_EQ(format_of_content("1 1:1\n", formats)->name, "libsvm");

  const TemporaryFolder folder;
  const std::string path = folder.path("a.gz");
  ReadOptions options;
  options.format = &kBits;
  options.block_bytes = 8;
  const Dataset data = read_dataset(folder.write("a", "%bits\n0110\n0001\n"), options);
  EXPECT_THAT(entries(data), testing::ElementsAre(0, 1, 1, 0, 0, 0, 0, 1));
  write_dataset(data, path, &kBits);
  EXPECT_EQ(entries(read_dataset(path, options)), entries(data));
}

}  // namespace
}  // namespace hsvm::test
