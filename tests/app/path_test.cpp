// Whole paths and traces, with the program itself.

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "tests/app/journey.hpp"

namespace hsvm::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AnyOf;
using testing::Each;

std::string exactly(double number) {
  return json(number).dump();
}

// The lines of a CSV file, split.
std::vector<std::vector<std::string>> read_table(const std::string& path) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(read_text(path));
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(field);
  }
  return rows;
}

class PathJourney : public Journey {
 protected:
  json path_json(std::vector<std::string> more) const {
    more.insert(more.begin(), {"path", "train.libsvm", "--json", "--full-path"});
    return json::parse(succeed(more).output);
  }
};

TEST_F(PathJourney, PathInspectPredict) {
  generate();
  generate("test.libsvm.xz", "2");
  const Outcome fitted = succeed({"path", "train.libsvm", "-m", "path.json", "--full-path"});
  EXPECT_EQ(fitted.errors, "");
  for (const char* part : {"60 samples, 40 features", "100 points, lambda1 = ", "lambda2 = 0.01", "nonzeros",
                           "relative gap", "saved     path.json"}) {
    EXPECT_NE(fitted.output.find(part), std::string::npos) << part << "\n" << fitted.output;
  }
  EXPECT_LE(std::count(fitted.output.begin(), fitted.output.end(), '\n'), 20);
  const Outcome verbose = succeed({"path", "train.libsvm", "--verbose", "--full-path"});
  EXPECT_GE(std::count(verbose.output.begin(), verbose.output.end(), '\n'), 100);

  const json path = read_json("path.json");
  EXPECT_EQ(path["format"], "hsvm-path");
  ASSERT_EQ(path["points"].size(), 100U);

  const Outcome table = succeed({"inspect", "path.json"});
  EXPECT_NE(table.output.find("kind        binary path\n"), std::string::npos) << table.output;
  EXPECT_EQ(count_lines_like(table.output, "  100  *#  *#  *#  *# *"), 1) << table.output;
  EXPECT_EQ(json::parse(succeed({"inspect", "path.json", "--json"}).output), path);

  // A point of the path is found as it is, with its report.
  const json& point = path["points"][60];
  const std::string lambda1 = exactly(point["lambda1"]);
  const json model = json::parse(succeed({"inspect", "path.json", "--lambda1", lambda1, "--json"}).output);
  EXPECT_EQ(model["format"], "hsvm-model");
  EXPECT_EQ(model["coef"], point["coef"]);
  EXPECT_EQ(model["intercept"], point["intercept"]);
  EXPECT_EQ(model["report"]["objective"], point["report"]["objective"]);
  EXPECT_NE(
      succeed({"inspect", "path.json", "--lambda1", lambda1}).output.find("solved      converged by newton"),
      std::string::npos);
  folder_.write("model.json", model.dump());
  const Outcome of_path = succeed({"predict", "path.json", "test.libsvm.xz", "--lambda1", lambda1, "--scores"});
  const Outcome of_model = succeed({"predict", "model.json", "test.libsvm.xz", "--scores"});
  EXPECT_EQ(of_path.output, of_model.output);
  EXPECT_EQ(of_path.errors, of_model.errors);
  EXPECT_NE(of_path.errors.find("Accuracy = "), std::string::npos);

  // Between two points: the mean of their scores at the middle, and no report.
  const double above = path["points"][60]["lambda1"];
  const double below = path["points"][61]["lambda1"];
  const auto scores = [&](double at) {
    std::istringstream lines(
        succeed({"predict", "path.json", "test.libsvm.xz", "--lambda1", exactly(at), "--scores", "-q"}).output);
    std::vector<double> result;
    std::string label;
    double score = 0.0;
    while (lines >> label >> score) result.push_back(score);
    return result;
  };
  const std::vector<double> high = scores(above);
  const std::vector<double> low = scores(below);
  const std::vector<double> middle = scores(0.5 * (above + below));
  ASSERT_EQ(middle.size(), 60U);
  for (std::size_t i = 0; i < 60; ++i) EXPECT_NEAR(middle[i], 0.5 * (high[i] + low[i]), 1e-12);
  EXPECT_EQ(
      succeed({"inspect", "path.json", "--lambda1", exactly(0.5 * (above + below))}).output.find("solved"),
      std::string::npos);
  // Above lambda1_max: the empty model.
  EXPECT_NE(succeed({"inspect", "path.json", "--lambda1", "1000"}).output.find("features    0 of 40 selected"),
            std::string::npos);
}

