// The command line as such: help, manual, completions, suggestions, lists of values, and where a solve starts.

#include <filesystem>

#include "tests/app/journey.hpp"

namespace hsvm::test {
namespace {

using nlohmann::json;
using CommandLineJourney = Journey;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::vector<std::string> kVerbs = {"fit",      "path",    "cv",    "predict", "inspect",
                                         "generate", "convert", "split", "demo",    "help"};

TEST_F(CommandLineJourney, HelpNamesEveryCommandAndReadsWell) {
  const std::string all = succeed({"help"}).output;
  EXPECT_EQ(succeed({"--help"}).output, all);
  for (const std::string& verb : kVerbs) {
    EXPECT_TRUE(has(all, "\n  " + verb + " ")) << all;
    const std::string help = succeed({"help", verb}).output;
    EXPECT_EQ(succeed({verb, "--help"}).output, help);
    EXPECT_TRUE(has(help, "Usage: hsvm " + verb)) << help;
    for (const char* artefact : {"{false}", "REQUIRED", "=huberized", "!--"})
      EXPECT_FALSE(has(help, artefact)) << help;
  }
  const std::string fit = succeed({"help", "fit"}).output;
  for (const char* part : {"--[no-]standardize", "-m, --model FILE", "(default: huberized)",
                           "Usage: hsvm fit DATA [OPTIONS]", "\nModel:\n", "\nSolver:\n"}) {
    EXPECT_TRUE(has(fit, part)) << part << "\n" << fit;
  }
  for (const std::string& line : lines_of(fit)) EXPECT_LE(line.size(), 112U) << line;
  EXPECT_FALSE(has(succeed({"help", "path"}).output, "--lambda1-ratio"));  // it makes no sense there
}

TEST_F(CommandLineJourney, SaysWhatMayHaveBeenMeant) {
  const struct {
    std::vector<std::string> arguments;
    std::string message;
  } cases[] = {
      {{"fitt", "x"}, "hsvm: unknown command 'fitt': did you mean fit? It must be one of fit path"},
      {{"help", "predct"}, "unknown command 'predct': did you mean predict?"},
      {{"fit", "x", "--lamda1", "1"}, "unknown flag --lamda1: did you mean --lambda1? (see hsvm fit --help)"},
      {{"cv", "x", "--repeat=3"}, "unknown flag --repeat: did you mean --repeats?"},
      {{"fit", "x", "--quite"}, "unknown flag --quite: did you mean --quiet?"},
      {{"fit", "x", "--zzzzzzzzz"}, "unknown flag --zzzzzzzzz (see hsvm fit --help)"},
  };
  for (const auto& c : cases) {
    const Outcome outcome = run(c.arguments);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_TRUE(has(outcome.errors, c.message)) << outcome.errors;
    EXPECT_EQ(lines_of(outcome.errors).size(), 1U) << outcome.errors;
  }
}

TEST_F(CommandLineJourney, ManualHasAPageForEveryCommand) {
  for (const std::string& verb : kVerbs) {
    const std::string page = succeed({"help", verb, "--man"}).output;
    EXPECT_TRUE(page.starts_with(".TH HSVM\\-") || page.starts_with(".TH HSVM-")) << page.substr(0, 80);
    for (const char* part : {".SH NAME\nhsvm", ".SH SYNOPSIS\n", ".SH EXIT STATUS\n"})
      EXPECT_TRUE(has(page, part)) << part;
    // What begins with a dot is a request of the language, and there are few.
    for (const std::string& line : lines_of(page)) {
      if (!line.starts_with(".")) continue;
      const std::string request = line.substr(0, line.find(' '));
      EXPECT_TRUE(request == ".TH" || request == ".SH" || request == ".TP" || request == ".B" ||
                  request == ".BR" || request == ".nf" || request == ".fi")
          << line;
    }
  }
  EXPECT_TRUE(has(succeed({"help", "fit", "--man"}).output, "\\-\\-lambda1 NUMBER\nweight of the l1 penalty"));
}

TEST_F(CommandLineJourney, CompletionsKnowCommandsFlagsAndWords) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = succeed({"help", "--completion", shell}).output;
    for (const char* part : {"predict", "lambda1", "squared-hinge", "no-standardize"})
      EXPECT_TRUE(has(script, part)) << shell << " " << part;
    EXPECT_FALSE(has(script, "!--"));
  }
  EXPECT_EQ(run({"help", "--completion", "tcsh"}).exit_code, 2);
  folder_.write("try.sh",
                "eval \"$($1 help --completion bash)\"\n"
                "COMP_WORDS=(hsvm fit --solv); COMP_CWORD=2; _hsvm; echo \"${COMPREPLY[@]}\"\n"
                "COMP_WORDS=(hsvm fit --solver n); COMP_CWORD=3; _hsvm; echo \"${COMPREPLY[@]}\"\n"
                "COMP_WORDS=(hsvm pre); COMP_CWORD=1; _hsvm; echo \"${COMPREPLY[@]}\"\n");
  if (!std::filesystem::exists("/bin/bash")) GTEST_SKIP() << "there is no bash";
  const Outcome tried = run_program("/bin/bash", {"try.sh", program_in("HSVM_PROGRAM")}, folder_.path("."));
  EXPECT_EQ(tried.output, "--solver\nnewton\npredict\n") << tried.errors;
}

