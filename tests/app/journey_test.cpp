// What users do, from start to end, with the program itself.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/app/journey.hpp"

namespace hsvm::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AnyOf;
using testing::Each;

TEST_F(Journey, FitPredictInspect) {
  generate();
  generate("test.libsvm.xz", "2");
  const Outcome fitted = succeed({"fit", "train.libsvm", "-m", "model.json"});
  EXPECT_NE(fitted.output.find("60 samples, 40 features, classes -1 (30), 1 (30)"), std::string::npos)
      << fitted.output;
  EXPECT_NE(fitted.output.find("saved     model.json"), std::string::npos) << fitted.output;
  EXPECT_EQ(fitted.errors, "");

  const Outcome predicted = succeed({"predict", "model.json", "test.libsvm.xz", "--verbose"});
  EXPECT_EQ(lines_of(predicted.output).size(), 60U);
  EXPECT_THAT(lines_of(predicted.output), Each(AnyOf("-1", "1")));
  EXPECT_TRUE(has_part_like(predicted.errors, "Accuracy = #% (#/60)")) << predicted.errors;
  EXPECT_NE(predicted.errors.find("true \\ predicted"), std::string::npos);

  const Outcome inspected = succeed({"inspect", "model.json"});
  EXPECT_NE(inspected.output.find("classes     -1, 1"), std::string::npos) << inspected.output;
  EXPECT_NE(inspected.output.find("of 40 selected"), std::string::npos) << inspected.output;
}

TEST_F(Journey, JsonHasTheContractsKeys) {
  generate();
  const json report = fit_json({});
  for (const char* key :
       {"status",  "solver",  "objective",    "dual_objective", "gap",         "relative_gap", "iterations",
        "passes",  "seconds", "pass_seconds", "n_samples",      "n_features",  "classes",      "nonzeros",
        "lambda1", "lambda2", "lambda3",      "delta",          "lambda1_max", "intercept"}) {
    EXPECT_TRUE(report.contains(key)) << key;
  }
  EXPECT_EQ(report["status"], "converged");
  EXPECT_EQ(report["classes"], json({-1, 1}));
  EXPECT_DOUBLE_EQ(report["gap"], report["objective"].get<double>() - report["dual_objective"].get<double>());
  EXPECT_LE(report["relative_gap"], 1e-6);
  EXPECT_DOUBLE_EQ(report["lambda1"], 0.1 * report["lambda1_max"].get<double>());
  EXPECT_EQ(report["lambda2"], 0.01);
  EXPECT_EQ(report["lambda3"], 0.0);
  EXPECT_EQ(report["standardized"], true);
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
  std::vector<json> reports;
  for (const char* solver : {"newton", "pg", "pg2"}) {
    reports.push_back(fit_json({"--solver", solver, "--threads", "1", "-m", "one.json"}));
    EXPECT_EQ(reports.back()["solver"], solver);
    fit_json({"--solver", solver, "--threads", "2", "-m", "two.json"});
    EXPECT_EQ(without_report("one.json"), without_report("two.json")) << solver;
  }
  expect_same_minimum(reports);
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
  EXPECT_TRUE(is_like(read_text(folder_.path("out.txt")), "yes #\nno -#\n"));
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
  const Outcome stopped =
      run({"fit", "train.libsvm", "-m", "model.json", "--max-iterations", "2", "--lambda2", "0.0001"});
  EXPECT_EQ(stopped.exit_code, 3);
  EXPECT_NE(stopped.errors.find("iteration_limit after 2 iterations"), std::string::npos) << stopped.errors;
  EXPECT_NE(stopped.errors.find("model.json"), std::string::npos) << stopped.errors;
  const json model = json::parse(read_text(folder_.path("model.json")));
  EXPECT_EQ(model["report"]["status"], "iteration_limit");
  EXPECT_GT(model["report"]["relative_gap"], 1e-6);
  EXPECT_EQ(run({"fit", "train.libsvm", "--time-limit", "1e-9", "--quiet"}).exit_code, 3);
}

TEST_F(Journey, InterruptKeepsTheBestPoint) {
  succeed({"generate", "binary", "--n", "200", "--p", "400", "--s", "5", "--rho", "0.9", "-o", "train.libsvm",
           "-q"});
  const Outcome outcome =
      interrupt({"fit", "train.libsvm", "-m", "model.json", "--lambda1-ratio", "1e-6", "--lambda2", "1e-9",
                 "--tolerance", "1e-15", "--max-iterations", "2000000000", "--trace", "trace.csv"},
                shows("iteration"));
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_TRUE(fs::exists(folder_.path("trace.csv")));
  EXPECT_EQ(json::parse(read_text(folder_.path("model.json")))["report"]["status"], "interrupted");
}