TEST_F(PathJourney, JsonHasTheContractsKeys) {
  generate();
  const json report = path_json({"--nlambda", "7", "--lambda-min-ratio", "0.1"});
  for (const char* key : {"path", "seconds", "passes", "solver", "pass_seconds", "n_samples", "n_features",
                          "classes", "delta", "lambda1_max", "status"}) {
    EXPECT_TRUE(report.contains(key)) << key;
  }
  ASSERT_EQ(report["path"].size(), 7U);
  EXPECT_EQ(report["status"], "converged");
  EXPECT_EQ(report["path"][0]["lambda1"], report["lambda1_max"]);
  EXPECT_EQ(report["path"][0]["nonzeros"], 0);
  EXPECT_DOUBLE_EQ(report["path"][6]["lambda1"], 0.1 * report["lambda1_max"].get<double>());
  for (const json& point : report["path"]) {
    for (const char* key :
         {"lambda1", "lambda2", "lambda3", "objective", "dual_objective", "gap", "relative_gap", "nonzeros",
          "iterations", "passes", "seconds", "status", "intercept"})
      EXPECT_TRUE(point.contains(key)) << key;
    EXPECT_EQ(point["status"], "converged");
    EXPECT_LE(point["relative_gap"], 1e-6);
    const json single = fit_json({"--lambda1", exactly(point["lambda1"])});
    EXPECT_NEAR(single["objective"], point["objective"], 0.5e-6);
  }
}

TEST_F(PathJourney, EndsByItselfAndSaysWhy) {
  generate();
  const Outcome outcome = succeed({"path", "train.libsvm", "-m", "path.json"});
  const json path = read_json("path.json");
  ASSERT_LT(path["points"].size(), 100U);
  EXPECT_EQ(path["ended"], "explained");
  EXPECT_GT(path["explained"], 0.999);
  EXPECT_NE(outcome.output.find(
                "ended     where nearly all of the null model's loss was explained; its last point explains"),
            std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("(--full-path goes on)"), std::string::npos) << outcome.output;
  const json whole = path_json({});
  EXPECT_EQ(whole["path"].size(), 100U);
  EXPECT_EQ(whole["ended"], "grid");
  EXPECT_NE(succeed({"inspect", "path.json"}).output.find("ended       where nearly all"), std::string::npos);
}

TEST_F(PathJourney, DefaultRatioDependsOnTheShape) {
  generate();
  const auto ratio = [](const json& report) {
    return report["path"].back()["lambda1"].get<double>() / report["lambda1_max"].get<double>();
  };
  EXPECT_NEAR(ratio(path_json({"--nlambda", "2"})), 1e-4, 1e-12);
  EXPECT_NEAR(ratio(path_json({"--nlambda", "2", "--features", "60"})), 1e-2, 1e-12);
}

