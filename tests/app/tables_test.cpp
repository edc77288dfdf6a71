// Results as tables: written by the program, read back by its own reader and by pandas where that is there.

#include <cmath>
#include <sstream>

#include "tests/app/journey.hpp"

namespace hsvm::test {
namespace {

using nlohmann::json;

class TableJourney : public Journey {
 protected:
  // The path of a Python that has pandas; empty where there is none.
  std::string python_with_pandas() const {
    for (const char* python : {"/usr/bin/python3", "/usr/local/bin/python3"}) {
      if (run_program(python, {"-c", "import pandas"}, folder_.path(".")).exit_code == 0) return python;
    }
    return "";
  }
  // What pandas makes of a table: {"columns": [..], "rows": n, "kinds": "Oif.."}.
  json seen_by_pandas(const std::string& python, const char* file) const {
    const Outcome outcome = run_program(
        python,
        {"-c",
         "import json, sys, pandas\n"
         "t = pandas.read_csv(sys.argv[1])\n"
         "print(json.dumps({'columns': list(t.columns), 'rows': len(t), 'missing': int(t.isna().sum().sum()),\n"
         "  'kinds': ''.join(d.kind for d in t.dtypes), 'first': [str(v) for v in t.iloc[0]]}))",
         file},
        folder_.path("."));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    return json::parse(outcome.output);
  }
  // Names and labels that need quotes; ids are words.
  void write_patients() const {
    std::string table = "outcome,\"gene \"\"A\"\"\",\"b, c\",age\n";
    for (int i = 0; i < 40; ++i) {
      const bool ill = i % 2 == 0;
      table += (ill ? "\"ill, very\"," : "well,") + std::to_string((ill ? 3 : 0) + i * 37 % 5) + "," +
               std::to_string(i * 53 % 17) + "," + std::to_string(20 + i * 11 % 50) + "\n";
    }
    folder_.write("patients.csv", table);
    succeed({"cv", "patients.csv", "--label", "outcome", "--stability", "10", "--folds", "4", "-m",
             "model.json", "--table", "grid.csv", "-q"});
  }
  std::vector<std::string> lines(const char* file) const { return lines_of(read_text(folder_.path(file))); }
};

TEST_F(TableJourney, CoefficientsOnBothScalesWithStability) {
  write_patients();
  succeed({"inspect", "model.json", "--coefficients", "coef.csv"});
  const std::vector<std::string> rows = lines("coef.csv");
  EXPECT_EQ(rows[0], "feature,class,coefficient,standardized_coefficient,stability");
  ASSERT_GE(rows.size(), 2U);
  EXPECT_EQ(rows[1].substr(0, 21), "\"gene \"\"A\"\"\",well,-0.")
      << rows[1];  // the second class is what scores are for
  // The deviation of the feature is what the two differ by.
  const json model = read_json("model.json");
  const double w = model["coef"]["value"][0][0];
  const double deviation = model["coef"]["deviation"][0];
  std::istringstream rest(rows[1].substr(18));
  double coefficient = 0.0;
  double standardized = 0.0;
  char comma = ',';
  rest >> coefficient >> comma >> standardized;
  EXPECT_EQ(coefficient, w);
  EXPECT_NEAR(standardized, w * deviation, 1e-12);
  EXPECT_EQ(succeed({"inspect", "model.json", "--coefficients", "-"}).output,
            read_text(folder_.path("coef.csv")));
  succeed({"convert", "coef.csv", "again.csv", "--label", "feature", "--groups", "class"});  // our own reader
  const std::string python = python_with_pandas();
  if (python.empty()) GTEST_SKIP() << "there is no pandas";
  const json seen = seen_by_pandas(python, "coef.csv");
  EXPECT_EQ(seen["kinds"], "OOfff");
  EXPECT_EQ(seen["first"][0], "gene \"A\"");
  EXPECT_EQ(seen["missing"], 0);
}

// The deviation is that of the data, with 1/n.
TEST_F(TableJourney, DeviationsAreThoseOfTheData) {
  write_patients();
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < 40; ++i) {
    const double x = (i % 2 == 0 ? 3 : 0) + i * 37 % 5;
    sum += x;
    squares += x * x;
  }
  const double deviation = std::sqrt(squares / 40.0 - sum * sum / 1600.0);
  EXPECT_NEAR(read_json("model.json")["coef"]["deviation"][0].get<double>(), deviation, 1e-9);
  succeed({"fit", "patients.csv", "--label", "outcome", "--no-standardize", "-m", "plain.json", "-q"});
  EXPECT_FALSE(read_json("plain.json")["coef"].contains("deviation"));
  succeed({"inspect", "plain.json", "--coefficients", "plain.csv"});
  EXPECT_EQ(lines("plain.csv")[0], "feature,class,coefficient");
  succeed({"path", "patients.csv", "--label", "outcome", "-m", "path.json", "-q"});
  const double lambda1 = read_json("path.json")["points"][1]["lambda1"];
  succeed({"inspect", "path.json", "--lambda1", std::to_string(0.9 * lambda1), "--coefficients", "path.csv"});
  EXPECT_EQ(lines("path.csv")[0], "feature,class,coefficient,standardized_coefficient");
  EXPECT_EQ(run({"inspect", "path.json", "--coefficients", "x.csv"}).exit_code, 2);
}

TEST_F(TableJourney, PredictionsWithScoresAndProbabilities) {
  write_patients();
  succeed({"predict", "model.json", "patients.csv", "--label", "outcome", "-o", "predicted.csv", "-q"});
  const std::vector<std::string> rows = lines("predicted.csv");
  ASSERT_EQ(rows.size(), 41U);
  EXPECT_EQ(rows[0], "id,predicted,truth,score,\"probability_ill, very\",probability_well");
  EXPECT_TRUE(rows[1].starts_with("1,")) << rows[1];
  succeed({"convert", "predicted.csv", "again.csv", "--label", "truth", "--groups", "predicted"});
  succeed({"predict", "model.json", "patients.csv", "--label", "outcome", "-o", "predicted.tsv.gz", "-q"});
  const std::string python = python_with_pandas();
  if (python.empty()) GTEST_SKIP() << "there is no pandas";
  const json seen = seen_by_pandas(python, "predicted.csv");
  EXPECT_EQ(seen["kinds"], "iOOfff");
  EXPECT_EQ(seen["rows"], 40);
}

TEST_F(TableJourney, PredictionsAsJsonWithMetrics) {
  write_patients();
  const Outcome outcome =
      succeed({"predict", "model.json", "patients.csv", "--label", "outcome", "--json", "--metrics"});
  const json report = json::parse(outcome.output);
  ASSERT_EQ(report["predicted"].size(), 40U);
  EXPECT_EQ(report["scores"][0].size(), 1U);
  int right = 0;
  double log_loss = 0.0;
  double brier = 0.0;
  for (std::size_t i = 0; i < 40; ++i) {
    right += report["predicted"][i] == report["truth"][i] ? 1 : 0;
    const std::size_t k = report["truth"][i] == "well" ? 1 : 0;
    const double p = report["probabilities"][i][k];
    log_loss -= std::log(p) / 40.0;
    brier += 2.0 * (1.0 - p) * (1.0 - p) / 40.0;
  }
  const json& metrics = report["metrics"];
  EXPECT_NEAR(metrics["accuracy"].get<double>(), right / 40.0, 1e-12);
  EXPECT_EQ(metrics["confusion"][0][0].get<int>() + metrics["confusion"][1][1].get<int>(), right);
  EXPECT_NEAR(metrics["log_loss"].get<double>(), log_loss, 1e-9);
  EXPECT_NEAR(metrics["brier_score"].get<double>(), brier, 1e-9);
  for (const char* score : {"balanced_accuracy", "macro_f1", "auc", "loss"})
    EXPECT_TRUE(metrics.contains(score));
  const Outcome words = succeed({"predict", "model.json", "patients.csv", "--label", "outcome", "--metrics"});
  EXPECT_NE(words.errors.find("balanced accuracy"), std::string::npos) << words.errors;
  EXPECT_NE(words.errors.find("true \\ predicted"), std::string::npos) << words.errors;
  EXPECT_EQ(lines_of(words.output).size(), 40U);
  folder_.write("bare.csv", "\"gene \"\"A\"\"\",\"b, c\",age\n1,2,3\n");
  const Outcome bare = run({"predict", "model.json", "bare.csv", "--metrics"});
  EXPECT_EQ(bare.exit_code, 1);
  EXPECT_NE(bare.errors.find("bare.csv: no labels, which --metrics"), std::string::npos) << bare.errors;
}

TEST_F(TableJourney, PointsOfPathsAndGrids) {
  write_patients();
  const Outcome path =
      succeed({"path", "patients.csv", "--label", "outcome", "--table", "path.csv", "-m", "path.json"});
  EXPECT_EQ(lines("path.csv").size(), read_json("path.json")["points"].size() + 1);
  EXPECT_EQ(lines("grid.csv").size(), read_json("model.json")["tuning"]["grid"].size() + 1);
  EXPECT_EQ(lines("grid.csv")[0].substr(0, 75),
            "lambda1,lambda2,lambda3,delta,nonzeros,mean_nonzeros,not_certified,best,one");
  succeed({"convert", "grid.csv", "grid.libsvm", "--label", "best"});
  succeed({"convert", "path.csv", "path.libsvm", "--label", "status"});
  const std::string python = python_with_pandas();
  if (python.empty()) GTEST_SKIP() << "there is no pandas";
  EXPECT_EQ(seen_by_pandas(python, "path.csv")["kinds"].get<std::string>().back(), 'O');
  EXPECT_EQ(seen_by_pandas(python, "grid.csv")["missing"], 0);
}

TEST_F(TableJourney, JsonHasCoefficientsWithNamesOnRequest) {
  write_patients();
  const auto report = [&](const char* verb, const char* flag) {
    return json::parse(succeed({verb, "patients.csv", "--label", "outcome", flag}).output);
  };
  EXPECT_FALSE(report("fit", "--json").contains("coef"));
  const json fitted = report("fit", "--json-coefficients");
  EXPECT_EQ(fitted["coef"]["name"][0], "gene \"A\"");
  EXPECT_EQ(fitted["coef"]["value"].size(), fitted["nonzeros"]);
  EXPECT_FALSE(report("path", "--json")["path"][0].contains("coef"));
  const json path = report("path", "--json-coefficients")["path"];
  EXPECT_EQ(path.back()["coef"]["name"].size(), path.back()["nonzeros"]);
}

}  // namespace
}  // namespace hsvm::test