TEST_F(Journey, FullStandardOutputIsAnError) {
  generate();
  const std::string command = std::string("cd '") + folder_.path(".") + "' && '" + program_in("HSVM_PROGRAM") +
                              "' fit train.libsvm --json > /dev/full 2> err";
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
  for (const char* part :
       {"1. Data", "2. Cross-validation", "dual bound", "3. Features", "4. Prediction", "5. Model"}) {
    EXPECT_NE(demo.output.find(part), std::string::npos) << part;
  }
  EXPECT_TRUE(fs::exists(folder_.path("demo.json")));
}

class MulticlassJourney : public Journey {
 protected:
  static json read_model(const std::string& path) { return json::parse(read_text(path)); }

  void SetUp() override {
    folder_.write(
        "pets.csv",
        "pet,weight,legs,noise\ncat,4,4,1\ncat,5,4,1.5\ncat,3,4,0.5\ndog,20,4,5\ndog,30,4,6\ndog,12,4,4\n"
        "bird,0.1,2,3\nbird,0.3,2,2.5\nbird,0.2,2,3.5\n");
  }
  void generate_four(const char* file = "four.libsvm", const char* seed = "1") const {
    succeed({"generate", "multiclass", "--n", "60", "--p", "30", "--s", "6", "--rho", "0.3", "--seed", seed,
             "-o", file, "-q"});
  }
  // J intercepts and J numbers a row, all of them with sum zero.
  static void expect_sums_of_zero(const json& model) {
    const std::size_t n_classes = model["classes"].size();
    ASSERT_EQ(model["kind"], "multiclass");
    ASSERT_EQ(model["intercept"].size(), n_classes);
    ASSERT_EQ(model["coef"]["feature"].size(), model["coef"]["value"].size());
    std::vector<json> rows = {model["intercept"]};
    rows.insert(rows.end(), model["coef"]["value"].begin(), model["coef"]["value"].end());
    for (const json& row : rows) {
      ASSERT_EQ(row.size(), n_classes);
      double sum = 0.0;
      double size = 0.0;
      for (const double value : row.get<std::vector<double>>()) {
        sum += value;
        size += std::abs(value);
      }
      EXPECT_LE(std::abs(sum), 1e-12 * size) << row;
    }
  }
};

TEST_F(MulticlassJourney, FitPredictInspectWithWords) {
  const Outcome fitted = succeed(
      {"fit", "pets.csv", "--label", "pet", "-m", "model.json", "--verbose", "--lambda1-ratio", "0.01"});
  EXPECT_NE(fitted.output.find("9 samples, 3 features, classes bird (3), cat (3), dog (3)"), std::string::npos)
      << fitted.output;
  EXPECT_TRUE(has_part_like(fitted.output, "by class  NZ1 = #, NZ2 = #, NZ3 = #, NR = # rows"))
      << fitted.output;
  const json model = read_model(folder_.path("model.json"));
  expect_sums_of_zero(model);
  EXPECT_EQ(model["classes"], json({"bird", "cat", "dog"}));
  EXPECT_EQ(model["feature_names"], json({"weight", "legs", "noise"}));
  EXPECT_EQ(model["report"]["status"], "converged");

  const Outcome predicted = succeed({"predict", "model.json", "pets.csv", "--label", "pet", "--verbose"});
  EXPECT_EQ(predicted.output, "cat\ncat\ncat\ndog\ndog\ndog\nbird\nbird\nbird\n");
  EXPECT_NE(predicted.errors.find("Accuracy = 100% (9/9)"), std::string::npos) << predicted.errors;
  EXPECT_TRUE(has_part_like(predicted.errors, "true \\ predicted  *bird  *cat  *dog\n")) << predicted.errors;

  // The counts are those of the coefficients in the file.
  std::string counts = "by class    ";
  for (std::size_t k = 0; k < 3; ++k) {
    int count = 0;
    for (const json& row : model["coef"]["value"]) count += row[k] != 0.0;
    counts += "NZ" + std::to_string(k + 1) + " = " + std::to_string(count) + ", ";
  }
  counts += "NR = " + std::to_string(model["coef"]["feature"].size()) + " rows\n";
  const Outcome inspected = succeed({"inspect", "model.json"});
  EXPECT_NE(inspected.output.find(counts), std::string::npos) << counts << inspected.output;
  EXPECT_NE(inspected.output.find("kind        multiclass\nclasses     bird, cat, dog\n"), std::string::npos);
  EXPECT_NE(inspected.output.find("largest coefficients\n  feature       bird        cat        dog\n"),
            std::string::npos)
      << inspected.output;
}