TEST_F(PathJourney, GridAlphaAndLimitOfNonzeros) {
  generate();
  folder_.write("grid.txt", "# lambda1\n0.1\n0.3\n\n0.2 # middle\n");
  const json grid = path_json({"--lambda-grid", "grid.txt"});
  ASSERT_EQ(grid["path"].size(), 3U);
  EXPECT_EQ(grid["path"][0]["lambda1"], 0.3);
  EXPECT_EQ(grid["path"][2]["lambda1"], 0.1);

  const json alpha = path_json({"--alpha", "0.5", "--nlambda", "5"});
  for (const json& point : alpha["path"]) EXPECT_EQ(point["lambda2"], point["lambda1"]);

  const json limited = path_json({"--max-nonzeros", "6"});
  EXPECT_LT(limited["path"].size(), 100U);
  EXPECT_GT(limited["path"].back()["nonzeros"], 6);
  EXPECT_LE(limited["path"][limited["path"].size() - 2]["nonzeros"], 6);
}

TEST_F(PathJourney, SolversThreadsAndPrecisionsAgree) {
  generate();
  const json one = path_json({"--nlambda", "6", "--threads", "1"});
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"--solver", "pg2"}, {"--threads", "2"}, {"--precision", "single"}}) {
    std::vector<std::string> flags = {"--nlambda", "6"};
    flags.insert(flags.end(), more.begin(), more.end());
    const json other = path_json(flags);
    for (std::size_t k = 0; k < 6; ++k)
      EXPECT_NEAR(other["path"][k]["objective"], one["path"][k]["objective"], 1e-6) << more[0];
  }
}

TEST_F(PathJourney, OfSeveralClasses) {
  succeed({"generate", "multiclass", "--n", "60", "--p", "30", "--s", "6", "-o", "train.libsvm", "-q"});
  const json report = path_json({"--nlambda", "10", "-m", "path.json"});
  EXPECT_EQ(report["classes"], json({1, 2, 3, 4}));
  EXPECT_EQ(report["path"][3]["intercept"].size(), 4U);
  EXPECT_EQ(read_json("path.json")["kind"], "multiclass");
  const double middle =
      0.5 * (report["path"][3]["lambda1"].get<double>() + report["path"][4]["lambda1"].get<double>());
  const std::vector<std::string> predicted =
      lines_of(succeed({"predict", "path.json", "train.libsvm", "--lambda1", exactly(middle), "-q"}).output);
  EXPECT_EQ(predicted.size(), 60U);
  EXPECT_THAT(predicted, Each(AnyOf("1", "2", "3", "4")));
}

TEST_F(PathJourney, LimitsExitWith3AndKeepTheCertifiedPart) {
  generate();
  const Outcome limited = run({"path", "train.libsvm", "-m", "path.json", "--max-iterations", "2", "--lambda2",
                               "0.0001", "--nlambda", "5", "--full-path", "-q"});
  EXPECT_EQ(limited.exit_code, 3);
  EXPECT_TRUE(has_part_like(limited.errors, "iteration_limit; # of 5 points are certified")) << limited.errors;
  EXPECT_FALSE(has_part_like(limited.errors, " 0 of 5") || has_part_like(limited.errors, " 5 of 5"));
  EXPECT_NE(limited.errors.find("path.json"), std::string::npos);
  EXPECT_EQ(read_json("path.json")["points"].size(), 5U);

  const Outcome timed = run({"path", "train.libsvm", "-m", "timed.json", "--time-limit", "0.2", "--nlambda",
                             "1000000", "--full-path", "--trace", "trace.csv", "-q"});
  EXPECT_EQ(timed.exit_code, 3) << timed.errors;
  const json path = read_json("timed.json");
  EXPECT_EQ(path["status"], "time_limit");
  ASSERT_GE(path["points"].size(), 1U);
  EXPECT_LT(path["points"].size(), 1000000U);
  for (const json& point : path["points"]) EXPECT_EQ(point["report"]["status"], "converged");
  EXPECT_GE(read_table(folder_.path("trace.csv")).size(), 1 + path["points"].size());
}

