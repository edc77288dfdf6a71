#include "hsvm/io/formats/numpy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <cstring>
#include <limits>

#include "hsvm/core/error.hpp"
#include "hsvm/io/formats/numpy_array.hpp"
#include "hsvm/io/streams/zip_archive.hpp"
#include "tests/io/io_support.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

template <class T>
std::string raw(const std::vector<T>& numbers) {
  return std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
}

ReadOptions no_labels_needed() {
  ReadOptions options;
  options.labels_required = false;
  return options;
}

// 2 samples of 3 features: 1 2 3 / 4 5 6, as any type and in either order.
template <class T>
void expect_one_to_six(const std::string& descr) {
  const TemporaryFolder folder;
  const std::string by_rows = npy_header(descr, false, {2, 3}) + raw<T>({1, 2, 3, 4, 5, 6});
  const std::string by_columns = npy_header(descr, true, {2, 3}) + raw<T>({1, 4, 2, 5, 3, 6});
  for (const std::string& bytes : {by_rows, by_columns}) {
    const Dataset data = read_dataset(folder.write("a.npy", bytes), no_labels_needed());
    EXPECT_THAT(entries(data), ElementsAre(1, 2, 3, 4, 5, 6)) << descr;
    EXPECT_FALSE(data.labels);
    ReadOptions single = no_labels_needed();
    single.precision = Precision::single_precision;
    const Dataset narrow = read_dataset(folder.write("a.npy", bytes), single);
    EXPECT_THAT(entries(narrow), ElementsAre(1, 2, 3, 4, 5, 6)) << descr;
    EXPECT_TRUE(is_single(narrow));
    // Through a compressed stream, which cannot be mapped.
    const Dataset packed =
        read_dataset(folder.write("a.npy.gz", compress(bytes, Compression::gzip)), no_labels_needed());
    EXPECT_THAT(entries(packed), ElementsAre(1, 2, 3, 4, 5, 6)) << descr;
  }
}

TEST(Npy, ReadsEveryTypeInEitherOrder) {
  expect_one_to_six<double>("<f8");
  expect_one_to_six<float>("<f4");
  expect_one_to_six<std::int8_t>("|i1");
  expect_one_to_six<std::uint8_t>("|u1");
  expect_one_to_six<std::int16_t>("<i2");
  expect_one_to_six<std::uint16_t>("<u2");
  expect_one_to_six<std::int32_t>("<i4");
  expect_one_to_six<std::uint32_t>("<u4");
  expect_one_to_six<std::int64_t>("<i8");
  expect_one_to_six<std::uint64_t>("<u8");
}

TEST(Npy, ReadsTruthValuesAndTheOtherOrderOfBytes) {
  const TemporaryFolder folder;
  const std::string bits = npy_header("|b1", false, {2, 2}) + std::string("\x01\x00\x00\x01", 4);
  EXPECT_THAT(entries(read_dataset(folder.write("a.npy", bits), no_labels_needed())), ElementsAre(1, 0, 0, 1));
  std::string swapped;
  for (const double number : {1.5, -2.0}) {
    const std::string one = raw<double>({number});
    swapped.append(one.rbegin(), one.rend());
  }
  EXPECT_THAT(entries(read_dataset(folder.write("b.npy", npy_header(">f8", true, {1, 2}) + swapped),
                                   no_labels_needed())),
              ElementsAre(1.5, -2.0));
}

// The matrix is the mapped file: what changes in the file changes there.
TEST(Npy, IsUsedInPlaceWhereOrderAndTypeAllow) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.npy", npy_header("<f8", true, {2, 2}) + raw<double>({1, 2, 3, 4}));
  const Dataset data = read_dataset(path, no_labels_needed());
  const auto* const x = data.design.get_if<DenseMatrix<double>>();
  ASSERT_NE(x, nullptr);
  EXPECT_EQ((*x)(1, 1), 4.0);
  // A matrix of its own would begin where the allocator's alignment says; this one begins where the file's header ends.
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x->column(0).data()) % 4096,
            npy_header("<f8", true, {2, 2}).size() % 4096);
  const Dataset copied = read_dataset(
      folder.write("b.npy", npy_header("<f8", false, {2, 2}) + raw<double>({1, 2, 3, 4})), no_labels_needed());
  EXPECT_THAT(entries(copied), ElementsAre(1, 2, 3, 4));
}

// A header may have any length: then numbers do not begin where their type asks for it, and are copied.
TEST(Npy, BeginsAtAnyByte) {
  const TemporaryFolder folder;
  for (const std::size_t more : {1, 3, 4}) {
    for (const bool by_columns : {true, false}) {
      std::string header = npy_header("<f8", by_columns, {2, 2});
      header.insert(header.size() - 1, more, ' ');
      header[8] = static_cast<char>(header[8] + static_cast<char>(more));  // the low byte of its length
      const Dataset data =
          read_dataset(folder.write("a.npy", header + raw<double>({1, 2, 3, 4})), no_labels_needed());
      EXPECT_THAT(entries(data), ElementsAre(1, by_columns ? 3 : 2, by_columns ? 2 : 3, 4)) << more;
    }
  }
}

