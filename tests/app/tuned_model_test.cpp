// What predict and inspect do with tuned models, made by hand.

#include <algorithm>
#include <cmath>
#include <sstream>

#include "hsvm/model/model_file.hpp"
#include "tests/app/journey.hpp"
#include "tests/model/path_example.hpp"
#include "tests/model/tuned_example.hpp"

namespace hsvm::test {
namespace {

using nlohmann::json;

class TunedModelJourney : public Journey {
 protected:
  void SetUp() override {
    folder_.write("tuned.json", tuned_to_json(example_tuned()));
    folder_.write("best.json", model_to_json(example_tuned().best));
    folder_.write("one_se.json", model_to_json(example_tuned().one_se));
    folder_.write("many.json", tuned_to_json(example_tuned(ModelKind::multiclass)));
    folder_.write("path.json", path_to_json(example_path()));
    LinearModel plain = example_tuned().best;
    plain.calibration.reset();
    plain.stability.reset();
    folder_.write("plain.json", model_to_json(plain));
    folder_.write("test.libsvm", "1 1:1 3:2\n-1 3:-1\n1 1:2 4:0.5\n");
    folder_.write("words.libsvm", "a 1:1 3:2\nc 3:-1\nb 1:2 4:0.5\n");
  }
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }
  // The numbers of each line, the label taken off.
  static std::vector<std::vector<double>> numbers(const std::string& text) {
    std::vector<std::vector<double>> rows;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream fields(line);
      std::string label;
      fields >> label;
      rows.emplace_back();
      for (double number = 0.0; fields >> number;) rows.back().push_back(number);
    }
    return rows;
  }
  void expect_refused(const std::vector<std::string>& arguments, const std::string& message) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.errors;
    EXPECT_EQ(outcome.errors, "hsvm: " + message + "\n");
    EXPECT_EQ(outcome.output, "");
  }
};

TEST_F(TunedModelJourney, PredictTakesTheBestOrTheSparserModel) {
  const auto scores = [&](const std::string& model, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"predict", model, "test.libsvm", "--scores"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return succeed(arguments).output;
  };
  EXPECT_EQ(scores("tuned.json"), scores("best.json"));
  EXPECT_EQ(scores("tuned.json", {"--one-se"}), scores("one_se.json"));
  EXPECT_NE(scores("best.json"), scores("one_se.json"));
}

TEST_F(TunedModelJourney, ProbabilitiesFollowTheScores) {
  const Outcome outcome = succeed({"predict", "tuned.json", "test.libsvm", "--probability", "--scores"});
  const auto rows = numbers(outcome.output);
  ASSERT_EQ(rows.size(), 3U);
  double log_loss = 0.0;
  double brier_score = 0.0;
  const std::vector<bool> positive = {true, false, true};
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(rows[i].size(), 3U);
    const double p = 1.0 / (1.0 + std::exp(-(1.75 * rows[i][0] - 0.1)));
    EXPECT_NEAR(rows[i][1], 1.0 - p, 1e-12);
    EXPECT_NEAR(rows[i][2], p, 1e-12);
    const double own = positive[i] ? p : 1.0 - p;
    log_loss -= std::log(own) / 3.0;
    brier_score += 2.0 * (1.0 - own) * (1.0 - own) / 3.0;
  }
  ASSERT_TRUE(has_part_like(outcome.errors, "\nLog-loss = #, Brier score = #\n")) << outcome.errors;
  const auto number_after = [&](const std::string& name) {
    return std::stod(outcome.errors.substr(outcome.errors.find(name) + name.size()));
  };
  EXPECT_NEAR(number_after("Log-loss = "), log_loss, 1e-5 * log_loss);
  EXPECT_NEAR(number_after("Brier score = "), brier_score, 1e-5);
  EXPECT_TRUE(has(outcome.errors, "Accuracy = "));

  const auto alone = numbers(succeed({"predict", "tuned.json", "test.libsvm", "--probability"}).output);
  EXPECT_EQ(alone[0], std::vector<double>(rows[0].begin() + 1, rows[0].end()));
}

TEST_F(TunedModelJourney, ProbabilitiesOfSeveralClassesAddUpToOne) {
  const auto rows =
      numbers(succeed({"predict", "many.json", "words.libsvm", "--probability", "--scores", "-q"}).output);
  ASSERT_EQ(rows.size(), 3U);
  for (const std::vector<double>& row : rows) {
    ASSERT_EQ(row.size(), 6U);
    EXPECT_NEAR(row[3] + row[4] + row[5], 1.0, 1e-12);
    EXPECT_NEAR(std::log(row[3] / row[4]), 1.75 * (row[0] - row[1]) + 0.1 - 0.2, 1e-9);
  }
}

