// Cross-validation, with the program itself.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "tests/app/journey.hpp"

namespace hsvm::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class CvJourney : public Journey {
 protected:
  // Few points and folds, so that it is quick.
  static std::vector<std::string> arguments(const std::vector<std::string>& more) {
    std::vector<std::string> result = {"cv",   "train.libsvm", "--nlambda", "8", "--lambda-min-ratio",
                                       "0.05", "--full-path"};
    result.insert(result.end(), more.begin(), more.end());
    return result;
  }
  json cv_json(std::vector<std::string> more) const {
    more.emplace_back("--json");
    return json::parse(succeed(arguments(more)).output);
  }
  void generate_four() const {
    succeed({"generate", "multiclass", "--n", "60", "--p", "30", "--s", "6", "--rho", "0.3", "-o",
             "train.libsvm", "-q"});
  }
};

struct Refused {
  std::vector<std::string> flags;
  int exit_code;
  std::string message;
};

TEST_F(CvJourney, RefusesFlagsThatMakeNoSense) {
  generate();
  folder_.write("short.txt", "1\n2\n");
  const std::vector<Refused> cases = {
      {{"--lambda1", "0.1"}, 2, "--lambda1 makes no sense"},
      {{"--lambda1-ratio", "0.1"}, 2, "--lambda1-ratio makes no sense"},
      {{"--lambda", "1"}, 2, "--lambda makes no sense"},
      {{"--stopping", "paper"}, 2, "--stopping paper: must be gap"},
      {{"--trace", "trace.csv"}, 2, "--trace"},
      {{"--folds", "1"}, 2, "--folds 1: must be at least 2"},
      {{"--folds", "many"}, 2, "--folds many: expected a whole number"},
      {{"--repeats", "0"}, 2, "--repeats 0: must be at least 1"},
      {{"--score", "beauty"}, 2, "--score beauty: must be one of accuracy, balanced_accuracy, loss, auc"},
      {{"--stability", "-1"}, 2, "--stability -1: must be at least 0"},
      {{"--leave-one-out", "--folds", "5"}, 2, "--leave-one-out and --folds exclude each other"},
      {{"--leave-one-out", "--repeats", "2"}, 2, "--leave-one-out and --repeats exclude each other"},
      {{"--lambda2-grid", "1,x"}, 2, "--lambda2-grid x: expected a number"},
      {{"--lambda2-grid", "1,,2"}, 2, "--lambda2-grid 1,,2: expected numbers"},
      {{"--lambda2-grid", "1,"}, 2, "--lambda2-grid 1,: expected numbers"},
      {{"--lambda2-grid", "1, 2"}, 2, "--lambda2-grid  2: expected a number"},
      {{"--lambda2-grid", "1,inf"}, 2, "--lambda2-grid inf: expected a number"},
      {{"--lambda2-grid", "1,-1"}, 2, "--lambda2-grid: -1 must be at least 0"},
      {{"--lambda2-grid", "1,0.5,1"}, 2, "--lambda2-grid: 1 is there more than once"},
      {{"--delta-grid", "0"}, 2, "--delta-grid: 0 must be greater than 0"},
      {{"--lambda2-grid", "1", "--lambda2", "1"}, 2, "--lambda2-grid and --lambda2 exclude each other"},
      {{"--lambda2-grid", "1", "--alpha", "0.5"}, 2, "--lambda2-grid and --alpha exclude each other"},
      {{"--delta-grid", "1", "--delta", "1"}, 2, "--delta-grid and --delta exclude each other"},
      {{"--folds-file", "short.txt", "--folds", "5"}, 2, "--folds-file and --folds exclude each other"},
      {{"--folds-file", "short.txt", "--repeats", "2"}, 2, "--folds-file and --repeats exclude each other"},
      {{"--folds-file", "nowhere.txt"}, 1, "nowhere.txt: "},
      {{"--folds-file", "short.txt"}, 1, "short.txt: 2 folds for 60 samples of train.libsvm"},
      {{"-m", "no/folder/m.json"}, 1, "no/folder/m.json: "},
  };
  for (const Refused& refused : cases) {
    std::vector<std::string> flags = refused.flags;
    if (flags[0] != "-m") flags.insert(flags.end(), {"-m", "out.json"});
    std::vector<std::string> with = {"cv", "train.libsvm"};
    with.insert(with.end(), flags.begin(), flags.end());
    const Outcome outcome = run(with);
    EXPECT_EQ(outcome.exit_code, refused.exit_code) << outcome.errors;
    EXPECT_NE(outcome.errors.find(refused.message), std::string::npos) << refused.message << "\n"
                                                                       << outcome.errors;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
    EXPECT_FALSE(fs::exists(folder_.path("out.json"))) << refused.message;
  }
}

