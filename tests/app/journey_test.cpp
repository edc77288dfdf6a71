// What users do, from start to end, with the program itself.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Journey : public testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& arguments, const std::string& input = "") const {
    return run_program(HSVM_PROGRAM, arguments, folder_.path("."), input);
  }
  Outcome succeed(const std::vector<std::string>& arguments, const std::string& input = "") const {
    Outcome outcome = run(arguments, input);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    return outcome;
  }
  json fit_json(std::vector<std::string> more) const {
    more.insert(more.begin(), {"fit", "train.libsvm", "--json"});
    return json::parse(succeed(more).output);
  }
  void generate(const char* file = "train.libsvm", const char* seed = "1") const {
    succeed({"generate", "binary", "--n", "60", "--p", "40", "--s", "5", "--rho", "0.5", "--seed", seed, "-o", file});
  }
  TemporaryFolder folder_;
};

TEST_F(Journey, FitPredictInspect) {
  generate();
  generate("test.libsvm.xz", "2");
  const Outcome fitted = succeed({"fit", "train.libsvm", "-m", "model.json"});
  EXPECT_NE(fitted.output.find("60 samples, 40 features, classes -1 (30), 1 (30)"), std::string::npos) << fitted.output;
  EXPECT_NE(fitted.output.find("saved     model.json"), std::string::npos) << fitted.output;
  EXPECT_EQ(fitted.errors, "");

  const Outcome predicted = succeed({"predict", "model.json", "test.libsvm.xz", "--verbose"});
  EXPECT_TRUE(std::regex_match(predicted.output, std::regex("((-1|1)\n){60}"))) << predicted.output;
  EXPECT_TRUE(std::regex_search(predicted.errors, std::regex(R"(Accuracy = [0-9.]+% \([0-9]+/60\))"))) << predicted.errors;
  EXPECT_NE(predicted.errors.find("true \\ predicted"), std::string::npos);

  const Outcome inspected = succeed({"inspect", "model.json"});
  EXPECT_NE(inspected.output.find("classes     -1, 1"), std::string::npos) << inspected.output;
  EXPECT_NE(inspected.output.find("of 40 selected"), std::string::npos) << inspected.output;
}

TEST_F(Journey, JsonHasTheContractsKeys) {
  generate();
  const json report = fit_json({});
  for (const char* key : {"status", "solver", "objective", "dual_objective", "gap", "relative_gap", "iterations", "passes",
                          "seconds", "pass_seconds", "n_samples", "n_features", "classes", "nonzeros", "lambda1", "lambda2",
                          "lambda3", "delta", "lambda1_max", "intercept"}) {
    EXPECT_TRUE(report.contains(key)) << key;
  }
  EXPECT_EQ(report["status"], "converged");
  EXPECT_EQ(report["classes"], json({-1, 1}));
  EXPECT_DOUBLE_EQ(report["gap"], report["objective"].get<double>() - report["dual_objective"].get<double>());
  EXPECT_LE(report["relative_gap"], 1e-6);
  EXPECT_DOUBLE_EQ(report["lambda1"], 0.1 * report["lambda1_max"].get<double>());
  EXPECT_EQ(report["lambda2"], 0.01);
  EXPECT_EQ(report["lambda3"], 0.01);
}

TEST_F(Journey, ModelFileHasTheContractsKeys) {
  generate();
  succeed({"fit", "train.libsvm", "-m", "model.json", "--quiet"});
  const json model = json::parse(read_text(folder_.path("model.json")));
  EXPECT_EQ(model["format"], "hsvm-model");
  EXPECT_EQ(model["version"], 1);
  EXPECT_EQ(model["kind"], "binary");
  EXPECT_EQ(model["n_features"], 40);
  EXPECT_TRUE(model["feature_names"].is_null());
  EXPECT_EQ(model["coef"]["feature"].size(), model["coef"]["value"].size());
  EXPECT_EQ(model["coef"]["value"][0].size(), 1U);
  EXPECT_EQ(model["report"]["status"], "converged");
}

TEST_F(Journey, EmptyAtLambda1MaxAndNotBelow) {
  generate();
  EXPECT_EQ(fit_json({"--lambda1-ratio", "1"})["nonzeros"], 0);
  EXPECT_GT(fit_json({"--lambda1-ratio", "0.999"})["nonzeros"], 0);
}

TEST_F(Journey, SolversAndThreadsAgree) {
  generate();
  const json pg = fit_json({"--threads", "1", "-m", "one.json"});
  const json pg2 = fit_json({"--solver", "pg2"});
  EXPECT_LE(std::abs(pg["objective"].get<double>() - pg2["objective"].get<double>()),
            std::max(pg["gap"].get<double>(), pg2["gap"].get<double>()));
  fit_json({"--threads", "2", "-m", "two.json"});
  json one = json::parse(read_text(folder_.path("one.json")));
  json two = json::parse(read_text(folder_.path("two.json")));
  one.erase("report");  // holds the seconds it took
  two.erase("report");
  EXPECT_EQ(one, two);
}

TEST_F(Journey, StandardInputAndCompressedFilesGiveTheSameModel) {
  generate();
  succeed({"convert", "train.libsvm", "train.csv.gz", "--quiet"});
  succeed({"convert", "train.csv.gz", "train.tsv.zst", "--quiet"});
  succeed({"convert", "train.tsv.zst", "again.libsvm.bz2", "--quiet"});
  const json plain = fit_json({});
  const std::string text = read_text(folder_.path("train.libsvm"));
  for (const auto& [name, input] : std::vector<std::pair<std::string, std::string>>{
           {"train.csv.gz", ""}, {"train.tsv.zst", ""}, {"again.libsvm.bz2", ""}, {"-", text}}) {
    const json other = json::parse(succeed({"fit", name, "--json"}, input).output);
    EXPECT_EQ(other["objective"], plain["objective"]) << name;
    EXPECT_EQ(other["intercept"], plain["intercept"]) << name;
  }
}

