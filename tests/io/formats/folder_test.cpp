#include "hsvm/io/formats/folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "hsvm/core/error.hpp"
#include "hsvm/io/formats/folder_writer.hpp"
#include "hsvm/io/formats/numpy_array.hpp"
#include "tests/io/io_support.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

DenseMatrix<double> entries_of(const Design& design) {
  DenseMatrix<double> x(design.rows(), design.cols());
  const std::vector<Index> rows = all_indices(design.rows());
  for (Index j = 0; j < design.cols(); ++j) design.gather(j, rows, &x(0, j), 1);
  return x;
}

void expect_same_entries(const Design& expected, const Design& found, Index first_row = 0) {
  ASSERT_EQ(found.cols(), expected.cols());
  const DenseMatrix<double> a = entries_of(expected);
  const DenseMatrix<double> b = entries_of(found);
  for (Index j = 0; j < b.cols(); ++j) {
    for (Index i = 0; i < b.rows(); ++i) ASSERT_EQ(b(i, j), a(first_row + i, j)) << i << ' ' << j;
  }
}

template <class T>
Dataset some_data(Index rows, Index cols, double density, bool sparse) {
  Random random(static_cast<std::uint64_t>(rows * 100 + cols));
  const DenseMatrix<T> x = random_design<T>(rows, cols, density, random);
  Dataset data;
  data.source = "made";
  if (sparse) {
    data.design = as_sparse(x);
  } else {
    data.design = x;
  }
  std::vector<std::string> labels;
  for (Index i = 0; i < rows; ++i) labels.push_back(i % 3 == 0 ? "1" : "-1");
  data.labels = make_labels(labels);
  return data;
}

TEST(Folder, GivesBackWhatWasWritten) {
  const TemporaryFolder folder;
  for (const bool sparse : {false, true}) {
    Dataset data = some_data<float>(50, 7, 0.4, sparse);
    for (Index j = 0; j < 7; ++j) data.feature_names.push_back("gene \"" + std::to_string(j) + "\" \xc3\xa4");
    data.sample_names.assign(50, "s");
    data.groups.assign(50, "g");
    write_folder(data, folder.path("d.hsvm/"));
    const Dataset again = read_dataset(folder.path("d.hsvm"), {});
    EXPECT_EQ(again.design->is_sparse(), sparse);
    EXPECT_EQ(again.design->stored(), data.design->stored());
    expect_same_entries(*data.design, *again.design);
    EXPECT_EQ(again.labels->classes, data.labels->classes);
    EXPECT_EQ(again.labels->of_sample, data.labels->of_sample);
    EXPECT_EQ(again.feature_names, data.feature_names);
    EXPECT_EQ(again.sample_names, data.sample_names);
    EXPECT_EQ(again.groups, data.groups);
  }
}

TEST(Folder, SomeRowsAreThoseRowsAndAllClasses) {
  const TemporaryFolder folder;
  for (const bool sparse : {false, true}) {
    const Dataset data = some_data<double>(41, 6, 0.5, sparse);
    write_folder(data, folder.path("d.hsvm"));
    ReadOptions options;
    for (const RowRange rows : {RowRange{0, 41}, RowRange{0, 1}, RowRange{40, 41}, RowRange{9, 30}}) {
      options.rows = rows;
      const Dataset part = read_dataset(folder.path("d.hsvm"), options);
      ASSERT_EQ(part.n_samples(), rows.end - rows.begin);
      expect_same_entries(*data.design, *part.design, rows.begin);
      EXPECT_EQ(part.labels->classes.size(), 2);
      for (Index i = rows.begin; i < rows.end; ++i)
        EXPECT_EQ(part.labels->of_sample[static_cast<std::size_t>(i - rows.begin)],
                  data.labels->of_sample[static_cast<std::size_t>(i)]);
    }
    options.rows = RowRange{5, 42};
    EXPECT_THAT([&] { (void)read_dataset(folder.path("d.hsvm"), options); },
                ThrowsMessage<InputError>(HasSubstr("samples 5 to 41 were asked for; expected some of 41")));
  }
}