TEST_F(CvJourney, RefusesFoldsThatDoNotFitTheData) {
  generate();
  folder_.write("short.txt", "1\n2\n");
  std::string one_fold;
  for (int i = 0; i < 60; ++i) one_fold += "7\n";
  folder_.write("one.txt", one_fold);
  EXPECT_EQ(run(arguments({"--folds-file", "short.txt"})).exit_code, 1);
  EXPECT_EQ(run(arguments({"--folds-file", "one.txt"})).exit_code, 1);
  EXPECT_EQ(run(arguments({"--folds", "61"})).exit_code, 2);
}

TEST_F(CvJourney, TuneInspectPredict) {
  generate();
  generate("test.libsvm.xz", "2");
  const Outcome tuned = succeed(arguments({"-m", "model.json", "--lambda2-grid", "1,0.1"}));
  EXPECT_EQ(tuned.errors, "");
  for (const char* part : {"data      train.libsvm: 60 samples", "folds     10 folds, seed 1",
                           "solve     converged: ", "in folds          accuracy", "best      lambda1 = ",
                           "one_se    ", "log-loss ", "Brier score ", "saved     model.json"}) {
    EXPECT_NE(tuned.output.find(part), std::string::npos) << part << "\n" << tuned.output;
  }
  EXPECT_LE(std::count(tuned.output.begin(), tuned.output.end(), '\n'), 25) << tuned.output;
  const Outcome verbose = succeed(arguments({"--lambda2-grid", "1,0.1", "--verbose"}));
  EXPECT_EQ(count_lines_like(verbose.output, "*#  *#  *# +- #*"), 16) << verbose.output;

  const json model = read_json("model.json");
  EXPECT_EQ(model["format"], "hsvm-model");
  EXPECT_EQ(model["tuning"]["grid"].size(), 16U);
  EXPECT_EQ(model["report"]["status"], "converged");
  const std::size_t best = model["tuning"]["best"];
  EXPECT_EQ(model["lambda1"], model["tuning"]["grid"][best]["lambda1"]);
  EXPECT_EQ(model["lambda2"], model["tuning"]["grid"][best]["lambda2"]);
  EXPECT_EQ(model["coef"]["feature"].size(), model["tuning"]["grid"][best]["nonzeros"]);

  EXPECT_NE(succeed({"inspect", "model.json"}).output.find("tuned       the best accuracy of 16 points"),
            std::string::npos);
  const Outcome predicted = succeed({"predict", "model.json", "test.libsvm.xz", "--probability"});
  EXPECT_EQ(lines_of(predicted.output).size(), 60U);
  EXPECT_EQ(count_lines_like(predicted.output, "1 # #") + count_lines_like(predicted.output, "-1 # #"), 60)
      << predicted.output;
  EXPECT_TRUE(has_part_like(predicted.errors, "Log-loss = #, Brier score = #\n"));
  succeed({"predict", "model.json", "test.libsvm.xz", "--one-se"});
}

// The refit is the model that fit finds at the chosen point.
TEST_F(CvJourney, BestIsTheFitAtTheChosenPoint) {
  generate();
  const json report = cv_json({"--delta-grid", "1,0.5"});
  for (const char* key : {"best", "one_se"}) {
    const json& chosen = report[key];
    const json single = fit_json({"--lambda1", chosen["lambda1"].dump(), "--lambda2", chosen["lambda2"].dump(),
                                  "--delta", chosen["delta"].dump()});
    EXPECT_NEAR(chosen["report"]["objective"], single["objective"], 2e-6) << key;
    EXPECT_EQ(chosen["report"]["nonzeros"], chosen["nonzeros"]) << key;
  }
}