struct BrokenArray {
  std::string bytes;
  std::string message;
};

TEST(Npy, SaysWhatIsWrong) {
  const std::string six = raw<double>({1, 2, 3, 4, 5, 6});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<BrokenArray> cases = {
      {"hello", "not an .npy file"},
      {std::string("\x93NUMPY\x01", 7), "cut short"},
      {std::string("\x93NUMPY\x01\x00\xff\xff", 10), "cut short"},
      {std::string("\x93NUMPY\x09\x00\x00\x00\x00\x00", 12), "a version of .npy that is not read"},
      {npy_header("<f8", false, {2, 3}) + six.substr(8), "40 bytes of values for a shape of 48 bytes"},
      {npy_header("<f8", false, {2, 3}) + six + "x", "49 bytes of values"},
      {npy_header("<f8", false, {6}) + six, "an array of 1 dimension; expected 2"},
      {npy_header("<f8", false, {1, 2, 3}) + six, "an array of 3 dimensions"},
      {npy_header("<f8", false, {0, 3}), "no samples or no features"},
      {npy_header("<f8", false, {std::size_t{1} << 40, std::size_t{1} << 40}), "larger than any memory"},
      {npy_header("<f8", false, {std::size_t{1} << 62, 4}), "larger than any memory"},
      {npy_header("<f2", false, {2, 3}) + std::string(12, ' '), "the type '<f2' are not read"},
      {npy_header("<c16", false, {1, 3}) + six, "the type '<c16' are not read"},
      {npy_header("|O", false, {1, 3}), "are not read"},
      {npy_header("<U2", false, {1, 1}) + std::string(8, '\0'), "texts; expected numbers"},
      {npy_header("<f8", false, {1, 2}) + raw<double>({1, nan}), "sample 1, feature 2 is nan"},
      {npy_header("<f4", true, {2, 1}) + raw<float>({1, -std::numeric_limits<float>::infinity()}),
       "sample 2, feature 1 is -inf"},
  };
  const TemporaryFolder folder;
  for (const BrokenArray& broken : cases) {
    EXPECT_THAT(
        [&] { static_cast<void>(read_as("npy", folder.write("a.npy", broken.bytes), no_labels_needed())); },
        ThrowsMessage<InputError>(testing::AllOf(HasSubstr("a.npy: "), HasSubstr(broken.message))));
  }
  std::string odd = npy_header("<f8", false, {1, 1});
  odd.replace(odd.find("'shape'"), 7, "'shapo'");
  EXPECT_THAT([&] { static_cast<void>(parse_npy(odd + std::string(8, '\0'), nullptr, "x")); },
              ThrowsMessage<InputError>(HasSubstr("must have the key 'shape'")));
}

TEST(Npy, LabelsStandBesideIt) {
  const TemporaryFolder folder;
  const Dataset data = tiny_dataset({"b", "a"});
  write_dataset(data, folder.path("x.npy"));
  EXPECT_EQ(fingerprint(read_dataset(folder.path("x.npy"), {})), fingerprint(data));
  // Labels of other data must not be taken for those of what is written now.
  EXPECT_THAT([&] { write_dataset(tiny_dataset({}), folder.path("x.npy")); },
              ThrowsMessage<InputError>(HasSubstr("x.npy.labels is there from before")));
  folder.write("other.txt", "1\n2\n");
  ReadOptions options;
  options.labels_file = folder.path("other.txt");
  EXPECT_THAT(labels(read_dataset(folder.path("x.npy"), options)), ElementsAre("1", "2"));
  folder.write("short.txt", "1\n");
  options.labels_file = folder.path("short.txt");
  EXPECT_THAT([&] { static_cast<void>(read_dataset(folder.path("x.npy"), options)); },
              ThrowsMessage<InputError>(HasSubstr("short.txt: 1 labels for the 2 samples of")));
  write_dataset(tiny_dataset({}), folder.path("y.npy"));
  EXPECT_THAT([&] { static_cast<void>(read_dataset(folder.path("y.npy"), {})); },
              ThrowsMessage<InputError>(HasSubstr("y.npy: no labels; expected them in")));
  options.labels_file.clear();
  options.model = ModelColumns{.n_features = 4};
  EXPECT_THAT([&] { static_cast<void>(read_dataset(folder.path("x.npy"), options)); },
              ThrowsMessage<InputError>(HasSubstr("3 features; expected 4")));
}