TEST_F(MulticlassJourney, ScoresAreOneForEachClassAndTheLargestWins) {
  succeed({"fit", "pets.csv", "--label", "pet", "-m", "model.json", "--quiet"});
  const std::string lines =
      succeed({"predict", "model.json", "pets.csv", "--label", "pet", "--scores", "--quiet"}).output;
  std::istringstream stream(lines);
  const std::vector<std::string> names = {"bird", "cat", "dog"};
  std::string label;
  int n_lines = 0;
  while (stream >> label) {
    std::vector<double> scores(3);
    for (double& score : scores) ASSERT_TRUE(stream >> score) << lines;
    const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
    EXPECT_EQ(label, names[static_cast<std::size_t>(best)]);
    EXPECT_NEAR(scores[0] + scores[1] + scores[2], 0.0, 1e-9);
    ++n_lines;
  }
  EXPECT_EQ(n_lines, 9);
}

TEST_F(MulticlassJourney, JsonHasTheContractsKeys) {
  generate_four();
  const json report = json::parse(succeed({"fit", "four.libsvm", "--json", "-m", "model.json"}).output);
  for (const char* key :
       {"status",  "solver",  "objective",    "dual_objective", "gap",         "relative_gap", "iterations",
        "passes",  "seconds", "pass_seconds", "n_samples",      "n_features",  "classes",      "nonzeros",
        "lambda1", "lambda2", "lambda3",      "delta",          "lambda1_max", "intercept"}) {
    EXPECT_TRUE(report.contains(key)) << key;
  }
  const json model = read_model(folder_.path("model.json"));
  expect_sums_of_zero(model);
  EXPECT_EQ(report["status"], "converged");
  EXPECT_EQ(report["classes"], json({1, 2, 3, 4}));
  EXPECT_EQ(report["intercept"], model["intercept"]);
  EXPECT_EQ(report["intercept"].size(), 4U);
  EXPECT_LE(report["relative_gap"], 1e-6);
  EXPECT_DOUBLE_EQ(report["relative_gap"], report["gap"].get<double>() / 1.5);  // F(0) = 3 phi(0)
  EXPECT_EQ(report["nonzeros"], model["coef"]["feature"].size());
}

TEST_F(MulticlassJourney, SolversStoppingRulesAndThreadsAgree) {
  generate_four();
  const auto fit = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"fit", "four.libsvm", "--json"});
    return json::parse(succeed(more).output);
  };
  std::vector<json> reports;
  for (const char* solver : {"newton", "pg", "pg2"}) {
    reports.push_back(fit({"--solver", solver, "--threads", "1", "-m", "one.json"}));
    EXPECT_EQ(reports.back()["solver"], solver);
    fit({"--solver", solver, "--threads", "2", "-m", "two.json"});
    EXPECT_EQ(without_report("one.json"), without_report("two.json")) << solver;
  }
  expect_same_minimum(reports);
  for (const json& report : reports) EXPECT_EQ(report["margins"], "relative");
  const json paper = fit({"--stopping", "paper", "-m", "paper.json"});
  EXPECT_EQ(paper["solver"], "pg");
  EXPECT_EQ(paper["margins"], "absolute");
  EXPECT_NEAR(paper["objective"], fit({"--margins", "absolute"})["objective"], 1e-4);
  expect_sums_of_zero(read_model(folder_.path("paper.json")));
  EXPECT_EQ(fit({"--lambda1-ratio", "1"})["nonzeros"], 0);
  EXPECT_GT(fit({"--lambda1-ratio", "0.999", "--tolerance", "1e-10"})["nonzeros"], 0);
  EXPECT_EQ(fit({"--precision", "single"})["status"], "converged");
}