TEST_F(CvJourney, JsonHasTheContractsKeys) {
  generate();
  const json report =
      cv_json({"--folds", "5", "--repeats", "2", "--seed", "3", "--score", "loss", "--lambda2", "0.01"});
  for (const char* key :
       {"status", "score", "folds", "repeats", "seed", "grid", "best", "one_se", "seconds", "passes", "paths",
        "ended", "lambda2_lowered", "continued", "held_out", "majority_share", "notes"}) {
    EXPECT_TRUE(report.contains(key)) << key;
  }
  EXPECT_EQ(report["status"], "converged");
  EXPECT_EQ(report["score"], "loss");
  EXPECT_EQ(report["folds"], 5);
  EXPECT_EQ(report["repeats"], 2);
  EXPECT_EQ(report["seed"], 3);
  EXPECT_EQ(report["paths"], 1 + 5 * 2);
  ASSERT_EQ(report["grid"].size(), 8U);
  double least = std::numeric_limits<double>::infinity();
  for (const json& point : report["grid"]) {
    for (const char* key : {"lambda1", "lambda2", "lambda3", "delta", "nonzeros", "mean_nonzeros"})
      EXPECT_TRUE(point.contains(key)) << key;
    for (const char* score : {"accuracy", "balanced_accuracy", "loss", "auc", "macro_f1"}) {
      EXPECT_GE(point["scores"][score]["mean"], 0.0) << score;
      EXPECT_GE(point["scores"][score]["standard_error"], 0.0) << score;
    }
    EXPECT_EQ(point["not_certified"], 0);
    least = std::min(least, point["scores"]["loss"]["mean"].get<double>());
  }
  const json& best = report["best"];
  EXPECT_NEAR(best["scores"]["loss"]["mean"], least, 1e-12);
  EXPECT_LE(report["one_se"]["scores"]["loss"]["mean"].get<double>(),
            least + best["scores"]["loss"]["standard_error"].get<double>() + 1e-12);
  EXPECT_LE(report["one_se"]["nonzeros"], best["nonzeros"]);
  EXPECT_GT(report["one_se"]["nonzeros"], 0);
  EXPECT_EQ(best["lambda1"], report["grid"][best["index"].get<std::size_t>()]["lambda1"]);
  EXPECT_EQ(best["report"]["status"], "converged");
  EXPECT_GT(best["probability"]["log_loss"], 0.0);
  EXPECT_GT(best["probability"]["brier_score"], 0.0);
}

TEST_F(CvJourney, ResultsDoNotDependOnThreads) {
  generate();
  json one = cv_json({"--threads", "1"});
  json two = cv_json({"--threads", "2"});
  for (json* const report : {&one, &two}) {
    report->erase("seconds");
    for (const char* key : {"best", "one_se"}) (*report)[key]["report"].erase("seconds");
  }
  EXPECT_EQ(one, two);
}

TEST_F(CvJourney, FoldsFromAFileAndLeaveOneOut) {
  generate();
  std::string folds;
  for (int i = 0; i < 60; ++i) folds += std::to_string(10 * (i % 3)) + "\n";
  folder_.write("folds.txt", folds);
  EXPECT_EQ(cv_json({"--folds-file", "folds.txt"})["folds"], 3);
  const json loo = cv_json({"--leave-one-out"});
  EXPECT_EQ(loo["folds"], 60);
  EXPECT_EQ(loo["leave_one_out"], true);
  EXPECT_NE(succeed(arguments({"--leave-one-out"})).output.find("folds     leave-one-out over 60 samples\n"),
            std::string::npos);
}

TEST_F(CvJourney, SmallClassesAreNoted) {
  folder_.write("train.libsvm", [] {
    std::string text;
    for (int i = 0; i < 40; ++i) text += (i < 7 ? "b 1:" : "a 1:") + std::to_string(i) + " 2:1\n";
    return text;
  }());
  EXPECT_NE(
      succeed(arguments({}))
          .output.find("note      class 'b' (7): fewer samples to hold out than the 10 folds; some folds are "
                       "scored without them, and their scores stand on so few\n"),
      std::string::npos);
}