std::string zip_of(const std::vector<std::pair<std::string, std::string>>& files) {
  ZipWriter zip("test");
  for (const auto& [name, bytes] : files) zip.add(name + ".npy", bytes);
  return zip.finish();
}

template <class T>
std::string vector_of(const std::vector<T>& numbers) {
  return npy_of_numbers(std::span<const T>(numbers));
}

// 3 samples of 4 features: (0, 1) = 1, (0, 3) = 2, (2, 0) = 3, (2, 1) = 4.
const std::vector<double> kSparse = {0, 1, 0, 2, 0, 0, 0, 0, 3, 4, 0, 0};

using SparseFile = std::vector<std::pair<std::string, std::string>>;
SparseFile csr_file() {
  return {{"format", npy_header("|S3", false, {}) + "csr"},
          {"shape", vector_of<std::int64_t>({3, 4})},
          {"data", vector_of<double>({1, 2, 3, 4})},
          {"indices", vector_of<std::int32_t>({1, 3, 0, 1})},
          {"indptr", vector_of<std::int32_t>({0, 2, 2, 4})}};
}

TEST(Npz, ReadsSparseMatricesOfSciPy) {
  const TemporaryFolder folder;
  const SparseFile csc = {{"format", npy_header("|S3", false, {}) + "csc"},
                          {"shape", vector_of<std::int64_t>({3, 4})},
                          {"data", vector_of<double>({3, 4, 1, 2})},
                          {"indices", vector_of<std::int64_t>({2, 2, 0, 0})},  // rows of a column in any order
                          {"indptr", vector_of<std::int64_t>({0, 1, 3, 3, 4})}};
  const SparseFile coo = {{"format", npy_header("<U3", false, {}) + std::string("c\0\0\0o\0\0\0o\0\0\0", 12)},
                          {"shape", vector_of<std::int32_t>({3, 4})},
                          {"data", vector_of<float>({2, 3.5, 1, 4, -0.5})},  // one stands twice
                          {"row", vector_of<std::int32_t>({0, 2, 0, 2, 2})},
                          {"col", vector_of<std::int32_t>({3, 0, 1, 1, 0})}};
  for (const SparseFile& file : {csr_file(), csc, coo}) {
    const Dataset data = read_dataset(folder.write("a.npz", zip_of(file)), no_labels_needed());
    EXPECT_EQ(entries(data), kSparse);
    EXPECT_FALSE(is_dense(data));
  }
}

TEST(Npz, HasLabelsAndNames) {
  const TemporaryFolder folder;
  SparseFile file = csr_file();
  file.emplace_back("y", npy_of_words({"ja", "n\xC3\xB6", "ja"}));
  file.emplace_back("feature_names", npy_of_words({"a", "\xCE\xBB", "c", "\xF0\x9F\x90\x80"}));
  const std::string path = folder.write("a.npz", zip_of(file));
  const Dataset data = read_dataset(path, {});
  EXPECT_THAT(labels(data), ElementsAre("ja", "n\xC3\xB6", "ja"));
  EXPECT_THAT(data.feature_names, ElementsAre("a", "\xCE\xBB", "c", "\xF0\x9F\x90\x80"));
  // By name, in another order, as predict asks for them.
  ReadOptions options;
  options.model = ModelColumns{.n_features = 2, .feature_names = {"\xF0\x9F\x90\x80", "a"}};
  EXPECT_THAT(entries(read_dataset(path, options)), ElementsAre(2, 0, 0, 0, 0, 3));
  options.model = ModelColumns{.n_features = 1, .feature_names = {"b"}};
  EXPECT_THAT([&] { static_cast<void>(read_dataset(path, options)); },
              ThrowsMessage<InputError>(HasSubstr("no feature is named 'b'")));
  const std::string dense = zip_of({{"labels", vector_of<std::int64_t>({1, -1})},
                                    {"anything", npy_header("<f8", false, {2, 1}) + raw<double>({5, 6})}});
  EXPECT_THAT(labels(read_dataset(folder.write("b.npz", dense), {})), ElementsAre("1", "-1"));
}

std::string deflate(const std::string& bytes) {
  namespace io = boost::iostreams;
  io::zlib_params raw_stream;
  raw_stream.noheader = true;
  std::string packed;
  io::filtering_ostream stream;
  stream.push(io::zlib_compressor(raw_stream));
  stream.push(io::back_inserter(packed));
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.reset();
  return packed;
}

// An archive with one deflated file, made from one with it stored.
std::string deflated_zip(const std::string& name, const std::string& bytes) {
  ZipWriter zip("test");
  zip.add(name, deflate(bytes));
  std::string archive = zip.finish();
  ZipWriter plain("test");
  plain.add(name, bytes);
  const std::string stored = plain.finish();
  const std::size_t local = archive.find("PK\x01\x02");
  const std::size_t stored_local = stored.find("PK\x01\x02");
  for (const auto& [at, from] :
       {std::pair{std::size_t{4}, std::size_t{4}}, std::pair{local + 6, stored_local + 6}}) {
    archive[at + 4] = 8;                                       // deflated
    archive.replace(at + 10, 4, stored.substr(from + 10, 4));  // the checksum of what is inside,
    archive.replace(at + 18, 4, stored.substr(from + 18, 4));  // and its size
  }
  return archive;
}