class DamagedFolder : public testing::Test {
 protected:
  void SetUp() override { write_folder(some_data<double>(30, 5, 0.5, true), path()); }
  std::string path() const { return folder_.path("d.hsvm"); }
  std::string file(const char* name) const { return path() + "/" + name; }
  void expect_refusal(const std::string& part) const {
    EXPECT_THAT([&] { (void)read_dataset(path(), {}); }, ThrowsMessage<InputError>(HasSubstr(part)));
  }
  void replace(const char* name, const std::string& from, const std::string& to) const {
    std::string text = read_text(file(name));
    const std::size_t at = text.find(from);
    ASSERT_NE(at, text.npos);
    folder_.write(std::string("d.hsvm/") + name, text.replace(at, from.size(), to));
  }
  TemporaryFolder folder_;
};

TEST_F(DamagedFolder, AFileThatIsCutShortIsRefused) {
  for (const char* name : {"data.npy", "indices.npy", "indptr.npy", "labels.npy"}) {
    SetUp();
    fs::resize_file(file(name), fs::file_size(file(name)) - 1);
    expect_refusal("cut short or damaged");
  }
}

TEST_F(DamagedFolder, AFileOfAnotherFolderIsRefused) {
  write_folder(some_data<double>(30, 5, 0.4, true), folder_.path("other.hsvm"));
  for (const char* name : {"data.npy", "indices.npy"}) {
    SetUp();
    fs::copy_file(folder_.path("other.hsvm") + "/" + name, file(name), fs::copy_options::overwrite_existing);
    expect_refusal("is it of another folder?");
  }
  SetUp();
  fs::copy_file(file("labels.npy"), file("data.npy"), fs::copy_options::overwrite_existing);
  expect_refusal("must be a plain file of numbers of the type <f8");
}

TEST_F(DamagedFolder, AHeaderThatIsMissingOrForeignIsRefused) {
  replace("header.json", "\"version\": 1", "\"version\": 2");
  expect_refusal("expected \"version\": 1");
  replace("header.json", "hsvm-data", "some-data");
  expect_refusal("\"format\" must be \"hsvm-data\"");
  SetUp();
  replace("header.json", "\"n_samples\": 30", "\"n_samples\": -3");
  expect_refusal("\"n_samples\" must be a whole number from 0");
  SetUp();
  replace("header.json", "30\n ]", "29\n ]");
  expect_refusal("\"row_blocks\" must rise from 0 to 30");
  folder_.write("d.hsvm/header.json", "{\"format\": ");
  expect_refusal("is no JSON, or is cut short");
  fs::remove(file("header.json"));
  expect_refusal("a folder without header.json");
  EXPECT_THAT([&] { (void)read_dataset(folder_.path("nowhere.hsvm"), {}); },
              ThrowsMessage<InputError>(HasSubstr("there is no such folder")));
}