TEST_F(CvJourney, AClassOfOneSampleIsAlwaysFittedTo) {
  folder_.write("train.libsvm", [] {
    std::string text = "c 1:7 2:9\n";
    for (int i = 0; i < 40; ++i) text += (i % 2 == 0 ? "b 1:" : "a 1:") + std::to_string(i) + " 2:1\n";
    return text;
  }());
  const json report = cv_json({"--score", "balanced_accuracy"});
  EXPECT_EQ(report["held_out"], json({20, 20, 0}));
  EXPECT_NE(std::find(report["notes"].begin(), report["notes"].end(), "never_held_out"), report["notes"].end());
  EXPECT_NE(succeed(arguments({}))
                .output.find("note      class 'c': one sample, or one group, which is always fitted to"),
            std::string::npos);
}

// Labels that have nothing to do with the one feature.
TEST_F(CvJourney, SaysWhenItHasFoundNothing) {
  folder_.write("train.libsvm", [] {
    std::string text;
    for (int i = 0; i < 60; ++i)
      text += (i * 7919 % 13 < 8 ? "a 1:" : "b 1:") + std::to_string(i * 104729 % 101) + "\n";
    return text;
  }());
  const Outcome outcome = succeed(arguments({}));
  EXPECT_NE(
      outcome.output.find("note      the best model is no better than naming the most frequent class always"),
      std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("try other features, more samples, --lambda2-grid or --delta-grid"),
            std::string::npos)
      << outcome.output;
}

TEST_F(CvJourney, SquaredHingeHasNoColumnOfDelta) {
  generate();
  const Outcome squared = succeed(arguments({"--loss", "squared-hinge", "--lambda2", "0.1"}));
  EXPECT_EQ(squared.output.find("delta"), std::string::npos) << squared.output;
  EXPECT_NE(succeed(arguments({"--lambda2", "0.1"})).output.find("\nlambda2  delta  "), std::string::npos);
}

TEST_F(CvJourney, StandardizingKeepingAndStability) {
  generate();
  const Outcome outcome = succeed(arguments({"--keep-top", "20", "--stability", "6", "-m", "model.json"}));
  EXPECT_NE(outcome.output.find("standardized, the best 20 features kept"), std::string::npos)
      << outcome.output;
  const json model = read_json("model.json");
  EXPECT_EQ(model["report"]["standardized"], true);
  EXPECT_EQ(model["report"]["kept_features"], 20);
  EXPECT_EQ(model["stability"]["halves"], 6);
  EXPECT_EQ(model["stability"]["feature"].size(), model["stability"]["frequency"].size());
  EXPECT_NE(succeed({"inspect", "model.json"}).output.find("most stable features"), std::string::npos);
  const json taken_back = cv_json({"--standardize", "--no-standardize"});
  EXPECT_FALSE(taken_back["best"]["report"].contains("standardized"));
  const json after_all = cv_json({"--no-standardize", "--standardize"});
  EXPECT_EQ(after_all["best"]["report"]["standardized"], true);
}

TEST_F(CvJourney, OfSeveralClasses) {
  generate_four();
  const json report = cv_json({"--folds", "3", "-m", "model.json"});
  EXPECT_FALSE(report["grid"][0]["scores"].contains("auc"));
  EXPECT_EQ(read_json("model.json")["probability"]["offsets"].size(), 4U);
  const std::string predicted =
      succeed({"predict", "model.json", "train.libsvm", "--probability", "-q"}).output;
  EXPECT_EQ(lines_of(predicted).size(), 60U);
  for (const std::string& line : lines_of(predicted)) {
    EXPECT_TRUE(is_like(line, "# # # # #") && line[0] >= '1' && line[0] <= '4' && line[1] == ' ') << line;
  }
  for (const char* score : {"auc", "log_loss"}) {
    const json chosen = cv_json({"--score", score, "--folds", "3"});
    EXPECT_TRUE(chosen["best"]["scores"].contains(score)) << score;
  }
}