TEST_F(Journey, WordsAsLabelsAndNamesOfFeatures) {
  folder_.write("genes.csv", "tumour,\"gene, A\",geneB\nyes,1,0\nno,-1,0.5\nyes,2,1\nno,-2,-1\n");
  succeed({"fit", "genes.csv", "--label", "tumour", "-m", "model.json", "--quiet"});
  const json model = json::parse(read_text(folder_.path("model.json")));
  EXPECT_EQ(model["classes"], json({"no", "yes"}));
  EXPECT_EQ(model["feature_names"], json({"gene, A", "geneB"}));
  EXPECT_NE(succeed({"inspect", "model.json"}).output.find("gene, A"), std::string::npos);

  // New data: other order of columns, one column more, no labels.
  folder_.write("new.csv", "geneB,extra,\"gene, A\"\n0,7,3\n0,7,-3\n");
  EXPECT_EQ(succeed({"predict", "model.json", "new.csv"}).output, "yes\nno\n");
  const Outcome scores = succeed({"predict", "model.json", "new.csv", "--scores", "-o", "out.txt"});
  EXPECT_EQ(scores.output, "");
  EXPECT_TRUE(std::regex_match(read_text(folder_.path("out.txt")), std::regex("yes [0-9.e-]+\nno -[0-9.e-]+\n")));
}

TEST_F(Journey, SparseTestDataMayHaveMoreOrFewerFeatures) {
  generate();
  succeed({"fit", "train.libsvm", "-m", "model.json", "--quiet"});
  folder_.write("odd.libsvm", "1 1:5 99:1\n-1\nunseen 1:5\n");
  const Outcome predicted = succeed({"predict", "model.json", "odd.libsvm", "-v"});
  EXPECT_EQ(std::count(predicted.output.begin(), predicted.output.end(), '\n'), 3);
  EXPECT_NE(predicted.errors.find("(unknown label)"), std::string::npos) << predicted.errors;
}

TEST_F(Journey, LimitsExitWith3AndKeepTheBestPoint) {
  generate();
  const Outcome stopped = run({"fit", "train.libsvm", "-m", "model.json", "--max-iterations", "2", "--lambda2", "0.0001"});
  EXPECT_EQ(stopped.exit_code, 3);
  EXPECT_NE(stopped.errors.find("iteration_limit after 2 iterations"), std::string::npos) << stopped.errors;
  EXPECT_NE(stopped.errors.find("model.json"), std::string::npos) << stopped.errors;
  const json model = json::parse(read_text(folder_.path("model.json")));
  EXPECT_EQ(model["report"]["status"], "iteration_limit");
  EXPECT_GT(model["report"]["relative_gap"], 1e-6);
  EXPECT_EQ(run({"fit", "train.libsvm", "--time-limit", "1e-9", "--quiet"}).exit_code, 3);
}

TEST_F(Journey, InterruptKeepsTheBestPoint) {
  succeed({"generate", "binary", "--n", "200", "--p", "400", "--s", "5", "--rho", "0.9", "-o", "train.libsvm", "-q"});
  const std::string folder = folder_.path(".");
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (chdir(folder.c_str()) != 0) _exit(126);
    execl(HSVM_PROGRAM, HSVM_PROGRAM, "fit", "train.libsvm", "-m", "model.json", "--quiet", "--lambda1-ratio", "1e-6",
          "--lambda2", "1e-9", "--tolerance", "1e-15", "--max-iterations", "2000000000", nullptr);
    _exit(126);
  }
  // It may still be reading when the first signal comes, which then simply ends it: wait until it has surely begun to solve.
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_EQ(json::parse(read_text(folder_.path("model.json")))["report"]["status"], "interrupted");
}

TEST_F(Journey, FullStandardOutputIsAnError) {
  generate();
  const std::string command = std::string("cd '") + folder_.path(".") + "' && '" HSVM_PROGRAM "' fit train.libsvm --json > /dev/full 2> err";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_NE(read_text(folder_.path("err")).find("standard output"), std::string::npos);
}

TEST_F(Journey, GenerateIsRepeatable) {
  generate("a.libsvm", "7");
  generate("b.libsvm", "7");
  generate("c.libsvm", "8");
  EXPECT_EQ(read_text(folder_.path("a.libsvm")), read_text(folder_.path("b.libsvm")));
  EXPECT_NE(read_text(folder_.path("a.libsvm")), read_text(folder_.path("c.libsvm")));
}

TEST_F(Journey, DemoTellsTheWholeStory) {
  const Outcome demo = succeed({"demo", "-m", "demo.json"});
  for (const char* part : {"1. Data", "2. Fit", "of the optimum", "3. Features", "4. Prediction", "5. Model"}) {
    EXPECT_NE(demo.output.find(part), std::string::npos) << part;
  }
  EXPECT_TRUE(fs::exists(folder_.path("demo.json")));
}

TEST_F(Journey, HelpHasExamples) {
  for (const char* command : {"fit", "predict", "inspect", "convert"}) {
    EXPECT_NE(succeed({command, "--help"}).output.find("hsvm " + std::string(command)), std::string::npos) << command;
  }
  EXPECT_NE(succeed({"--version"}).output.find("hsvm "), std::string::npos);
}

TEST_F(Journey, OptionsPageIsUpToDate) {
  EXPECT_EQ(succeed({"options"}).output, read_text(HSVM_SOURCE_DIR "/docs/options.md"))
      << "write it anew: build/hsvm options > docs/options.md";
}

}  // namespace
}  // namespace hsvm::test