TEST_F(PathJourney, InterruptKeepsTheCertifiedPart) {
  succeed({"generate", "binary", "--n", "200", "--p", "400", "--s", "5", "--rho", "0.9", "-o", "train.libsvm",
           "-q"});
  folder_.write("grid.txt", "100\n50\n1e-6\n");  // two that are empty, and one without end
  const Outcome outcome = interrupt(
      {"path", "train.libsvm", "-m", "path.json", "--lambda-grid", "grid.txt", "--lambda2", "1e-9", "--solver",
       "pg", "--tolerance", "1e-12", "--max-iterations", "2000000000", "--trace", "trace.csv"},
      shows("point 3 of 3"));
  EXPECT_EQ(outcome.exit_code, 130) << outcome.errors;
  EXPECT_NE(outcome.errors.find("interrupted"), std::string::npos) << outcome.errors;
  const json path = read_json("path.json");
  EXPECT_EQ(path["status"], "interrupted");
  ASSERT_EQ(path["points"].size(), 2U);
  for (const json& point : path["points"]) EXPECT_EQ(point["report"]["status"], "converged");
  const auto trace = read_table(folder_.path("trace.csv"));
  ASSERT_GE(trace.size(), 4U);  // the header, a line for each empty point, and what was shown of the third
  EXPECT_EQ(std::stod(trace.back()[0]), 1e-6);
  for (const auto& entry : fs::directory_iterator(folder_.path(".")))
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
}

TEST_F(PathJourney, TraceOfAFitHasALineForEachIteration) {
  generate();
  for (const char* solver : {"pg", "pg2"}) {
    const json report = fit_json({"--solver", solver, "--trace", "trace.csv"});
    const auto table = read_table(folder_.path("trace.csv"));
    const std::vector<std::string> header = {"seconds", "passes",      "objective",
                                             "gap",     "working_set", "nonzeros"};
    ASSERT_EQ(table.size(), 1 + report["iterations"].get<std::size_t>());
    EXPECT_EQ(table[0], header);
    for (const auto& row : table) ASSERT_EQ(row.size(), 6U);
    EXPECT_EQ(table[1][4], "40");
    EXPECT_EQ(std::stod(table.back()[1]), report["passes"]);
    EXPECT_EQ(std::stod(table.back()[2]), report["objective"]);
    EXPECT_EQ(std::stod(table.back()[3]), report["gap"]);
    EXPECT_EQ(table.back()[5], report["nonzeros"].dump());
    for (std::size_t k = 2; k < table.size(); ++k) {
      EXPECT_GE(std::stod(table[k][0]), std::stod(table[k - 1][0]));
      EXPECT_GT(std::stod(table[k][1]), std::stod(table[k - 1][1]));
    }
  }
}

TEST_F(PathJourney, TraceOfAPathBeginsWithLambda1) {
  generate();
  const json report = path_json({"--nlambda", "4", "--trace", "trace.csv.gz"});
  succeed({"path", "train.libsvm", "--nlambda", "4", "--full-path", "--trace", "trace.csv", "-q"});
  const auto table = read_table(folder_.path("trace.csv"));
  int iterations = 0;
  for (const json& point : report["path"]) iterations += std::max(1, point["iterations"].get<int>());
  ASSERT_EQ(static_cast<int>(table.size()), 1 + iterations);
  EXPECT_EQ(table[0][0], "lambda1");
  EXPECT_EQ(table[0].size(), 7U);
  EXPECT_EQ(std::stod(table[1][0]), report["lambda1_max"]);
  EXPECT_EQ(std::stod(table.back()[0]), report["path"][3]["lambda1"]);
  EXPECT_EQ(std::stod(table.back()[2]), report["passes"]);
}

TEST_F(PathJourney, ATraceThatCannotBeWrittenCostsNoModel) {
  generate();
  const Outcome outcome = run({"fit", "train.libsvm", "-m", "model.json", "--trace", "/dev/full", "-q"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.errors.find("/dev/full: "), std::string::npos) << outcome.errors;
  EXPECT_EQ(read_json("model.json")["report"]["status"], "converged");
}

}  // namespace
}  // namespace hsvm::test