// Each row of the confusion table adds up to the samples of its class that were held out.
TEST_F(CvJourney, NestedCrossValidationAndConfusion) {
  generate_four();
  const json plain = cv_json({"--folds", "3", "--lambda2", "0.1"});
  const json report = cv_json({"--folds", "3", "--lambda2", "0.1", "--nested", "-m", "model.json"});
  EXPECT_EQ(plain["best"]["scores"], report["best"]["scores"]);  // the choice is the same
  for (const json& found :
       {report["best"], report["one_se"], report["nested"]["best"], report["nested"]["one_se"]}) {
    ASSERT_EQ(found["confusion"].size(), 4U);
    for (std::size_t k = 0; k < 4; ++k) {
      int sum = 0;
      for (const json& count : found["confusion"][k]) sum += count.get<int>();
      EXPECT_EQ(sum, report["held_out"][k].get<int>());
    }
  }
  double right = 0.0;
  for (std::size_t k = 0; k < 4; ++k) right += report["nested"]["best"]["confusion"][k][k].get<double>();
  EXPECT_NEAR(report["nested"]["best"]["scores"]["accuracy"]["mean"].get<double>(), right / 60.0, 1e-9);
  EXPECT_TRUE(report["nested"]["best"]["scores"].contains("log_loss"));
  EXPECT_EQ(report["nested"]["folds"].size(), 3U);
  const json model = read_json("model.json");
  EXPECT_EQ(model["tuning"]["out_of_fold"]["best"].size(), 240U);
  EXPECT_EQ(model["tuning"]["nested"]["out_of_fold"]["truth"].size(), 60U);
  const std::string shown = succeed(arguments({"--folds", "3", "--lambda2", "0.1", "--nested"})).output;
  EXPECT_NE(shown.find("nested    the whole procedure"), std::string::npos) << shown;
  EXPECT_NE(shown.find("true \\ predicted"), std::string::npos) << shown;
  EXPECT_NE(succeed({"inspect", "model.json"}).output.find("nested      the whole procedure"),
            std::string::npos);
}

class GroupJourney : public CvJourney {
 protected:
  // 40 samples of 10 patients, in a table and as lists.
  void write_groups() const {
    std::string table = "label,patient,a,b\n";
    std::string list;
    std::string svm;
    for (int i = 0; i < 40; ++i) {
      const int patient = i * 7 % 10;
      const std::string a = std::to_string(i * 37 % 11);
      const std::string b = std::to_string(i * 53 % 17);
      table += (patient % 2 == 0 ? "ill,p" : "well,p") + std::to_string(patient) + "," + a + "," + b + "\n";
      list += "p" + std::to_string(patient) + "\n";
      svm += (patient % 2 == 0 ? "0 1:" : "1 1:") + a + " 2:" + b + "\n";
    }
    folder_.write("table.csv", table);
    folder_.write("patients.txt", list);
    folder_.write("data.libsvm", svm);
  }
};

TEST_F(GroupJourney, OfAColumnOrAFileNeverStandOnBothSides) {
  write_groups();
  const std::vector<std::vector<std::string>> ways = {{"table.csv", "--groups", "patient"},
                                                      {"data.libsvm", "--groups", "patients.txt"}};
  for (std::vector<std::string> way : ways) {
    way.insert(way.begin(), "cv");
    way.insert(way.end(),
               {"--folds", "4", "--lambda2", "0.1", "--nlambda", "4", "-m", "model.json", "--stability", "3"});
    succeed(way);
    const json model = read_json("model.json");
    EXPECT_EQ(model["n_features"], 2);
    const json& folds = model["tuning"]["out_of_fold"]["fold"];
    ASSERT_EQ(folds.size(), 40U);
    for (std::size_t i = 10; i < 40; ++i) EXPECT_EQ(folds[i], folds[i % 10]);  // the patients take turns
  }
  const Outcome neither = run({"cv", "data.libsvm", "--groups", "patient"});
  EXPECT_EQ(neither.exit_code, 1);
  EXPECT_NE(neither.errors.find("--groups patient: there is no such file"), std::string::npos)
      << neither.errors;
  const Outcome wrong = run({"cv", "table.csv", "--groups", "patent"});
  EXPECT_NE(wrong.errors.find("no column is named 'patent' for the groups"), std::string::npos) << wrong.errors;
  folder_.write("few.txt", "1\n2\n");
  const Outcome few = run({"cv", "data.libsvm", "--groups", "few.txt"});
  EXPECT_NE(few.errors.find("few.txt: 2 groups for the 40 samples of data.libsvm"), std::string::npos)
      << few.errors;
  folder_.write("folds.txt", "1\n");
  EXPECT_EQ(run({"cv", "table.csv", "--groups", "patient", "--folds-file", "folds.txt"}).exit_code, 2);
}