// Without l2 Newton's steps stop short of a relative gap of about 1e-10 here; the proximal gradient goes on from there.
TEST_F(MulticlassJourney, WhatNewtonCannotFinishPgDoes) {
  generate_four();
  const std::vector<std::string> hard = {"fit",       "four.libsvm", "--tolerance", "1e-11", "--lambda1-ratio",
                                         "0.01",      "--lambda2",   "0",           "-m",    "model.json",
                                         "--margins", "absolute"};
  const auto fit = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = hard;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  };
  const Outcome told = fit({});
  EXPECT_EQ(told.exit_code, 0) << told.errors;
  EXPECT_NE(told.output.find("converged by newton, then pg, "), std::string::npos) << told.output;
  EXPECT_NE(succeed({"inspect", "model.json"}).output.find("converged by newton, then pg, "),
            std::string::npos);

  const json both = json::parse(fit({"--json"}).output);
  EXPECT_EQ(both["solver"], "newton");
  EXPECT_EQ(both["fallback"], "pg");
  EXPECT_LE(both["relative_gap"], 1e-11);
  expect_sums_of_zero(read_model(folder_.path("model.json")));
  const json pg = json::parse(fit({"--json", "--solver", "pg"}).output);
  EXPECT_FALSE(pg.contains("fallback"));
  EXPECT_LT(both["iterations"], pg["iterations"]) << "it goes on, not anew";
  expect_same_minimum({both, pg});

  // Limits hold for both together.
  const int limit = both["iterations"].get<int>() - 1;
  const Outcome stopped = fit({"--json", "--max-iterations", std::to_string(limit)});
  EXPECT_EQ(stopped.exit_code, 3);
  const json report = json::parse(stopped.output);
  EXPECT_EQ(report["status"], "iteration_limit");
  EXPECT_EQ(report["fallback"], "pg");
  EXPECT_EQ(report["iterations"], limit);
}

