#include "hsvm/io/formats/h5ad.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hsvm/core/error.hpp"
#include "tests/io/io_support.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text.hpp"

#ifdef HSVM_HAVE_HDF5
#include <hdf5.h>
#endif

namespace hsvm::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(H5ad, IsKnownByItsFirstBytes) {
  EXPECT_TRUE(recognises_h5ad("\x89HDF\r\n\x1a\n....."));
  EXPECT_FALSE(recognises_h5ad("1 1:1\n"));
  EXPECT_EQ(format_of_name("cells.h5ad"), &format_named("h5ad"));
}

#ifndef HSVM_HAVE_HDF5

TEST(H5ad, SaysThatItIsNotThere) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { static_cast<void>(read_dataset(folder.write("a.h5ad", "\x89HDF\r\n\x1a\n"), {})); },
              ThrowsMessage<InputError>(HasSubstr("libhdf5-dev")));
}

#else

// Writes the little of HDF5 that AnnData needs.
class CellWriter {
 public:
  explicit CellWriter(const std::string& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
  ~CellWriter() { H5Fclose(file_); }
  CellWriter(const CellWriter&) = delete;
  CellWriter& operator=(const CellWriter&) = delete;

  void group(const char* path) const {
    H5Gclose(H5Gcreate2(file_, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  void numbers(const char* path, const std::vector<double>& values, std::vector<hsize_t> shape = {},
               hid_t stored = H5T_IEEE_F64LE) const {
    if (shape.empty()) shape = {values.size()};
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t data = H5Dcreate2(file_, path, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(data);
    H5Sclose(space);
  }
  void texts(const char* path, const std::vector<const char*>& words) const {
    const hsize_t size = words.size();
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t type = text_type();
    const hid_t data = H5Dcreate2(file_, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, words.data());
    H5Dclose(data);
    H5Tclose(type);
    H5Sclose(space);
  }
  void text_attribute(const char* path, const char* key, const char* text) const {
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t type = text_type();
    const hid_t attribute =
        H5Acreate_by_name(file_, path, key, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, &text);
    H5Aclose(attribute);
    H5Tclose(type);
    H5Sclose(space);
  }
  void shape_attribute(const char* path, std::vector<std::int64_t> shape) const {
    const hsize_t size = shape.size();
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t attribute =
        H5Acreate_by_name(file_, path, "shape", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_INT64, shape.data());
    H5Aclose(attribute);
    H5Sclose(space);
  }
  // Three cells with a category, a donor and names; two genes.
  void tables() const {
    group("obs");
    text_attribute("obs", "_index", "cell");
    texts("obs/cell", {"c1", "c2", "c3"});
    group("obs/type");
    texts("obs/type/categories", {"B", "T"});
    numbers("obs/type/codes", {1, 0, 1}, {}, H5T_STD_I8LE);
    numbers("obs/donor", {7, 7, 8}, {}, H5T_STD_I32LE);
    numbers("obs/short", {7}, {}, H5T_STD_I32LE);
    group("obs/gap");
    texts("obs/gap/categories", {"B"});
    numbers("obs/gap/codes", {0, -1, 0}, {}, H5T_STD_I8LE);
    group("obs/wild");
    texts("obs/wild/categories", {"B"});
    numbers("obs/wild/codes", {0, 5, 0}, {}, H5T_STD_I8LE);
    group("var");
    text_attribute("var", "_index", "_index");
    texts("var/_index", {"GATA1", "CD4"});
  }
  // 1 0 / 0 2 / 3 4, by rows or columns.
  void sparse(const char* kind, std::vector<double> starts, std::vector<double> indices,
              std::vector<double> values, std::vector<std::int64_t> shape = {3, 2}) const {
    group("X");
    text_attribute("X", "encoding-type", kind);
    shape_attribute("X", std::move(shape));
    numbers("X/indptr", starts, {}, H5T_STD_I32LE);
    numbers("X/indices", indices, {}, H5T_STD_I32LE);
    numbers("X/data", values, {}, H5T_IEEE_F32LE);
  }

 private:
  static hid_t text_type() {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
  }
  hid_t file_;
};

ReadOptions by_type() {
  ReadOptions options;
  options.label = "type";
  return options;
}

TEST(H5ad, ReadsDenseAndSparseCells) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h5ad");
  for (const int kind : {0, 1, 2}) {
    {
      const CellWriter file(path);
      file.tables();
      if (kind == 0) file.numbers("X", {1, 0, 0, 2, 3, 4}, {3, 2});
      if (kind == 1) file.sparse("csr_matrix", {0, 1, 2, 4}, {0, 1, 0, 1}, {1, 2, 3, 4});
      if (kind == 2) file.sparse("csc_matrix", {0, 2, 4}, {0, 2, 1, 2}, {1, 3, 2, 4});
    }
    ReadOptions options = by_type();
    options.groups = "donor";
    const Dataset data = read_dataset(path, options);
    EXPECT_THAT(entries(data), ElementsAre(1, 0, 0, 2, 3, 4)) << kind;
    EXPECT_EQ(is_dense(data), kind == 0);
    EXPECT_EQ(is_single(data), kind != 0);
    EXPECT_THAT(labels(data), ElementsAre("T", "B", "T"));
    EXPECT_THAT(data.sample_names, ElementsAre("c1", "c2", "c3"));
    EXPECT_THAT(data.feature_names, ElementsAre("GATA1", "CD4"));
    EXPECT_THAT(data.groups, ElementsAre("7", "7", "8"));
    options.model = ModelColumns{.n_features = 2, .feature_names = {"CD4", "absent"}, .used = {1, 0}};
    EXPECT_THAT(entries(read_dataset(path, options)), ElementsAre(0, 0, 2, 0, 4, 0));
  }
}

TEST(H5ad, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h5ad");
  const auto refused = [&](const ReadOptions& options, const std::string& message) {
    EXPECT_THAT([&] { static_cast<void>(read_dataset(path, options)); },
                ThrowsMessage<InputError>(testing::AllOf(HasSubstr(message), testing::Not(HasSubstr("\n")))));
  };
  folder.write("a.h5ad", "hello");
  refused(by_type(), "HDF5 cannot open it");
  { const CellWriter file(path); }
  refused(by_type(), "no X in it");
  {
    const CellWriter file(path);
    file.tables();
    file.sparse("csr_matrix", {0, 1, 2, 4}, {0, 1, 0, 1}, {1, 2, 3, 4});
  }
  refused({},
          "expected the option label to say which column of obs is the label; it has 'cell', 'donor', 'gap'");
  const auto labelled = [](const char* label) {
    ReadOptions options;
    options.label = label;
    return options;
  };
  refused(labelled("typ"), "no column 'typ' in obs for the label; it has 'cell'");
  refused(labelled("short"), "1 entries for 3 in X");
  refused(labelled("gap"), "entry 2 is missing");
  refused(labelled("wild"), "a code that is none of the categories");
  const struct {
    const char* kind;
    std::vector<double> starts, indices, values;
    std::vector<std::int64_t> shape;
    const char* message;
  } cases[] = {
      {"dok_matrix", {0, 1, 2, 4}, {0, 1, 0, 1}, {1, 2, 3, 4}, {3, 2}, "X is stored as 'dok_matrix'"},
      {"csr_matrix", {0, 1, 4}, {0, 1, 0, 1}, {1, 2, 3, 4}, {3, 2}, "do not fit its shape"},
      {"csr_matrix", {0, 3, 2, 4}, {0, 1, 0, 1}, {1, 2, 3, 4}, {3, 2}, "'indptr' must rise"},
      {"csr_matrix", {0, 1, 2, 4}, {0, 1, 0, 2}, {1, 2, 3, 4}, {3, 2}, "X: index 2; expected 0 to 1"},
      {"csr_matrix", {0, 1, 2, 4}, {0, 1, 0}, {1, 2, 3, 4}, {3, 2}, "do not fit its shape"},
      {"csr_matrix", {0, 1, 2, 4}, {0, 1, 0, 1}, {1, 2, 3, 4}, {3, 2, 1}, "no attribute 'shape'"},
      {"csr_matrix",
       {0, 1, 2, 4},
       {0, 1, 0, 1},
       {1, 2, 3, 4},
       {3, 3000000000},
       "3000000000 genes; expected at most"},
      {"csr_matrix", {0, 1, 2, 4}, {0, 1, 0, 1}, {1, 2, NAN, 4}, {3, 2}, "sample 3, feature 1 is nan"},
  };
  for (const auto& c : cases) {
    {
      const CellWriter file(path);
      file.tables();
      file.sparse(c.kind, c.starts, c.indices, c.values, c.shape);
    }
    refused(by_type(), c.message);
  }
  folder.write("b.h5ad.gz", compress("\x89HDF\r\n\x1a\n", Compression::gzip));
  EXPECT_THAT([&] { static_cast<void>(read_dataset(folder.path("b.h5ad.gz"), by_type())); },
              ThrowsMessage<InputError>(HasSubstr("not compressed, and no pipe")));
}

// Truncations and damage in the numbers themselves. What damage to HDF5's own structures does is for that library to say.
TEST(H5ad, RefusesFilesThatAreCutShort) {
  const TemporaryFolder folder;
  {
    const CellWriter file(folder.path("a.h5ad"));
    file.tables();
    file.numbers("X", {1, 0, 0, 2, 3, 4}, {3, 2});
  }
  const std::string whole = read_text(folder.path("a.h5ad"));
  for (std::size_t part = 0; part < 20; ++part) {
    const std::string path =
        folder.write("cut" + std::to_string(part) + ".h5ad", whole.substr(0, whole.size() * part / 20));
    EXPECT_THROW(static_cast<void>(read_dataset(path, by_type())), InputError) << part;
  }
}

// Arrays with anything in them. Bytes of HDF5's own are not damaged here: its version 1.10 does not stand that.
TEST(H5ad, ReadsOrRefusesAnyNumbers) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h5ad");
  Random random(3);
  int accepted = 0;
  int refused = 0;
  constexpr double kOdd[] = {-1, 0, 1, 2, 3, 4, 5, 1e9, 2147483647.0, -2147483648.0};
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> starts = {0, 1, 2, 4};
    std::vector<double> indices = {0, 1, 0, 1};
    std::vector<std::int64_t> shape = {3, 2};
    for (std::uint64_t n = random.below(3); n > 0; --n) {
      starts[random.below(4)] = kOdd[random.below(std::size(kOdd))];
      indices[random.below(4)] = kOdd[random.below(std::size(kOdd))];
    }
    if (random.below(4) == 0)
      shape[random.below(2)] = static_cast<std::int64_t>(random.bits()) >> random.below(63);
    {
      const CellWriter file(path);
      file.tables();
      file.sparse(trial % 2 == 0 ? "csr_matrix" : "csc_matrix", starts, indices, {1, 2, 3, 4}, shape);
    }
    try {
      static_cast<void>(read_dataset(path, by_type()));
      ++accepted;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      ++refused;
    }
  }
  EXPECT_GT(accepted, 0);
  EXPECT_GT(refused, 0);
}

#endif

}  // namespace
}  // namespace hsvm::test