TEST_F(CommandLineJourney, GridsMayStandOnTheCommandLine) {
  generate();
  folder_.write("grid.txt", "0.1\n0.5\n0.2\n");
  const auto path_of = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> arguments = {"path", "train.libsvm", "--json"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    std::vector<double> lambda1;
    const json report = json::parse(succeed(arguments).output);
    for (const json& point : report["path"]) lambda1.push_back(point["lambda1"]);
    return lambda1;
  };
  const std::vector<double> expected = {0.5, 0.2, 0.1};
  EXPECT_EQ(path_of({"--lambda-grid", "grid.txt"}), expected);
  EXPECT_EQ(path_of({"--lambda-grid", "0.1,0.5,0.2"}), expected);
  EXPECT_EQ(path_of({"--lambda1", "0.5,0.2,0.1"}), expected);
  EXPECT_EQ(path_of({"--lambda-grid", "2e-1"}), std::vector<double>{0.2});
  const json cv = json::parse(
      succeed({"cv", "train.libsvm", "--lambda1", "0.3,0.1", "--lambda2", "0.1", "--folds", "3", "--json"})
          .output);
  EXPECT_EQ(cv["grid"].size(), 2U);
  EXPECT_EQ(run({"fit", "train.libsvm", "--lambda1", "0.3,0.1"}).exit_code, 2);
  EXPECT_EQ(run({"path", "train.libsvm", "--lambda1", "0.3,0.1", "--lambda-grid", "1,2"}).exit_code, 2);
  EXPECT_EQ(run({"path", "train.libsvm", "--lambda1", "0.3,x"}).exit_code, 2);
  EXPECT_EQ(run({"path", "train.libsvm", "--lambda-grid", "0.3,,1"}).exit_code, 2);
}

TEST_F(CommandLineJourney, InfinitePenaltyFactorsLeaveFeaturesOut) {
  generate();
  const json whole = fit_json({"--lambda1-ratio", "0.05", "-m", "whole.json"});
  const json model = read_json("whole.json");
  const int excluded = model["coef"]["feature"][0];
  std::string factors;
  for (int j = 0; j < 40; ++j) factors += j == excluded ? "inf\n" : "1\n";
  folder_.write("factors.txt", factors);
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--no-standardize"}, {"--keep-top", "12"}}) {
    std::vector<std::string> flags = {"--lambda1-ratio", "0.05", "--penalty-factors",
                                      "factors.txt",     "-m",   "part.json"};
    flags.insert(flags.end(), more.begin(), more.end());
    EXPECT_EQ(fit_json(flags)["status"], "converged");
    for (const json& feature : read_json("part.json")["coef"]["feature"]) EXPECT_NE(feature, excluded);
  }
  std::string all;
  for (int j = 0; j < 40; ++j) all += "inf\n";
  folder_.write("all.txt", all);
  const Outcome none = run({"fit", "train.libsvm", "--penalty-factors", "all.txt"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_TRUE(has(none.errors, "all penalty factors are inf")) << none.errors;
}

TEST_F(CommandLineJourney, ASolveMayStartAtAModel) {
  generate();
  for (const char* solver : {"newton", "pg"}) {
    for (const bool multiclass : {false, true}) {
      std::vector<std::string> flags = {"--lambda1-ratio", "0.05",        "--solver", solver, "-m",
                                        "model.json",      "--tolerance", "1e-7"};
      if (multiclass) flags.emplace_back("--multiclass");
      const json cold = fit_json(flags);
      flags[5] = "again.json";
      flags.insert(flags.end(), {"--start", "model.json"});
      const json warm = fit_json(flags);
      expect_same_minimum({cold, warm});
      // Newton's method improves any start, the other stops at once.
      if (solver == std::string("pg")) {
        EXPECT_LT(warm["iterations"].get<int>(), cold["iterations"].get<int>()) << multiclass;
        EXPECT_LT(warm["passes"].get<double>(), cold["passes"].get<double>()) << multiclass;
      }
    }
  }
  fit_json({"-m", "binary.json"});
  const Outcome other = run({"fit", "train.libsvm", "--multiclass", "--start", "binary.json"});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_TRUE(has(other.errors, "the model to start with does not fit the data")) << other.errors;
}

TEST_F(CommandLineJourney, BrokenModelsAreDescribedInOurOwnWords) {
  generate();
  const struct {
    std::string text;
    std::string message;
  } cases[] = {{"{\"format\": \"hsvm-model\",\n \"version\": x}", "line 2, column 13 is no JSON"},
               {"{\"format\": ", "it ends too early"},
               {"{\"a\": 1e999}", "a number is too large"}};
  for (const auto& c : cases) {
    folder_.write("model.json", c.text);
    const Outcome outcome = run({"predict", "model.json", "train.libsvm"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_TRUE(has(outcome.errors, c.message)) << outcome.errors;
    EXPECT_FALSE(has(outcome.errors, "exception") || has(outcome.errors, "parse_error")) << outcome.errors;
  }
}

// Twenty classes: one table, with a line for each feature, which a terminal shows as it is.
TEST_F(CommandLineJourney, InspectShowsManyClassesInOneTable) {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += "class" + std::to_string(i % 20) + " " + std::to_string(1 + i % 20) +
            ":1 21:" + std::to_string(i * 37 % 11) + "\n";
  folder_.write("many.libsvm", text);
  succeed({"fit", "many.libsvm", "-m", "model.json", "--lambda1-ratio", "0.05", "-q"});
  const std::string shown = succeed({"inspect", "model.json", "--top", "5"}).output;
  for (const std::string& line : lines_of(shown.substr(shown.find("largest coefficients"))))
    EXPECT_LE(line.size(), 112U) << line;
  EXPECT_LT(lines_of(shown).size(), 60U) << shown;
}

}  // namespace
}  // namespace hsvm::test