TEST_F(MulticlassJourney, MarginsAreOfPathsAndTunedModels) {
  generate_four();
  for (const char* margins : {"relative", "absolute"}) {
    const std::string said = std::string(margins) + " margins";
    EXPECT_NE(succeed({"path", "four.libsvm", "--margins", margins, "--nlambda", "6", "-m", "path.json"})
                  .output.find(said),
              std::string::npos);
    EXPECT_EQ(json::parse(read_text(folder_.path("path.json")))["margins"], margins);
    succeed({"cv", "four.libsvm", "--margins", margins, "--nlambda", "6", "--folds", "3", "--score", "loss",
             "-m", "tuned.json"});
    EXPECT_EQ(json::parse(read_text(folder_.path("tuned.json")))["margins"], margins);
    EXPECT_NE(succeed({"inspect", "tuned.json"}).output.find(said), std::string::npos);
    EXPECT_EQ(lines_of(succeed({"predict", "tuned.json", "four.libsvm", "--probability", "-q"}).output).size(),
              lines_of(succeed({"predict", "tuned.json", "four.libsvm", "-q"}).output).size());
  }
  const Outcome wrong = run({"fit", "four.libsvm", "--margins", "wide"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.errors.find("relative"), std::string::npos) << wrong.errors;
}

TEST_F(MulticlassJourney, TwoClassesByTheSameModel) {
  generate();
  const json binary =
      fit_json({"--lambda1", "0.1", "--lambda2", "0.02", "--lambda3", "0.02", "--tolerance", "1e-10"});
  const json both = fit_json({"--multiclass", "--lambda1", "0.05", "--lambda2", "0.01", "--lambda3", "0.01",
                              "--tolerance", "1e-10", "-m", "model.json"});
  EXPECT_NEAR(both["objective"], binary["objective"], 1e-8);
  EXPECT_EQ(both["intercept"].size(), 2U);
  EXPECT_NEAR(both["intercept"][1], binary["intercept"][0], 1e-4);
  expect_sums_of_zero(read_model(folder_.path("model.json")));
  const std::vector<std::string> predicted =
      lines_of(succeed({"predict", "model.json", "train.libsvm", "-q"}).output);
  EXPECT_EQ(predicted.size(), 60U);
  EXPECT_THAT(predicted, Each(AnyOf("-1", "1")));
}

TEST_F(MulticlassJourney, TestDataMayMissAClassOrHaveAnUnknownOne) {
  succeed({"fit", "pets.csv", "--label", "pet", "-m", "model.json", "--quiet", "--lambda1-ratio", "0.01"});
  folder_.write("two.csv", "pet,weight,legs,noise\ndog,25,4,5\nbird,0.2,2,3\n");
  const Outcome missing = succeed({"predict", "model.json", "two.csv", "--label", "pet", "-v"});
  EXPECT_EQ(missing.output, "dog\nbird\n");
  EXPECT_NE(missing.errors.find("Accuracy = 100% (2/2)"), std::string::npos) << missing.errors;
  EXPECT_EQ(missing.errors.find("(unknown label)"), std::string::npos) << missing.errors;

  folder_.write("fish.csv", "pet,weight,legs,noise\nfish,0.1,0,0\ncat,4,4,1\n");
  const Outcome unknown = succeed({"predict", "model.json", "fish.csv", "--label", "pet", "-v"});
  EXPECT_EQ(std::count(unknown.output.begin(), unknown.output.end(), '\n'), 2);
  EXPECT_NE(unknown.errors.find("Accuracy = 50% (1/2)"), std::string::npos) << unknown.errors;
  EXPECT_NE(unknown.errors.find("(unknown label)"), std::string::npos) << unknown.errors;
}

TEST_F(MulticlassJourney, AClassOfOneSample) {
  folder_.write("rare.libsvm", "a 1:1\na 1:2\nb 2:1\nb 2:2\nc 3:1\n");
  succeed({"fit", "rare.libsvm", "-m", "model.json", "--quiet"});
  const json model = read_model(folder_.path("model.json"));
  EXPECT_EQ(model["classes"], json({"a", "b", "c"}));
  expect_sums_of_zero(model);
}

TEST_F(MulticlassJourney, WeightsAndFactors) {
  folder_.write("uneven.libsvm", "a 1:1\na 1:0.5\na 1:2\na 1:1.5\nb 2:1\nb 2:0.5\nc 1:0.2 3:1\n");
  folder_.write("weights.txt", "1\n1\n1\n1\n2\n2\n4\n");
  const auto fit = [&](std::vector<std::string> more) {
    more.insert(more.begin(),
                {"fit", "uneven.libsvm", "--json", "--no-standardize", "--tolerance", "1e-9", "--lambda1"});
    return json::parse(succeed(more).output);
  };
  const json plain = fit({"0.01"});
  const json balanced = fit({"0.01", "--class-weight", "balanced"});
  EXPECT_NEAR(fit({"0.01", "--weights", "weights.txt"})["objective"], balanced["objective"], 1e-8);
  EXPECT_NEAR(fit({"0.01", "--class-weight", "b=2,c=4"})["objective"], balanced["objective"], 1e-8);
  EXPECT_GT(std::abs(plain["objective"].get<double>() - balanced["objective"].get<double>()), 1e-3);

  folder_.write("factors.txt", "0\n1\n1\n");
  const json factors = fit({"100", "--penalty-factors", "factors.txt"});
  EXPECT_EQ(factors["nonzeros"], 1);  // the first feature stays at any lambda1
}

TEST_F(MulticlassJourney, GenerateIsRepeatable) {
  generate_four("a.libsvm", "7");
  generate_four("b.libsvm", "7");
  generate_four("c.libsvm", "8");
  EXPECT_EQ(read_text(folder_.path("a.libsvm")), read_text(folder_.path("b.libsvm")));
  EXPECT_NE(read_text(folder_.path("a.libsvm")), read_text(folder_.path("c.libsvm")));
  const Outcome spoken = succeed({"generate", "multiclass", "--n", "8", "--p", "9", "--s", "6", "-o", "d.csv"});
  EXPECT_EQ(spoken.output, "d.csv: 8 samples, 9 features, classes 1 (2), 2 (2), 3 (2), 4 (2)\n");
}

TEST_F(MulticlassJourney, LimitsExitWith3) {
  generate_four();
  EXPECT_EQ(run({"fit", "four.libsvm", "-m", "model.json", "--max-iterations", "2", "--quiet"}).exit_code, 3);
  const json model = read_model(folder_.path("model.json"));
  EXPECT_EQ(model["report"]["status"], "iteration_limit");
  expect_sums_of_zero(model);
}

TEST_F(Journey, HelpHasExamples) {
  for (const char* command : {"fit", "path", "cv", "predict", "inspect", "convert", "split"}) {
    EXPECT_NE(succeed({command, "--help"}).output.find("hsvm " + std::string(command)), std::string::npos)
        << command;
  }
  EXPECT_NE(succeed({"--version"}).output.find("hsvm "), std::string::npos);
}

TEST_F(Journey, OptionsPageIsUpToDate) {
  EXPECT_EQ(succeed({"options"}).output, read_text(HSVM_SOURCE_DIR "/docs/options.md"))
      << "write it anew: build/hsvm options > docs/options.md";
}

TEST_F(Journey, SaysWhichLossItIs) {
  folder_.write("two.libsvm", "1 1:1 2:0.5\n-1 1:-1\n1 2:1\n-1 2:-2\n");
  const std::string plain = succeed({"fit", "two.libsvm", "-m", "plain.json"}).output;
  const std::string squared =
      succeed({"fit", "two.libsvm", "--loss", "squared-hinge", "-m", "squared.json"}).output;
  EXPECT_NE(plain.find("delta = 1"), std::string::npos);
  EXPECT_NE(squared.find("squared hinge"), std::string::npos);
  EXPECT_EQ(squared.find("delta"), std::string::npos);
  EXPECT_EQ(read_json("plain.json")["loss"], "huberized");
  EXPECT_EQ(read_json("squared.json")["loss"], "squared-hinge");
}

}  // namespace
}  // namespace hsvm::test
