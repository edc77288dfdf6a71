#include "hsvm/io/formats/dataset_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "hsvm/core/error.hpp"
#include "tests/io/io_support.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

using testing::ThrowsMessage;

struct Case {
  Dataset data;
  ReadOptions options;
};

template <class T>
Case random_case(Random& random) {
  Case made;
  const auto rows = static_cast<Index>(1 + random.below(40));
  const auto cols = static_cast<Index>(1 + random.below(20));
  const DenseMatrix<T> x = random_design<T>(rows, cols, random.uniform() * random.uniform(), random);
  const bool dense = random.below(2) == 0;
  if (dense) {
    made.data.design = x;
  } else {
    made.data.design = as_sparse(x);
  }
  made.options.storage = dense ? Storage::dense : Storage::sparse;
  made.options.precision = std::is_same_v<T, float> ? Precision::single_precision : Precision::double_precision;
  made.options.block_bytes = static_cast<std::size_t>(1 + random.below(200));
  made.options.labels_required = random.below(3) != 0;
  if (made.options.labels_required) {
    const bool words = random.below(2) == 0;
    std::vector<std::string> labels;
    for (Index i = 0; i < rows; ++i) {
      const std::string number = std::to_string(random.below(4));
      labels.push_back(words ? "word" + number : number + ".5");
    }
    made.data.labels = make_labels(labels);
  }
  return made;
}

// Writes a dataset in a format and reads it again. Feature names may appear, where a format cannot do without.
void expect_round_trip(const Case& made, const std::string& path, const DataFormat& format) {
  ReadOptions options = made.options;
  if (!options.labels_required) options.model = ModelColumns{.n_features = made.data.n_features()};
  std::filesystem::remove(path + ".labels");
  write_dataset(made.data, path, &format);
  Dataset again = read_as(format.name, path, options);
  for (std::size_t j = 0; j < again.feature_names.size(); ++j)
    EXPECT_EQ(again.feature_names[j], "x" + std::to_string(j + 1));
  again.feature_names.clear();
  EXPECT_EQ(fingerprint(again), fingerprint(made.data));
}

TEST(RoundTrip, IsExactInEveryFormatThatIsWritten) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Case wide = random_case<double>(random);
    const Case narrow = random_case<float>(random);
    for (const DataFormat& format : data_formats()) {
      if (format.write == nullptr) continue;
      SCOPED_TRACE(format.name);
      expect_round_trip(wide, folder.path("wide"), format);
      expect_round_trip(narrow, folder.path("narrow"), format);
    }
  }
}

TEST(RoundTrip, IsExactWhereRowsComeInManyTurns) {  // more entries than are turned into row order at a time
  const TemporaryFolder folder;
  Random random(1);
  for (const bool dense : {false, true}) {
    Case made;
    const DenseMatrix<double> x = random_design<double>(900, 1300, dense ? 0.7 : 0.5, random);
    if (dense) {
      made.data.design = x;
    } else {
      made.data.design = as_sparse(x);
    }
    made.options.storage = dense ? Storage::dense : Storage::sparse;
    made.data.labels = make_labels(std::vector<std::string>(900, "one"));
    write_dataset(made.data, folder.path("a"));
    EXPECT_EQ(fingerprint(read_dataset(folder.path("a"), made.options)), fingerprint(made.data));
  }
}

TEST(RoundTrip, GoesThroughEveryCompression) {
  const TemporaryFolder folder;
  Random random(8);
  Case made = random_case<double>(random);
  made.data.labels =
      make_labels(std::vector<std::string>(static_cast<std::size_t>(made.data.n_samples()), "one"));
  made.options.labels_required = true;
  for (const Compression codec : kCodecs) {
    const std::string path = folder.path("a.svm" + std::string(compression_ending(codec)));
    write_dataset(made.data, path);
    EXPECT_EQ(fingerprint(read_dataset(path, made.options)), fingerprint(made.data));
  }
}

TEST(WriteDataset, RefusesAFormatThatIsOnlyRead) {
  DataFormat format = format_named("csv");
  format.write = nullptr;
  const TemporaryFolder folder;
  const std::string path = folder.path("a.csv");
  EXPECT_THAT(
      [&] {
        write_dataset(tiny_dataset({"1", "2"}), path, &format);
      },
      ThrowsMessage<InputError>(path + ": csv files are only read; expected another format"));
}

TEST(WriteDataset, FailsOnAFullDisk) {
  EXPECT_THAT(
      [] {
        write_dataset(tiny_dataset({"1", "2"}), "/dev/full");
      },
      ThrowsMessage<InputError>("/dev/full: cannot write: No space left on device"));
}

}  // namespace
}  // namespace hsvm::test
