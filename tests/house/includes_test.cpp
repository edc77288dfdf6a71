// The house rules that a compiler does not check: which folder may include which, and what a library header may
// include.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

namespace fs = std::filesystem;

// Each folder and the folders it may include, besides itself: one way only, never sideways.
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"core", {}},
    {"data", {"core"}},
    {"loss", {"core"}},
    {"penalty", {"core"}},
    {"stats", {"core"}},
    {"io", {"core", "data"}},
    {"problem", {"core", "data", "loss", "penalty"}},
    {"solve", {"core", "data", "loss", "penalty", "problem"}},
    {"newton", {"core", "data", "loss", "penalty", "problem", "solve"}},
    {"model", {"core", "data", "loss", "penalty"}},
    {"select", {"core", "data", "loss", "penalty", "model"}},
};

struct Include {
  std::string file;    // relative to the source folder
  std::string target;  // between the quotes or brackets
  bool quoted;
};

std::vector<Include> includes_below(const std::string& folder) {
  static const std::regex pattern(R"re(^\s*#\s*include\s*([<"])([^">]+)[">])re");
  std::vector<Include> result;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(HSVM_SOURCE_DIR) / folder)) {
    const std::string extension = entry.path().extension();
    if (extension != ".hpp" && extension != ".cpp") continue;
    std::istringstream lines(read_text(entry.path().string()));
    for (std::string line; std::getline(lines, line);) {
      std::smatch match;
      if (std::regex_search(line, match, pattern)) {
        result.push_back({fs::relative(entry.path(), HSVM_SOURCE_DIR).string(), match[2], match[1] == "\""});
      }
    }
  }
  return result;
}

// "hsvm/data/labels.hpp" -> "data"; "" for files at the top of hsvm/.
std::string folder_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent == "hsvm" ? "" : parent.filename().string();
}

TEST(Includes, GoOneWay) {
  const std::vector<Include> includes = includes_below("hsvm");
  ASSERT_GT(includes.size(), 100U);
  for (const Include& include : includes) {
    if (!include.target.starts_with("hsvm/")) continue;
    const std::string from = folder_of(include.file);
    const std::string to = folder_of(include.target);
    if (from.empty() || from == to) continue;
    ASSERT_TRUE(kMayInclude.contains(from)) << from << " is a new folder: say here what it may include";
    EXPECT_TRUE(kMayInclude.at(from).contains(to)) << include.file << " includes " << include.target;
  }
}

TEST(Includes, EveryQuotedFileExists) {
  for (const char* folder : {"hsvm", "app", "datasets", "baselines", "experiments", "tests", "bench"}) {
    for (const Include& include : includes_below(folder)) {
      if (include.quoted) {
        EXPECT_TRUE(fs::exists(fs::path(HSVM_SOURCE_DIR) / include.target))
            << include.file << ": " << include.target;
      }
    }
  }
}

// Headers that only .cpp files of the same folder include, and that are not installed.
const std::set<std::string> kPrivateHeaders = {"hsvm/model/json_parts.hpp"};

TEST(Includes, PrivateHeadersStayInTheirFolder) {
  for (const char* folder : {"hsvm", "app", "datasets", "baselines", "experiments", "tests", "bench"}) {
    for (const Include& include : includes_below(folder)) {
      if (!kPrivateHeaders.contains(include.target)) continue;
      EXPECT_TRUE(include.file.ends_with(".cpp") && folder_of(include.file) == folder_of(include.target))
          << include.file << " includes " << include.target;
    }
  }
}

TEST(Includes, LibraryHeadersNeedTheStandardLibraryOnly) {
  for (const Include& include : includes_below("hsvm")) {
    if (!include.file.ends_with(".hpp") || include.quoted || kPrivateHeaders.contains(include.file)) continue;
    EXPECT_EQ(include.target.find_first_of("./"), std::string::npos)
        << include.file << " includes <" << include.target << ">: optional packages stay inside the .cpp";
  }
}

TEST(Includes, FacesSeeTheApiOnly) {
  for (const Include& include : includes_below("app")) {
    if (!include.target.starts_with("hsvm/")) continue;
    const std::string to = folder_of(include.target);
    EXPECT_TRUE(to.empty() || to == "io" || to == "core" || include.target == "hsvm/solve/solve_report.hpp")
        << include.file << " includes " << include.target;
  }
  for (const Include& include : includes_below("hsvm")) {
    EXPECT_FALSE(include.target.starts_with("app/") || include.target.starts_with("tests/") ||
                 include.target.starts_with("bench/"))
        << include.file << " includes " << include.target;
  }
}

// Experiments use everything; nothing but their own tests uses them, or the rivals they measure.
TEST(Includes, NothingNeedsExperiments) {
  for (const char* folder : {"hsvm", "app"}) {
    for (const Include& include : includes_below(folder)) {
      EXPECT_FALSE(include.target.starts_with("experiments/") || include.target.starts_with("baselines/") ||
                   include.target.starts_with("datasets/"))
          << include.file << " includes " << include.target;
    }
  }
}

// Data that experiments, benchmarks and tests share: they need the library alone. Baselines need no experiment.
TEST(Includes, DatasetsNeedTheLibraryOnly) {
  for (const Include& include : includes_below("datasets")) {
    EXPECT_TRUE(!include.quoted || include.target.starts_with("hsvm/") ||
                include.target.starts_with("datasets/"))
        << include.file << " includes " << include.target;
  }
  for (const Include& include : includes_below("baselines")) {
    EXPECT_TRUE(!include.quoted || !include.target.starts_with("experiments/"))
        << include.file << " includes " << include.target;
  }
}

TEST(Files, StayShort) {
  for (const char* folder : {"hsvm", "app", "datasets", "baselines", "experiments"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(HSVM_SOURCE_DIR) / folder)) {
      if (!entry.is_regular_file()) continue;
      const std::string text = read_text(entry.path().string());
      EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 500) << entry.path() << ": one idea a file";
    }
  }
}

}  // namespace
}  // namespace hsvm::test
