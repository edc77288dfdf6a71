// What is read is never written over, and nothing is left behind.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/app/journey.hpp"

namespace hsvm::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Files : public Journey {
 protected:
  // Runs a line of shell, with the program as $HSVM_PROGRAM.
  Outcome shell(const std::string& line) const {
    return run_program("/bin/sh", {"-c", line}, folder_.path("."));
  }
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& entry : fs::directory_iterator(folder_.path(".")))
      result.push_back(entry.path().filename());
    std::ranges::sort(result);
    return result;
  }
};

TEST_F(Files, AnOutputIsNoInput) {
  const std::string data = "y,a,b\nu,1,0.5\nv,-1,0\nu,0,1\nv,2,-3.5\n";
  folder_.write("a.csv", data);
  folder_.write("w", "1\n1\n1\n1\n");
  fs::create_symlink("a.csv", folder_.path("link.csv"));
  fs::create_hard_link(folder_.path("a.csv"), folder_.path("hard.csv"));
  fs::create_directory(folder_.path("sub"));
  succeed({"fit", "a.csv", "-m", "m.json"});
  const std::string model = read_text(folder_.path("m.json"));
  const std::vector<std::vector<std::string>> wrong = {
      {"fit", "a.csv", "-m", "a.csv"},
      {"fit", "a.csv", "-m", "./sub/../a.csv"},
      {"fit", "a.csv", "-m", "link.csv"},
      {"fit", "link.csv", "-m", "a.csv"},
      {"fit", "a.csv", "-m", "hard.csv"},
      {"fit", "a.csv", "-m", folder_.path("a.csv")},
      {"fit", "a.csv", "--weights", "w", "-m", "w"},
      {"fit", "a.csv", "--penalty-factors", "w", "-m", "w"},
      {"fit", "a.csv", "--names", "w", "--trace", "w"},
      {"path", "a.csv", "--lambda-grid", "w", "-m", "w"},
      {"cv", "a.csv", "--folds-file", "w", "-m", "w"},
      {"cv", "a.csv", "-m", "a.csv"},
      {"predict", "m.json", "a.csv", "-o", "a.csv"},
      {"predict", "m.json", "a.csv", "-o", "./m.json"},
      {"convert", "a.csv", "a.csv"},
      {"convert", "a.csv", "link.csv"},
      {"split", "a.csv", "--train-file", "hard.csv"},
  };
  for (const std::vector<std::string>& arguments : wrong) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.errors;
    EXPECT_THAT(outcome.errors, HasSubstr("is the same file as")) << arguments[0];
    EXPECT_EQ(read_text(folder_.path("a.csv")), data);
    EXPECT_EQ(read_text(folder_.path("w")), "1\n1\n1\n1\n");
    EXPECT_EQ(read_text(folder_.path("m.json")), model);
  }
  succeed({"convert", "a.csv", "/dev/null", "--to", "csv"});
}

TEST_F(Files, AnInterruptedFitThatFoundNothingLeavesTheModelAlone) {
  succeed({"generate", "binary", "--n", "2000", "--p", "3000", "--s", "5", "-o", "large.csv"});
  folder_.write("m.json", "precious");
  const Interrupt at_once = {
      .when = [](const Running& running) { return catches_interrupts(running.process); }};
  const Outcome outcome =
      interrupt({"fit", "large.csv", "--solver", "pg", "--tolerance", "1e-14", "-m", "m.json"}, at_once);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.errors;
  // Where the solve was quicker than the key, what it found was written.
  if (read_text(folder_.path("m.json")) == "precious") {
    EXPECT_THAT(outcome.errors, HasSubstr("m.json stays as it was"));
  } else {
    EXPECT_FALSE(read_json("m.json")["coef"]["feature"].empty());
  }
}

TEST_F(Files, CtrlCLeavesNoTemporaryFile) {
  // The program waits for its input, with its outputs open: it has no handler, and simply ends.
  const Outcome outcome = shell(
      "mkfifo pipe; sleep 5 > pipe & $HSVM_PROGRAM split - --train-file a.csv --test-file b.csv < pipe & "
      "sleep 0.5; kill -INT $! ; kill -TERM $!; wait $!; kill %1");
  EXPECT_EQ(names(), std::vector<std::string>({"pipe"})) << outcome.errors;
}

TEST_F(Files, NobodyNeedHearTheErrors) {
  folder_.write("a.csv", "y,a,b\nu,1,0.5\nv,-1,0\nu,0,1\nv,2,-3.5\n");
  for (const char* errors : {"2>&-", "2>/dev/full"}) {
    SCOPED_TRACE(errors);
    const std::string to = std::string(" ") + errors;
    EXPECT_EQ(shell("$HSVM_PROGRAM fit absent.csv" + to).exit_code, 1);
    EXPECT_EQ(shell("$HSVM_PROGRAM fit --wrong" + to).exit_code, 2);
    EXPECT_EQ(shell("$HSVM_PROGRAM fit a.csv -m m.json -q" + to).exit_code, 0);
    EXPECT_EQ(
        shell("$HSVM_PROGRAM fit a.csv --solver pg --max-iterations 1 --tolerance 1e-12 -m n.json -q" + to)
            .exit_code,
        3);
    EXPECT_EQ(read_json("n.json")["format"], "hsvm-model");  // and the message is not in it
    EXPECT_EQ(shell("$HSVM_PROGRAM predict m.json a.csv" + to).output, "u\nv\nu\nv\n");
  }
  EXPECT_EQ(shell("$HSVM_PROGRAM predict m.json a.csv >&-").exit_code, 1);
  EXPECT_EQ(shell("$HSVM_PROGRAM fit - <&-").exit_code, 1);
}

TEST_F(Files, OutputComesBeforeErrors) {
  folder_.write("a.csv", "y,a,b\nu,1,0.5\nv,-1,0\nu,0,1\nv,2,-3.5\n");
  const std::string both =
      shell("$HSVM_PROGRAM fit a.csv --solver pg --max-iterations 1 --tolerance 1e-12 2>&1").output;
  EXPECT_LT(both.find("selected"), both.find("hsvm: stopped before")) << both;
}

TEST_F(Files, ControlCharactersAreShownAsText) {
  folder_.write("a.csv", "y,\"bell\a\",b\n\"u\x1b[31m\",1,0.5\nv,-1,0\n\"u\x1b[31m\",0,1\nv,2,-3.5\n");
  const std::string said = succeed({"fit", "a.csv", "-v", "-m", "m.json", "--lambda1-ratio", "0.01"}).output;
  EXPECT_EQ(said.find('\x1b'), std::string::npos) << said;
  EXPECT_EQ(said.find('\a'), std::string::npos) << said;
  EXPECT_THAT(said, HasSubstr("u\\x1b[31m (2)"));
  EXPECT_THAT(said, HasSubstr("bell\\x07"));
}

}  // namespace
}  // namespace hsvm::test
