#include "hsvm/io/formats/detect_format.hpp"

#include <gtest/gtest.h>

#include "hsvm/core/error.hpp"

namespace hsvm {
namespace {

TEST(DetectFormat, GoesByTheName) {
  for (const char* name :
       {"a.libsvm", "a.svm", "a.txt", "a", "-", "a.csv/b", "a.svm.gz", "a.dat", "dir.csv/.gz"}) {
    EXPECT_EQ(detect_format(name), DataFormat::libsvm) << name;
  }
  for (const char* name :
       {"a.csv", "a.CSV", "a.b.csv", "x/a.csv.gz", "a.csv.bz2", "a.csv.xz", "a.csv.zst", "a.Csv.GZ"}) {
    EXPECT_EQ(detect_format(name), DataFormat::csv) << name;
  }
  EXPECT_EQ(detect_format("a.tsv"), DataFormat::tsv);
  EXPECT_EQ(detect_format("a.tsv.zst"), DataFormat::tsv);
  for (const char* name : {"a.mtx", "a.npy", "a.npz", "a.mtx.gz"})
    EXPECT_THROW((void)detect_format(name), InputError);
}

TEST(DetectFormat, KnowsItsWords) {
  for (const DataFormat format : {DataFormat::libsvm, DataFormat::csv, DataFormat::tsv}) {
    EXPECT_EQ(format_from_word(std::string(format_word(format))), format);
  }
  EXPECT_THROW((void)format_from_word("xml"), OptionError);
}

}  // namespace
}  // namespace hsvm
