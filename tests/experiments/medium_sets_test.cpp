// Which data stand for a set of the paper, and the numbers of the paper that stand beside ours.

#include "experiments/sets/medium_sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "datasets/paper_scores.hpp"
#include "experiments/registry.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::lab {
namespace {

// A folder of data as a user would make it, with what a set needs or with what stands in.
class DataFolder : public testing::Test {
 protected:
  DataFolder() { folder_.write("MANIFEST.tsv", manifest_); }
  void add(const std::string& name, const std::string& text) {
    folder_.write(name, text);
    manifest_ += name + "\t" + name + "\tbinary\t2\t4\t2\t0\n";
    folder_.write("MANIFEST.tsv", manifest_);
  }
  [[nodiscard]] Lab lab() { return {experiment_, {.data = folder_.path("")}, journal_}; }
  [[nodiscard]] Split drawn(const std::string& name) {
    const Lab here = lab();
    return SetReader(here, *set(here, name).source(here)).draw(0);
  }
  [[nodiscard]] static MediumSet set(const Lab& lab, const std::string& name) {
    const std::vector<MediumSet> sets = medium_sets(lab);
    return *std::ranges::find_if(sets, [&](const MediumSet& one) { return one.name == name; });
  }

 private:
  test::TemporaryFolder folder_;
  std::string manifest_ = "name\tfile\ttask\tclasses\trows\tcols\tnnz\n";
  Experiment experiment_ = medium_real();
  Journal journal_{folder_.path("j"), "medium_real", {}};
};

TEST_F(DataFolder, HasAStandInUntilItHasTheOriginal) {
  EXPECT_EQ(set(lab(), "gisette").label(lab()), "gisette");
  EXPECT_EQ(trials_of_set(set(lab(), "gisette"), lab()), 0);
  add("mnist", "4 1:10 2:1\n9 1:20\n4 2:4\n9 2:2\n1 1:5\n");
  EXPECT_EQ(set(lab(), "gisette").label(lab()), "gisette (mnist)");
  const Split digits = drawn("gisette");
  EXPECT_EQ(digits.training.n_samples() + digits.test.n_samples(), 4) << "1 is neither 4 nor 9";
  add("gisette_scale", "1 1:1\n-1 1:2\n");
  EXPECT_EQ(set(lab(), "gisette").label(lab()), "gisette (mnist)") << "its test set is missing";
  add("gisette_scale.t", "-1 1:3\n1 2:1\n-1 2:2\n");
  EXPECT_EQ(set(lab(), "gisette").label(lab()), "gisette");
  const Split original = drawn("gisette");
  EXPECT_EQ(original.training.n_samples(), 2);
  EXPECT_EQ(original.test.n_samples(), 3);
}

// Typed once more, for the tests of statistics: the two must agree.
TEST(MediumSets, HaveThePapersAccuracies) {
  const test::TemporaryFolder folder;
  Journal journal(folder.path("j"), "medium_real", {});
  const Experiment experiment = medium_real();
  const Lab lab(experiment, {}, journal);
  const std::vector<MediumSet> sets = medium_sets(lab);
  const stats::ScoreTable scores = datasets::binary_scores();
  ASSERT_EQ(sets.size(), scores.datasets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    EXPECT_EQ(sets[i].name, scores.datasets[i]);
    for (const auto& [method, paper] : sets[i].paper) {
      const auto column = std::find(scores.methods.begin(), scores.methods.end(), name_of(method));
      ASSERT_NE(column, scores.methods.end());
      EXPECT_EQ(paper.accuracy, scores.row(i)[static_cast<std::size_t>(column - scores.methods.begin())])
          << sets[i].name << ", " << name_of(method);
    }
    EXPECT_EQ(sets[i].source(lab), nullptr) << "there is no folder";
    EXPECT_EQ(trials_of_set(sets[i], lab), 0);
  }
}

}  // namespace
}  // namespace hsvm::lab
