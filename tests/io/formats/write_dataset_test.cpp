#include "hsvm/io/formats/write_dataset.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>

#include "hsvm/core/error.hpp"
#include "hsvm/core/random.hpp"
#include "hsvm/io/formats/read_dataset.hpp"
#include "tests/io/io_support.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// A design of random numbers of all sizes, about a part `density` of them not zero.
template <class T>
DenseMatrix<T> random_design(Index rows, Index cols, double density, Random& random) {
  DenseMatrix<T> x(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      if (random.uniform() >= density) continue;
      T value = 0;
      do {
        using Bits = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;
        value = random.below(2) == 0 ? std::bit_cast<T>(static_cast<Bits>(random.bits()))
                                     : static_cast<T>(random.normal());
      } while (!std::isfinite(value) || value == T{0});
      x(i, j) = value;
    }
  }
  return x;
}

template <class T>
CscMatrix<T> as_sparse(const DenseMatrix<T>& x) {
  AlignedBuffer<Count> start(1, 0);
  AlignedBuffer<Index> rows;
  AlignedBuffer<T> values;
  for (Index j = 0; j < x.cols(); ++j) {
    for (Index i = 0; i < x.rows(); ++i) {
      if (x(i, j) == T{0}) continue;
      rows.push_back(i);
      values.push_back(x(i, j));
    }
    start.push_back(std::ssize(rows));
  }
  return CscMatrix<T>(x.rows(), std::move(start), std::move(rows), std::move(values));
}

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

void expect_round_trip(const Case& made, const std::string& path, DataFormat format) {
  ReadOptions options = made.options;
  options.format = format;
  if (!options.labels_required && format != DataFormat::libsvm) options.n_features = made.data.n_features();
  write_dataset(made.data, path, format);
  Dataset expected = made.data;
  if (format != DataFormat::libsvm) {
    for (Index j = 0; j < expected.n_features(); ++j)
      expected.feature_names.push_back("x" + std::to_string(j + 1));
  }
  const Dataset again = read_dataset(path, options);
  EXPECT_EQ(fingerprint(again), fingerprint(expected));
}

TEST(RoundTrip, IsExact) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Case wide = random_case<double>(random);
    const Case narrow = random_case<float>(random);
    for (const DataFormat format : {DataFormat::libsvm, DataFormat::csv, DataFormat::tsv}) {
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
    write_libsvm(made.data, folder.path("a"));
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

Dataset tiny(std::vector<std::string> labels) {
  Dataset data;
  DenseMatrix<double> x(2, 3);
  x(0, 0) = 0.1;
  x(1, 1) = -1e-7;
  data.design = x;
  if (!labels.empty()) data.labels = make_labels(labels);
  return data;
}

TEST(WriteLibsvm, NamesTheLastFeature) {
  const TemporaryFolder folder;
  write_libsvm(tiny({"1", "-1"}), folder.path("a"));
  EXPECT_EQ(read_text(folder.path("a")), "1 1:0.1 3:0\n-1 2:-1e-07\n");
  Dataset empty = tiny({});
  empty.design = DenseMatrix<double>(2, 3);
  write_libsvm(empty, folder.path("a"));
  EXPECT_EQ(read_text(folder.path("a")), "3:0\n1:0\n");
}

TEST(WriteLibsvm, RefusesLabelsItCannotHold) {
  const TemporaryFolder folder;
  for (const std::string label : {"New York", "a:b", "a#b", "", "a\tb"}) {
    EXPECT_THAT(
        [&] {
          write_libsvm(tiny({label, "other"}), folder.path("a"));
        },
        ThrowsMessage<InputError>(HasSubstr("cannot be written in LIBSVM format")));
  }
}

TEST(WriteCsv, QuotesWhereNeeded) {
  const TemporaryFolder folder;
  Dataset data = tiny({"New York, NY", "say \"x\""});
  data.feature_names = {"a,b", "c d", " e"};
  write_csv(data, folder.path("a.csv"));
  EXPECT_EQ(read_text(folder.path("a.csv")),
            "label,\"a,b\",c d,\" e\"\n\"New York, NY\",0.1,0,0\n\"say \"\"x\"\"\",0,-1e-07,0\n");
  ReadOptions options;
  options.storage = Storage::dense;
  EXPECT_EQ(fingerprint(read_dataset(folder.path("a.csv"), options)), fingerprint(data));
  data.feature_names[1] = "two\nlines";
  EXPECT_THAT([&] { write_csv(data, folder.path("a.csv")); },
              ThrowsMessage<InputError>(HasSubstr("without line breaks")));
}

TEST(WriteDataset, FailsOnAFullDisk) {
  EXPECT_THAT(
      [] {
        write_dataset(tiny({"1", "2"}), "/dev/full");
      },
      ThrowsMessage<InputError>("/dev/full: cannot write: No space left on device"));
}

}  // namespace
}  // namespace hsvm::test
