// The house rules that a compiler does not check: which room may include which, and what a library header may include.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include "tests/support/text.hpp"

namespace hsvm::test {
namespace {

namespace fs = std::filesystem;

// Each room of the library and the rooms it may include besides itself: one way only, never sideways.
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"core", {}},
    {"linalg", {"core"}},
    {"data", {"core"}},
    {"loss", {"core"}},
    {"penalty", {"core"}},
    {"stats", {"core"}},
    {"io", {"core", "data"}},
    {"problem", {"core", "linalg", "data", "loss", "penalty"}},
    {"solve", {"core", "linalg", "data", "loss", "penalty", "problem"}},
    {"newton", {"core", "linalg", "data", "loss", "penalty", "problem", "solve"}},
    {"model", {"core", "data", "loss", "penalty", "io"}},
    {"fit", {"core", "linalg", "data", "loss", "penalty", "io", "problem", "solve", "newton", "model"}},
    {"path", {"core", "linalg", "data", "loss", "penalty", "io", "problem", "solve", "newton", "model", "fit"}},
    {"select",
     {"core", "linalg", "data", "loss", "penalty", "stats", "io", "problem", "solve", "newton", "model", "fit",
      "path"}},
    {"report",
     {"core", "linalg", "data", "loss", "penalty", "stats", "io", "problem", "solve", "newton", "model", "fit",
      "path", "select"}},
};

// api.hpp, alone at the top, is the header of these files: they define what it declares. No other file of the
// library includes it.
const std::set<std::string> kDefineTheApi = {"hsvm/fit/fit.cpp", "hsvm/fit/pass_seconds.cpp",
                                             "hsvm/model/save_load.cpp", "hsvm/path/fit_path.cpp",
                                             "hsvm/select/tune.cpp"};

struct Include {
  std::string file;    // relative to the source folder
  std::string target;  // between the quotes or brackets
  bool quoted;
};

// What a line includes, if anything.
std::optional<Include> include_in(const std::string& file, std::string_view line) {
  const auto skip = [&](std::string_view word) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const bool found = line.starts_with(word);
    if (found) line.remove_prefix(word.size());
    return found;
  };
  if (!skip("#") || !skip("include")) return {};
  const bool quoted = skip("\"");
  if (!quoted && !skip("<")) return {};
  return Include{file, std::string(line.substr(0, line.find(quoted ? '"' : '>'))), quoted};
}

std::vector<Include> includes_below(const std::string& folder) {
  std::vector<Include> result;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(HSVM_SOURCE_DIR) / folder)) {
    const std::string extension = entry.path().extension();
    if (extension != ".hpp" && extension != ".cpp") continue;
    const std::string file = fs::relative(entry.path(), HSVM_SOURCE_DIR).string();
    for (const std::string& line : lines_of(read_text(entry.path().string()))) {
      if (const auto include = include_in(file, line)) result.push_back(*include);
    }
  }
  return result;
}

// "hsvm/data/labels.hpp" and "hsvm/data/synthetic/gaussian_design.hpp" -> "data"; "" at the top of hsvm/.
std::string room_of(const std::string& path) {
  const std::size_t begin = path.find('/') + 1;
  const std::size_t end = path.find('/', begin);
  return end == std::string::npos ? "" : path.substr(begin, end - begin);
}

TEST(Includes, GoOneWay) {
  const std::vector<Include> includes = includes_below("hsvm");
  ASSERT_GT(includes.size(), 100U);
  for (const Include& include : includes) {
    if (!include.target.starts_with("hsvm/")) continue;
    const std::string from = room_of(include.file);
    const std::string to = room_of(include.target);
    if (from == to) continue;
    if (to.empty()) {
      EXPECT_TRUE(kDefineTheApi.contains(include.file)) << include.file << " includes " << include.target;
      continue;
    }
    if (include.file == "hsvm/api.hpp") continue;
    ASSERT_TRUE(kMayInclude.contains(from)) << from << " is a new room: say here what it may include";
    EXPECT_TRUE(kMayInclude.at(from).contains(to)) << include.file << " includes " << include.target;
  }
}

TEST(Includes, OnlyTheApiIsInNoRoom) {
  for (const auto& entry : fs::directory_iterator(fs::path(HSVM_SOURCE_DIR) / "hsvm")) {
    const std::string name = entry.path().filename();
    EXPECT_TRUE(entry.is_directory() || name == "api.hpp" || name == "CMakeLists.txt") << name;
  }
}

TEST(Includes, StreamsKnowNoFormats) {
  for (const Include& include : includes_below("hsvm/io/streams"))
    EXPECT_FALSE(include.target.starts_with("hsvm/io/formats/"))
        << include.file << " includes " << include.target;
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
const std::set<std::string> kPrivateHeaders = {"hsvm/model/json_parts.hpp", "hsvm/report/page_parts.hpp"};

TEST(Includes, PrivateHeadersStayInTheirFolder) {
  for (const char* folder : {"hsvm", "app", "datasets", "baselines", "experiments", "tests", "bench"}) {
    for (const Include& include : includes_below(folder)) {
      if (!kPrivateHeaders.contains(include.target)) continue;
      EXPECT_TRUE(include.file.ends_with(".cpp") && room_of(include.file) == room_of(include.target))
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

TEST(Includes, FacesSeeTheApiAndReportsOnly) {
  for (const Include& include : includes_below("app")) {
    if (!include.target.starts_with("hsvm/")) continue;
    EXPECT_TRUE(include.target == "hsvm/api.hpp" || room_of(include.target) == "report")
        << include.file << " includes " << include.target;
  }
  for (const Include& include : includes_below("hsvm")) {
    EXPECT_FALSE(include.target.starts_with("app/") || include.target.starts_with("tests/") ||
                 include.target.starts_with("bench/"))
        << include.file << " includes " << include.target;
  }
}

// The package that reads command lines takes seconds to compile: one file does.
TEST(Includes, OneFileSeesTheCommandLinePackage) {
  for (const char* folder : {"hsvm", "app", "baselines", "experiments", "tests", "bench"}) {
    for (const Include& include : includes_below(folder)) {
      EXPECT_TRUE(!include.target.starts_with("CLI/") || include.file == "app/command_line.cpp")
          << include.file;
    }
  }
}

// std::regex takes seconds to compile, too; tests/support/text.hpp says what tests need.
TEST(Includes, NobodyCompilesRegularExpressions) {
  for (const char* folder : {"hsvm", "app", "baselines", "experiments", "tests", "bench"}) {
    for (const Include& include : includes_below(folder)) EXPECT_NE(include.target, "regex") << include.file;
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