TEST(Zip, InflatesAndChecks) {
  const std::string text(5000, 'x');
  const std::string archive = deflated_zip("a", text);
  EXPECT_LT(archive.size(), 300U);
  const auto entries_found = read_zip(archive, "z");
  ASSERT_EQ(entries_found.size(), 1U);
  EXPECT_EQ(entries_found[0].bytes, text);
  EXPECT_EQ(entries_found[0].name, "a");
  std::string wrong = archive;
  wrong[14] = static_cast<char>(wrong[14] ^ 1);  // only the directory counts
  EXPECT_NO_THROW(static_cast<void>(read_zip(wrong, "z")));
  wrong = archive;
  const std::size_t entry = archive.find("PK\x01\x02");
  wrong[entry + 16] = static_cast<char>(wrong[entry + 16] ^ 1);
  EXPECT_THAT([&] { static_cast<void>(read_zip(wrong, "z")); },
              ThrowsMessage<InputError>(HasSubstr("checksum")));
  wrong = archive;
  wrong[entry + 27] = 1;  // 16 MB from 30 bytes
  EXPECT_THAT([&] { static_cast<void>(read_zip(wrong, "z")); },
              ThrowsMessage<InputError>(HasSubstr("claims to be larger")));
  EXPECT_THAT([&] { static_cast<void>(read_zip(archive.substr(0, archive.size() - 1), "z")); },
              ThrowsMessage<InputError>(HasSubstr("no directory")));
  EXPECT_TRUE(read_zip(ZipWriter("z").finish(), "z").empty());
}

TEST(Npz, ReadsDeflatedArrays) {
  const TemporaryFolder folder;
  const std::string matrix = npy_header("<f8", false, {40, 2}) + std::string(640, '\0');
  const Dataset data = read_dataset(folder.write("a.npz", deflated_zip("X.npy", matrix)), no_labels_needed());
  EXPECT_EQ(data.n_samples(), 40);
}

TEST(Npz, SaysWhatIsWrong) {
  const auto with = [](const char* key, const std::string& bytes) {
    SparseFile file = csr_file();
    for (auto& [name, content] : file) content = name == key ? bytes : content;
    return zip_of(file);
  };
  const std::vector<BrokenArray> cases = {
      {"hello", "not a zip archive: too short"},
      {std::string(100, 'x'), "it has no directory"},
      {zip_of({}), "no matrix, samples by features; it has nothing"},
      {zip_of({{"y", vector_of<double>({1, 2})}}), "no matrix, samples by features; it has 'y'"},
      {with("format", npy_header("|S3", false, {}) + "bsr"), "the format 'bsr'; expected csr, csc or coo"},
      {with("shape", vector_of<std::int64_t>({3})), "'shape' must be two numbers"},
      {with("shape", vector_of<std::int64_t>({3, std::int64_t{1} << 40})), "features; expected at most"},
      {with("shape", vector_of<std::int64_t>({-3, 4})), "'shape' must be two numbers"},
      {with("indptr", vector_of<std::int64_t>({0, 2, 4})),
       "'indptr' must have one number more than there are rows"},
      {with("indptr", vector_of<std::int64_t>({0, 3, 2, 4})), "'indptr' must rise"},
      {with("indptr", vector_of<std::int64_t>({0, 2, 2, 5})), "'indptr' must rise"},
      {with("indices", vector_of<std::int32_t>({1, 4, 0, 1})), "index 4; expected 0 to 3"},
      {with("indices", vector_of<std::int32_t>({1, -1, 0, 1})), "index -1; expected 0 to 3"},
      {with("indices", vector_of<std::int32_t>({1, 3, 0})), "a row and a column for each number"},
      {with("data", vector_of<double>({1, 2, std::numeric_limits<double>::infinity(), 4})),
       "sample 3, feature 1 is inf"},
      {zip_of({{"X", npy_header("<f8", false, {1, 1}) + raw<double>({1})}, {"y", vector_of<double>({1, 2})}}),
       "2 labels for 1 samples"},
  };
  const TemporaryFolder folder;
  for (const BrokenArray& broken : cases) {
    EXPECT_THAT(
        [&] { static_cast<void>(read_as("npz", folder.write("a.npz", broken.bytes), no_labels_needed())); },
        ThrowsMessage<InputError>(testing::AllOf(HasSubstr("a.npz"), HasSubstr(broken.message))));
  }
}

}  // namespace
}  // namespace hsvm::test
