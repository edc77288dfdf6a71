// A folder of datasets: what its manifest lists and has files for, and the lines that are refused.

#include "datasets/manifest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hsvm/core/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::datasets {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string kHeader = "name\tfile\ttask\tclasses\trows\tcols\tnnz\tnote\n";

TEST(Manifest, ListsTheSetsWhoseFilesAreThere) {
  const test::TemporaryFolder folder;
  folder.write("a.libsvm", "");
  folder.write(
      "MANIFEST.tsv",
      kHeader + "a\ta.libsvm\tmulticlass\t3\t4\t5\t6\tfor people\n\nb\tb.libsvm\tbinary\t2\t1\t1\t1\n");
  const std::vector<ManifestEntry> sets = read_manifest(folder.path("."));
  ASSERT_EQ(sets.size(), 1U) << "b has no file";
  EXPECT_EQ(sets[0].task, "multiclass");
  EXPECT_EQ(sets[0].n_classes, 3);
  EXPECT_EQ(sets[0].n_samples, 4);
  EXPECT_EQ(sets[0].n_features, 5);
  EXPECT_EQ(sets[0].n_nonzeros, 6);
  EXPECT_EQ(find_entry(sets, "a")->path, sets[0].path);
  EXPECT_FALSE(find_entry(sets, "b"));
}

TEST(Manifest, IsRefusedWhereItCannotBeRead) {
  const test::TemporaryFolder folder;
  EXPECT_THAT([&] { (void)read_manifest(folder.path(".")); },
              ThrowsMessage<InputError>(HasSubstr("MANIFEST.tsv: cannot open")));
  folder.write("MANIFEST.tsv", kHeader + "a\ta.libsvm\tbinary\t2\t4\t0\t0\n");
  EXPECT_THAT([&] { (void)read_manifest(folder.path(".")); },
              ThrowsMessage<InputError>(HasSubstr("MANIFEST.tsv:2: expected name")));
}

}  // namespace
}  // namespace hsvm::datasets