TEST_F(TunedModelJourney, ProbabilitiesAreJudgedByKnownLabelsOnly) {
  folder_.write("odd.libsvm", "1 1:1\nunseen 3:1\n");
  EXPECT_TRUE(
      has(succeed({"predict", "tuned.json", "odd.libsvm", "--probability"}).errors, "(1 of 2 samples)"));
  folder_.write("strange.libsvm", "x 1:1\ny 3:1\n");
  EXPECT_TRUE(has(succeed({"predict", "tuned.json", "strange.libsvm", "--probability"}).errors,
                  "no sample has a label the model knows"));
  folder_.write("new.libsvm", "1:1 3:1\n");
  EXPECT_EQ(succeed({"predict", "tuned.json", "new.libsvm", "--probability"}).errors, "");
}

TEST_F(TunedModelJourney, FlagsThatDoNotFitTheModelAreRefused) {
  expect_refused({"predict", "plain.json", "test.libsvm", "--probability"},
                 "--probability: plain.json has no probabilities: hsvm cv fits them");
  expect_refused({"predict", "path.json", "test.libsvm", "--lambda1", "0.5", "--probability"},
                 "--probability: path.json has no probabilities: hsvm cv fits them");
  for (const char* verb : {"predict", "inspect"}) {
    const auto refused = [&](const std::string& model, const std::vector<std::string>& flags,
                             const std::string& message) {
      std::vector<std::string> arguments = {verb, model};
      if (verb == std::string("predict")) arguments.emplace_back("test.libsvm");
      arguments.insert(arguments.end(), flags.begin(), flags.end());
      expect_refused(arguments, message);
    };
    refused("plain.json", {"--one-se"}, "--one-se: plain.json holds one model, not the two models of hsvm cv");
    refused("path.json", {"--one-se"}, "--one-se: path.json holds a path, not the two models of hsvm cv");
    refused("tuned.json", {"--lambda1", "0.5"},
            "--lambda1 0.5: tuned.json holds a tuned model, not a path to pick it from");
  }
}

TEST_F(TunedModelJourney, InspectTellsOfTheTuning) {
  const std::string text = succeed({"inspect", "tuned.json"}).output;
  for (const char* part :
       {"note        the best lambda1 is at the end of its grid, continued 2 times",
        "parameters  lambda1 = 0.25 ", "standardized, the best 4 features kept", "3 of 5 selected",
        "tuned       the best balanced_accuracy of 4 points: 10 folds, 3 times over, seed "
        "18446744073709551615; "
        "converged",
        "balanced accuracy 0.8607 +- 0.2000, loss 0.8607 +- 0.2000, auc 0.8607",
        "probability slope 1.75, offset -0.1; log-loss 0.3333, Brier score 0.2000",
        "stability   40 random halves of the samples, 1.4 features selected on one of them",
        "largest coefficients, and on how many of the halves they were selected\n",
        "  x3                  3   97.5%\n  x1                 -2  100.0%\n  x4           0.142857    0.0%\n",
        "most stable features\n  x1       100.0%\n  x3        97.5%\n  x5        10.0%  not in the model\n"}) {
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
  }
  const std::string sparse = succeed({"inspect", "tuned.json", "--one-se"}).output;
  for (const char* part : {"parameters  lambda1 = 0.5 ", "1 of 5 selected",
                           "tuned       the sparsest within one standard error of the best "
                           "balanced_accuracy of 4 points"}) {
    EXPECT_TRUE(has(sparse, part)) << part << "\n" << sparse;
  }
  const std::string many = succeed({"inspect", "many.json", "--top", "1"}).output;
  EXPECT_TRUE(has(many, "offsets 0.1, 0.2, -0.3;")) << many;
  EXPECT_TRUE(has(many,
                  "largest coefficients, and on how many of the halves they were selected\n"
                  "  feature          a          b          c  stability\n"
                  "  x3               3"))
      << many;
  EXPECT_TRUE(has(many, "most stable features\n  x1       100.0%\n")) << many;
}

TEST_F(TunedModelJourney, InspectSaysNothingOfWhatIsNotThere) {
  const std::string text = succeed({"inspect", "plain.json"}).output;
  for (const char* part : {"tuned", "probability", "stability", "stable", "halves"})
    EXPECT_FALSE(has(text, part)) << part << "\n" << text;
}

TEST_F(TunedModelJourney, InspectPrintsTheModelsAsJson) {
  EXPECT_EQ(json::parse(succeed({"inspect", "tuned.json", "--json"}).output), read_json("tuned.json"));
  EXPECT_EQ(json::parse(succeed({"inspect", "tuned.json", "--json", "--one-se"}).output),
            read_json("one_se.json"));
}

}  // namespace
}  // namespace hsvm::test
