// Data in a folder of arrays, from conversion to prediction.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/app/journey.hpp"

namespace hsvm::test {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

class Mapped : public Journey {};

TEST_F(Mapped, TheSameModelFromTextAndFromAFolder) {
  generate();
  EXPECT_THAT(succeed({"convert", "train.libsvm", "train.hsvm/", "--memory", "1M"}).output,
              HasSubstr("train.hsvm/: 60 samples, 40 features, dense"));
  const auto predictions = [&](const char* model, const char* data, const std::vector<std::string>& pick) {
    std::vector<std::string> words = {"predict", model, data, "--scores"};
    words.insert(words.end(), pick.begin(), pick.end());
    return succeed(words).output;
  };
  const std::vector<std::string> at_one_point = {"--lambda1", "0.05"};
  for (const std::vector<std::string>& verb : {std::vector<std::string>{"fit"},
                                               {"fit", "--solver", "pg"},
                                               {"path", "--nlambda", "8"},
                                               {"cv", "--folds", "3"}}) {
    std::vector<std::string> words = verb;
    words.insert(words.begin() + 1, {"train.libsvm", "-m", "text.json", "--quiet"});
    succeed(words);
    words[1] = "train.hsvm";
    words[3] = "folder.json";
    succeed(words);
    const std::vector<std::string> pick = verb[0] == "path" ? at_one_point : std::vector<std::string>{};
    EXPECT_EQ(predictions("text.json", "train.libsvm", pick), predictions("folder.json", "train.hsvm/", pick))
        << verb[0];
  }
}

TEST_F(Mapped, AFolderIsConvertedBack) {
  folder_.write("s.libsvm", "a 1:0.5 9000:1\nb 3:-2\na 70:1e-3\n");
  succeed({"convert", "s.libsvm", "s.hsvm", "--row-blocks", "3"});
  succeed({"convert", "s.hsvm", "again.libsvm"});
  EXPECT_EQ(read_text(folder_.path("again.libsvm")), "a 1:0.5 9000:1\nb 3:-2\na 70:0.001\n");
  succeed({"convert", "again.libsvm", "single.hsvm", "--precision", "single"});
  EXPECT_EQ(std::filesystem::file_size(folder_.path("single.hsvm/X.npy")), 128U + 3 * 9000 * 4);
}

TEST_F(Mapped, WrongFoldersAndFlags) {
  generate();
  succeed({"convert", "train.libsvm", "train.hsvm"});
  std::filesystem::resize_file(folder_.path("train.hsvm/X.npy"), 4000);
  const Outcome cut = run({"fit", "train.hsvm"});
  EXPECT_EQ(cut.exit_code, 1);
  EXPECT_THAT(cut.errors, MatchesRegex("hsvm: train.hsvm/X.npy: .* the file is cut short or damaged\n"));
  EXPECT_EQ(run({"convert", "train.libsvm", "o.hsvm", "--memory", "much"}).exit_code, 2);
  EXPECT_EQ(run({"convert", "train.libsvm", "o.hsvm", "--memory", "1K"}).exit_code, 2);
  EXPECT_EQ(run({"fit", "train.hsvm", "--format", "csv"}).exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("o.hsvm")));
}

}  // namespace
}  // namespace hsvm::test
