// hsvm report and hsvm cv --report, as a user runs them. What stands on a page is tested in tests/report and tests/browser.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/app/journey.hpp"

namespace hsvm::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Report : public Journey {
 protected:
  void SetUp() override { generate(); }
  std::string page(const char* file) const { return read_text(folder_.path(file)); }
};

TEST_F(Report, ShowsEveryKindOfModel) {
  succeed({"fit", "train.libsvm", "-m", "fit.json", "--quiet"});
  succeed({"path", "train.libsvm", "-m", "path.json", "--quiet"});
  succeed({"cv", "train.libsvm", "-m", "cv.json", "--report", "cv.html", "--quiet"});
  for (const std::string kind : {"fit", "path", "cv"}) {
    succeed({"report", kind + ".json", "-o", kind + "-page.html", "--data", "train.libsvm", "--quiet"});
    const std::string text = page((kind + "-page.html").c_str());
    EXPECT_THAT(text, HasSubstr("<section id=\"answer\"")) << kind;
    EXPECT_THAT(text, HasSubstr("<section id=\"new-samples\"")) << kind;
  }
  EXPECT_THAT(page("cv.html"), HasSubstr("hsvm cv train.libsvm -m cv.json --report cv.html --quiet"));
  EXPECT_THAT(page("cv.html"), HasSubstr("<section id=\"held-out\""));
  EXPECT_THAT(page("cv.html"), HasSubstr("<section id=\"paths\""));
  EXPECT_THAT(page("path-page.html"), HasSubstr("<section id=\"paths\""));
  EXPECT_THAT(page("fit-page.html"), Not(HasSubstr("<section id=\"paths\"")));
}

TEST_F(Report, IsTheSameForTheSameFileAndDate) {
  succeed({"cv", "train.libsvm", "-m", "cv.json", "--quiet"});
  EXPECT_THAT(succeed({"report", "cv.json", "-o", "a.html", "--date", "2026-01-02"}).output,
              HasSubstr("a.html"));
  EXPECT_EQ(succeed({"report", "cv.json", "-o", "b.html", "--date", "2026-01-02", "--quiet"}).output, "");
  EXPECT_EQ(page("a.html"), page("b.html"));
  EXPECT_THAT(page("a.html"), HasSubstr("on 2026-01-02."));
}

TEST_F(Report, KeepsTheCommandAsAShellTakesIt) {
  std::filesystem::rename(folder_.path("train.libsvm"), folder_.path("it's here.libsvm"));
  succeed({"cv", "it's here.libsvm", "-m", "cv.json", "--quiet"});
  EXPECT_EQ(read_json("cv.json")["evidence"]["command"], "hsvm cv 'it'\\''s here.libsvm' -m cv.json --quiet");
}

TEST_F(Report, ComparesFiles) {
  succeed({"cv", "train.libsvm", "-m", "a.json", "--quiet"});
  succeed({"fit", "train.libsvm", "-m", "b.json", "--quiet"});
  succeed({"report", "a.json", "b.json", "-o", "both.html"});
  EXPECT_THAT(page("both.html"), HasSubstr("<section id=\"shared\""));
}

TEST_F(Report, RefusesWhatIsWrong) {
  succeed({"fit", "train.libsvm", "-m", "fit.json", "--quiet"});
  const auto expect = [&](const std::vector<std::string>& arguments, int exit_code,
                          const std::string& message) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.errors;
    EXPECT_THAT(outcome.errors, HasSubstr(message));
  };
  expect({"report", "fit.json"}, 2, "--output");
  expect({"report", "-o", "page.html"}, 2, "MODEL");
  expect({"report", "fit.json", "-o", "page.html", "--one-se"}, 2, "--one-se");
  expect({"report", "absent.json", "-o", "page.html"}, 1, "absent.json");
  expect({"report", "train.libsvm", "-o", "page.html"}, 1, "train.libsvm");
  expect({"report", "fit.json", "-o", "no/such/folder.html"}, 1, "no/such/folder.html");
  expect({"cv", "train.libsvm", "--report", "no/such/folder.html"}, 1, "no/such/folder.html");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("page.html")));
}

}  // namespace
}  // namespace hsvm::test