// Each would be memory that is not ours.
TEST_F(DamagedFolder, RowNumbersAndStartsThatLeadOutOfTheArraysAreRefused) {
  const auto poke = [&](const char* name, std::int64_t from_end, std::int32_t value) {
    SetUp();
    std::fstream stream(file(name), std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(-from_end, std::ios::end);
    stream.write(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  poke("indices.npy", 4, 30);
  expect_refusal("row numbers that are not those of a csc matrix");
  poke("indices.npy", 4, -1);
  expect_refusal("row numbers that are not those of a csc matrix");
  poke("indptr.npy", 8, 1'000'000);
  expect_refusal("must rise from 0 to the number of entries");
  poke("indptr.npy", 16, -5);
  expect_refusal("must rise from 0 to the number of entries");
  poke("labels.npy", 4, 2);
  expect_refusal("class 2; expected 0 to 1");
}

TEST(Folder, ReplacesItsOwnKindAndNothingElse) {
  const TemporaryFolder folder;
  write_folder(some_data<double>(30, 5, 1.0, false), folder.path("d.hsvm"));
  write_folder(some_data<double>(20, 4, 0.3, true), folder.path("d.hsvm"));
  EXPECT_EQ(read_dataset(folder.path("d.hsvm"), {}).n_samples(), 20);
  EXPECT_FALSE(fs::exists(folder.path("d.hsvm") + "/X.npy"));
  fs::create_directory(folder.path("letters"));
  folder.write("letters/dear.txt", "dear");
  EXPECT_THAT([&] { write_folder(some_data<double>(3, 4, 1.0, false), folder.path("letters")); },
              ThrowsMessage<InputError>(HasSubstr("is a folder with something else in it")));
  EXPECT_TRUE(fs::exists(folder.path("letters/dear.txt")));
}

// LIBSVM text of rows whose entries are all over the columns.
std::string libsvm_text(Index rows, Index cols, double density) {
  Random random(3);
  std::string text;
  for (Index i = 0; i < rows; ++i) {
    text += i % 3 == 0 ? "+1" : "-1";
    for (Index j = 0; j < cols; ++j) {
      if (random.uniform() < density)
        text += " " + std::to_string(j + 1) + ":" + std::to_string(1 + random.below(1000));
    }
    text += "\n";
  }
  return text;
}

// Runs of a few hundred entries: many are sorted, put away and merged.
template <class T>
FolderHeader stream_in_little_memory(const std::string& text, const std::string& folder, Index row_blocks,
                                     const ReadOptions& options) {
  const TemporaryFolder beside;
  InputFile file(beside.write("text.libsvm", text));
  FolderOptions folder_options;
  folder_options.memory = FolderOptions::kLeastMemory;
  folder_options.row_blocks = row_blocks;
  return format_named("libsvm").stream(file, options, folder, folder_options);
}

TEST(FolderWriter, StreamsWhatReadingGives) {
  const TemporaryFolder folder;
  for (const double density : {0.02, 0.9}) {
    const std::string text = libsvm_text(3000, 150, density);
    const Dataset expected = read_dataset(folder.write("t.libsvm", text), {});
    for (const Index row_blocks : {1, 4}) {
      ReadOptions options;
      options.block_bytes = 1000;
      const FolderHeader header =
          stream_in_little_memory<double>(text, folder.path("d.hsvm"), row_blocks, options);
      EXPECT_EQ(header.row_blocks.size(), density < 0.5 ? static_cast<std::size_t>(row_blocks) + 1 : 2U);
      const Dataset found = read_dataset(folder.path("d.hsvm"), {});
      EXPECT_EQ(found.design->is_sparse(), expected.design->is_sparse());
      EXPECT_EQ(found.design->stored(), expected.design->stored());
      expect_same_entries(*expected.design, *found.design);
      EXPECT_EQ(found.labels->of_sample, expected.labels->of_sample);
    }
  }
}

TEST(FolderWriter, RowsOfBlocksAreTaken) {
  const TemporaryFolder folder;
  const std::string text = libsvm_text(1000, 60, 0.05);
  const Dataset expected = read_dataset(folder.write("t.libsvm", text), {});
  (void)stream_in_little_memory<double>(text, folder.path("d.hsvm"), 5, {});
  ReadOptions options;
  for (const RowRange rows : {RowRange{0, 200}, RowRange{200, 600}, RowRange{150, 999}, RowRange{999, 1000}}) {
    options.rows = rows;
    const Dataset part = read_dataset(folder.path("d.hsvm"), options);
    ASSERT_EQ(part.n_samples(), rows.end - rows.begin);
    expect_same_entries(*expected.design, *part.design, rows.begin);
  }
}

TEST(FolderWriter, SaysWhatReadingWouldAndLeavesNothing) {
  const TemporaryFolder folder;
  std::string text = libsvm_text(500, 20, 0.5);
  const auto refuse = [&](const std::string& wrong, const ReadOptions& options, const std::string& part) {
    EXPECT_THAT([&] { (void)stream_in_little_memory<double>(wrong, folder.path("d.hsvm"), 1, options); },
                ThrowsMessage<InputError>(HasSubstr(part)));
    EXPECT_FALSE(fs::exists(folder.path("d.hsvm")));
  };
  ReadOptions small;
  small.block_bytes = 500;
  refuse(text + "1 3:x\n", small, "text.libsvm:501:5: 'x' where a value belongs");
  refuse(text + "1:3\n", small, "text.libsvm:501:1: no label");
  refuse("", small, "no samples");
  ReadOptions narrow = small;
  narrow.n_features = 10;
  refuse(text, narrow, "above the number of features; expected at most 10");
}

}  // namespace
}  // namespace hsvm::test
