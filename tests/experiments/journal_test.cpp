// The journal remembers what it was told under the same settings, whatever ended the run before.

#include "experiments/lab/journal.hpp"

#include <gtest/gtest.h>

#include "hsvm/core/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::lab {
namespace {

class JournalFile : public testing::Test {
 protected:
  [[nodiscard]] Journal open(const Json& settings = {{"scale", "quick"}}) const {
    return {path_, "times", settings};
  }
  test::TemporaryFolder folder_;
  std::string path_ = folder_.path("times.journal.jsonl");
};

TEST_F(JournalFile, RemembersUnderTheSameSettings) {
  {
    Journal journal = open();
    EXPECT_FALSE(journal.discarded());
    EXPECT_EQ(journal.find("a"), nullptr);
    journal.add({"a", 1.5, {{"x", 0.1}}});
    journal.add({"b", 0.5, {1, 2}});
    EXPECT_EQ(journal.find("b")->value, Json({1, 2}));
  }
  const Journal again = open();
  EXPECT_FALSE(again.discarded());
  ASSERT_EQ(again.entries().size(), 2U);
  EXPECT_EQ(again.find("a")->value.at("x").get<double>(), 0.1);
  EXPECT_EQ(again.find("a")->seconds, 1.5);
}

TEST_F(JournalFile, ForgetsUnderOtherSettings) {
  open().add({"a", 1.0, 1});
  const Journal other = open({{"scale", "full"}});
  EXPECT_TRUE(other.discarded());
  EXPECT_TRUE(other.entries().empty());
  EXPECT_TRUE(open().discarded()) << "the file is the other's now";
}

TEST_F(JournalFile, DropsALineThatWasNotFinished) {
  open().add({"a", 1.0, 1});
  const std::string whole = test::read_text(path_);
  folder_.write("times.journal.jsonl", whole + R"({"key": "b", "seconds": 2, "val)");
  Journal journal = open();
  EXPECT_EQ(journal.entries().size(), 1U);
  journal.add({"c", 1.0, 2});
  EXPECT_EQ(open().entries().size(), 2U);
  EXPECT_EQ(open().find("c")->value, 2);
}

TEST_F(JournalFile, TreatsAnythingElseAsDiscarded) {
  folder_.write("times.journal.jsonl", "not a journal\n");
  EXPECT_TRUE(open().discarded());
  EXPECT_FALSE(open().discarded());
}

TEST_F(JournalFile, RefusesAFolderThatIsNotThere) {
  EXPECT_THROW(Journal(folder_.path("absent/a.jsonl"), "a", {}), InputError);
}

}  // namespace
}  // namespace hsvm::lab