TEST_F(GroupJourney, StayTogetherInASplitWhichKeepsTheirColumn) {
  write_groups();
  succeed({"split", "table.csv", "--groups", "patient", "--train", "0.6"});
  const auto patients_in = [&](const char* file) {
    std::set<std::string> patients;
    for (const std::string& line : lines_of(read_text(folder_.path(file)))) {
      const std::size_t begin = line.find(',') + 1;
      patients.insert(line.substr(begin, line.find(',', begin) - begin));
    }
    EXPECT_EQ(patients.erase("patient"), 1U);
    return patients;
  };
  const std::set<std::string> train = patients_in("table.train.csv");
  const std::set<std::string> test = patients_in("table.test.csv");
  EXPECT_EQ(train.size(), 6U);
  EXPECT_EQ(test.size(), 4U);
  for (const std::string& patient : test) EXPECT_FALSE(train.contains(patient));
}

TEST_F(CvJourney, FoldsMayBeWords) {
  generate();
  std::string words;
  std::string numbers;
  for (int i = 0; i < 60; ++i) {
    words += std::string(i % 3 == 0 ? "Basel" : i % 3 == 1 ? "Bern" : "Chur") + "\n";
    numbers += std::to_string(i % 3) + "\n";
  }
  folder_.write("words.txt", words);
  folder_.write("numbers.txt", numbers);
  EXPECT_EQ(cv_json({"--folds-file", "words.txt"})["grid"], cv_json({"--folds-file", "numbers.txt"})["grid"]);
}

TEST_F(CvJourney, LimitsExitWith3) {
  generate();
  const Outcome nothing = run(arguments({"--time-limit", "1e-9", "-m", "model.json", "-q"}));
  EXPECT_EQ(nothing.exit_code, 3);
  EXPECT_EQ(std::count(nothing.errors.begin(), nothing.errors.end(), '\n'), 1) << nothing.errors;
  EXPECT_FALSE(fs::exists(folder_.path("model.json")));

  const Outcome loose =
      run(arguments({"--max-iterations", "1", "--lambda2", "0.0001", "-m", "model.json", "-q"}));
  EXPECT_EQ(loose.exit_code, 3);
  EXPECT_EQ(
      loose.errors,
      "hsvm: stopped before the tolerance: iteration_limit; some models are not certified; the models were "
      "written to model.json\n");
  EXPECT_EQ(read_json("model.json")["tuning"]["status"], "iteration_limit");
}

TEST_F(CvJourney, InterruptedBeforeThereIsAChoiceItSaysSo) {
  succeed({"generate", "binary", "--n", "200", "--p", "400", "--s", "5", "--rho", "0.9", "-o", "train.libsvm",
           "-q"});
  folder_.write("grid.txt", "100\n1e-6\n");
  const Outcome outcome =
      interrupt({"cv", "train.libsvm", "-m", "model.json", "--lambda-grid", "grid.txt", "--lambda2", "1e-9",
                 "--tolerance", "1e-15", "--max-iterations", "2000000000", "--quiet"},
                {.when = [](const Running& cv) { return catches_interrupts(cv.process); }});
  EXPECT_EQ(outcome.exit_code, 130) << outcome.errors;
  EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
  for (const auto& entry : fs::directory_iterator(folder_.path(".")))
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
}

}  // namespace
}  // namespace hsvm::test
