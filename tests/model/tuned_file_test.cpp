#include "hsvm/model/model_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hsvm/core/error.hpp"
#include "tests/model/path_example.hpp"
#include "tests/model/same_bits.hpp"
#include "tests/model/tuned_example.hpp"
#include "tests/support/damaged.hpp"

namespace hsvm {
namespace {

using Json = nlohmann::ordered_json;
using test::example_tuned;
using test::expect_same_bits;
using testing::HasSubstr;

void expect_same_file(const LinearModel& a, const LinearModel& b) {
  EXPECT_EQ(model_to_json(a), model_to_json(b));  // which has every bit of it: tested in model_file_test.cpp
}

void expect_same(const OutOfFold& a, const OutOfFold& b) {
  EXPECT_EQ(a.samples, b.samples);
  EXPECT_EQ(a.truth, b.truth);
  EXPECT_EQ(a.folds, b.folds);
  EXPECT_EQ(a.best, b.best);
  EXPECT_EQ(a.one_se, b.one_se);
}

void expect_same(const Nested& a, const Nested& b) {
  expect_same(a.out_of_fold, b.out_of_fold);
  EXPECT_EQ(a.passes, b.passes);
  ASSERT_EQ(a.folds.size(), b.folds.size());
  for (std::size_t f = 0; f < a.folds.size(); ++f) {
    EXPECT_EQ(a.folds[f].held_out, b.folds[f].held_out);
    EXPECT_EQ(a.folds[f].best.lambda1, b.folds[f].best.lambda1);
    EXPECT_EQ(a.folds[f].one_se.delta, b.folds[f].one_se.delta);
    EXPECT_EQ(a.folds[f].one_se.nonzeros, b.folds[f].one_se.nonzeros);
  }
  for (std::size_t which = 0; which < kNumScores; ++which) {
    ASSERT_EQ(a.best[which].has_value(), b.best[which].has_value());
    if (a.best[which]) {
      EXPECT_EQ(a.best[which]->mean, b.best[which]->mean);
    }
    ASSERT_EQ(a.one_se[which].has_value(), b.one_se[which].has_value());
    if (a.one_se[which]) {
      EXPECT_EQ(a.one_se[which]->standard_error, b.one_se[which]->standard_error);
    }
  }
}

void expect_same(const Tuning& a, const Tuning& b) {
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(a.best, b.best);
  EXPECT_EQ(a.one_se, b.one_se);
  EXPECT_EQ(a.n_folds, b.n_folds);
  EXPECT_EQ(a.repeats, b.repeats);
  EXPECT_EQ(a.leave_one_out, b.leave_one_out);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.n_paths, b.n_paths);
  expect_same_bits({a.seconds, a.passes, a.majority_share}, {b.seconds, b.passes, b.majority_share});
  EXPECT_EQ(a.ends, b.ends);
  EXPECT_EQ(a.continued, b.continued);
  EXPECT_EQ(a.held_out, b.held_out);
  EXPECT_EQ(a.notes, b.notes);
  expect_same(a.out_of_fold, b.out_of_fold);
  ASSERT_EQ(a.nested.has_value(), b.nested.has_value());
  if (a.nested) expect_same(*a.nested, *b.nested);
  ASSERT_EQ(a.grid.size(), b.grid.size());
  for (std::size_t k = 0; k < a.grid.size(); ++k) {
    const TuningPoint& p = a.grid[k];
    const TuningPoint& q = b.grid[k];
    expect_same_bits({p.lambda1, p.lambda2, p.lambda3, p.delta, p.mean_nonzeros},
                     {q.lambda1, q.lambda2, q.lambda3, q.delta, q.mean_nonzeros});
    EXPECT_EQ(p.nonzeros, q.nonzeros);
    EXPECT_EQ(p.not_certified, q.not_certified);
    for (const Score score : tuning_scores()) {
      ASSERT_EQ(p.score(score).has_value(), q.score(score).has_value()) << to_string(score);
      if (!p.score(score)) continue;
      expect_same_bits({p.score(score)->mean, p.score(score)->standard_error},
                       {q.score(score)->mean, q.score(score)->standard_error});
    }
  }
}

TEST(TunedFile, RoundTripIsExact) {
  for (const ModelKind kind : {ModelKind::binary, ModelKind::multiclass}) {
    TunedModel tuned = example_tuned(kind);
    for (const bool bare : {false, true}) {
      if (bare) {
        for (LinearModel* const model : {&tuned.best, &tuned.one_se}) {
          model->report.reset();
          model->calibration.reset();
          model->stability.reset();
          model->feature_names = {"a", "with \"quotes\"", "\xCE\xBB\xE2\x82\x81", "", "back\\slash\n"};
        }
        tuned.tuning.leave_one_out = true;
      }
      const TunedModel again = tuned_from_json(tuned_to_json(tuned), "t.json");
      expect_same_file(again.best, tuned.best);
      expect_same_file(again.one_se, tuned.one_se);
      expect_same(again.tuning, tuned.tuning);
    }
  }
}

TEST(TunedFile, IsAModelFileOfTheBestModel) {
  const TunedModel tuned = example_tuned();
  const std::string text = tuned_to_json(tuned);
  expect_same_file(model_from_json(text, "t.json"), tuned.best);
  EXPECT_TRUE(std::holds_alternative<TunedModel>(any_model_from_json(text, "t.json")));
  EXPECT_TRUE(std::holds_alternative<LinearModel>(any_model_from_json(model_to_json(tuned.best), "m.json")));
  EXPECT_TRUE(
      std::holds_alternative<PathModel>(any_model_from_json(path_to_json(test::example_path()), "p.json")));
  for (const char* bad : {"{}", "[]", "{", R"({"tuning": {}})", R"({"format": "other"})"})
    EXPECT_THROW(static_cast<void>(any_model_from_json(bad, "x")), InputError) << bad;
}

TEST(TunedFile, HasTheDocumentedKeysAndALineForEachPoint) {
  const std::string text = tuned_to_json(example_tuned());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5 + 4);
  const Json json = Json::parse(text);
  EXPECT_EQ(json["format"], "hsvm-model");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["lambda1"], 0.25);
  EXPECT_EQ(json["report"]["standardized"], true);
  EXPECT_EQ(json["report"]["kept_features"], 4);
  EXPECT_EQ(json["probability"]["offsets"], Json({-0.1}));
  EXPECT_EQ(json["stability"]["halves"], 40);
  EXPECT_EQ(json["stability"]["feature"], Json({0, 2, 4}));
  for (const char* key :
       {"delta", "lambda1", "lambda2", "lambda3", "intercept", "coef", "report", "probability", "stability"})
    EXPECT_TRUE(json["one_se"].contains(key)) << key;
  for (const char* key : {"classes", "feature_names", "n_features"}) {
    EXPECT_TRUE(json.contains(key)) << key;
    EXPECT_FALSE(json["one_se"].contains(key)) << key;
  }
  EXPECT_EQ(json["one_se"]["lambda1"], 0.5);
  const Json& tuning = json["tuning"];
  EXPECT_EQ(tuning["score"], "balanced_accuracy");
  EXPECT_EQ(tuning["best"], 3);
  EXPECT_EQ(tuning["seed"], 18446744073709551615U);
  for (const char* key : {"folds", "repeats", "leave_one_out", "status", "paths", "seconds", "passes", "one_se",
                          "majority_share"})
    EXPECT_TRUE(tuning.contains(key)) << key;
  EXPECT_EQ(tuning["ended"], Json({"flat", "grid"}));
  EXPECT_EQ(tuning["lambda2_lowered"], 1);
  EXPECT_EQ(tuning["continued"], 2);
  EXPECT_EQ(tuning["held_out"], Json({3, 3}));
  EXPECT_EQ(tuning["notes"], Json({"end_of_grid", "small_classes"}));
  ASSERT_EQ(tuning["grid"].size(), 4U);
  for (const char* key : {"lambda1", "lambda2", "lambda3", "delta", "nonzeros", "mean_nonzeros"})
    EXPECT_TRUE(tuning["grid"][1].contains(key)) << key;
  EXPECT_EQ(tuning["grid"][0]["not_certified"], 2);
  EXPECT_EQ(tuning["grid"][1]["scores"]["auc"]["standard_error"], 0.2);
  EXPECT_FALSE(
      Json::parse(tuned_to_json(example_tuned(ModelKind::multiclass)))["tuning"]["grid"][1]["scores"].contains(
          "auc"));
}

TEST(TunedFile, ReportIsOneLineWithTheContractsKeys) {
  const std::string text = tuning_report_to_json(example_tuned());
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const Json json = Json::parse(text);
  for (const char* key :
       {"status", "score", "folds", "repeats", "seed", "grid", "best", "one_se", "seconds", "passes", "paths"})
    EXPECT_TRUE(json.contains(key)) << key;
  ASSERT_EQ(json["grid"].size(), 4U);
  EXPECT_EQ(json["best"]["index"], 3);
  EXPECT_EQ(json["one_se"]["index"], 2);
  for (const auto& [key, value] : json["grid"][3].items()) EXPECT_EQ(json["best"][key], value) << key;
  const TunedModel tuned = example_tuned();
  EXPECT_EQ(json["best"]["report"], Json::parse(report_to_json(tuned.best)));
  EXPECT_EQ(json["one_se"]["report"], Json::parse(report_to_json(tuned.one_se)));
  EXPECT_EQ(json["best"]["probability"], Json({{"log_loss", 1.0 / 3.0}, {"brier_score", 0.2}}));
}

TEST(TunedFile, RefusesToWriteWhatIsNotUtf8) {
  TunedModel tuned = example_tuned();
  tuned.best.classes = {false, {"caf\xE9", "th\xE9"}};
  EXPECT_THROW(static_cast<void>(tuned_to_json(tuned)), InputError);
  EXPECT_THROW(static_cast<void>(tuning_report_to_json(tuned)), InputError);
}

std::string tuned_refusal(const std::string& text) {
  try {
    static_cast<void>(tuned_from_json(text, "t.json"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

const std::string kTunedStatuses = "converged, iteration_limit, time_limit, interrupted, stalled, not_finite";

struct BrokenTuned {
  std::string where;  // a JSON pointer to what is replaced; a value of "gone" takes it away
  std::string value;
  std::string message;  // after "t.json: "
};

const std::vector<BrokenTuned> kBrokenTuneds = {
    {"/format", R"("hsvm-path")", "\"format\" must be \"hsvm-model\""},
    {"/version", "2", "\"version\" is 2: this program reads version 1"},
    {"/classes", "[1, -1]", "\"classes\" must be in ascending order"},
    {"/lambda1", "-1", "\"lambda1\" must be a number of at least 0"},
    {"/report/standardized", "1", "report: \"standardized\" must be true or false"},
    {"/report/kept_features", "0", "report: \"kept_features\" must be a whole number between 1 and 2147483647"},
    {"/report/kept_features", "2.5",
     "report: \"kept_features\" must be a whole number between 1 and 2147483647"},
    {"/probability", "[]", "\"probability\" must be an object"},
    {"/probability/slope", "gone", "probability: the key \"slope\" is missing"},
    {"/probability/slope", R"("steep")", "probability: \"slope\" must be a number"},
    {"/probability/offsets", "[]", "probability: \"offsets\" must be a list of 1 number"},
    {"/probability/offsets", "[0, 0]", "probability: \"offsets\" must be a list of 1 number"},
    {"/probability/offsets", "[null]", "probability: \"offsets\" must hold numbers"},
    {"/probability/log_loss", "-0.1", "probability: \"log_loss\" must be a number of at least 0"},
    {"/probability/brier_score", "gone", "probability: the key \"brier_score\" is missing"},
    {"/stability", "3", "\"stability\" must be an object"},
    {"/stability/halves", "0", "stability: \"halves\" must be a whole number between 1 and 2147483647"},
    {"/stability/mean_selected", "5.5", "stability: \"mean_selected\" must be a number between 0 and 5"},
    {"/stability/mean_selected", "null", "stability: \"mean_selected\" must be a number between 0 and 5"},
    {"/stability/feature", "{}", "stability: \"feature\" must be a list"},
    {"/stability/feature", "[0, 2, 2]", "stability: \"feature\" must be ascending whole numbers from 0 to 4"},
    {"/stability/feature", "[0, 2, 5]", "stability: \"feature\" must be ascending whole numbers from 0 to 4"},
    {"/stability/feature", "[0, 2.5, 4]", "stability: \"feature\" must be ascending whole numbers from 0 to 4"},
    {"/stability/feature", "[0, 2]", "stability: \"frequency\" must be a list of 2 numbers"},
    {"/stability/frequency", "3", "stability: \"frequency\" must be a list"},
    {"/stability/frequency", "[1, 0.5]", "stability: \"frequency\" must be a list of 3 numbers"},
    {"/stability/frequency", "[1, 0.5, 0]",
     "stability: \"frequency\" must hold numbers greater than 0 and at most 1"},
    {"/stability/frequency", "[1.5, 0.5, 0.1]",
     "stability: \"frequency\" must hold numbers greater than 0 and at most 1"},
    {"/one_se", "gone", "the key \"one_se\" is missing"},
    {"/one_se", "[]", "\"one_se\" must be an object"},
    {"/one_se/delta", "0", "one_se: \"delta\" must be greater than 0"},
    {"/one_se/lambda2", "gone", "one_se: the key \"lambda2\" is missing"},
    {"/one_se/intercept", "[1, 2]", "one_se: \"intercept\" must be a list of 1 number"},
    {"/one_se/coef/feature", "[5]",
     "one_se: \"coef\": \"feature\" must be ascending whole numbers from 0 to 4"},
    {"/one_se/report", "3", "one_se: \"report\" must be an object"},
    {"/one_se/report/status", "3", "one_se: report: \"status\" must be a text"},
    {"/one_se/probability/slope", "null", "one_se: probability: \"slope\" must be a number"},
    {"/one_se/stability/halves", "-1",
     "one_se: stability: \"halves\" must be a whole number between 1 and 2147483647"},
    {"/tuning", "gone", "the key \"tuning\" is missing"},
    {"/tuning", "[]", "\"tuning\" must be an object"},
    {"/tuning/status", "3", "tuning: \"status\" must be a text"},
    {"/tuning/status", R"("done")", "tuning: \"status\" must be one of " + kTunedStatuses},
    {"/tuning/score", R"("beauty")",
     "tuning: \"score\" must be one of accuracy, balanced_accuracy, loss, auc, macro_f1, log_loss, "
     "brier_score"},
    {"/tuning/out_of_fold/truth/1", "9", "tuning: out_of_fold: \"truth\" must hold whole numbers from 0 to 1"},
    {"/tuning/out_of_fold/best", "[1]", "tuning: out_of_fold: \"best\" must be a list of 3 numbers"},
    {"/tuning/out_of_fold/one_se/0", "1e300",
     "tuning: out_of_fold: \"one_se\" must hold numbers of single precision"},
    {"/tuning/nested/out_of_fold/sample/1", "0", "tuning: nested: out_of_fold: \"sample\" must be ascending"},
    {"/tuning/nested/folds", "[]", "tuning: nested: \"folds\" must hold at least one point"},
    {"/tuning/folds", "1", "tuning: \"folds\" must be a whole number between 2 and 2147483647"},
    {"/tuning/repeats", "0", "tuning: \"repeats\" must be a whole number between 1 and 2147483647"},
    {"/tuning/leave_one_out", "0", "tuning: \"leave_one_out\" must be true or false"},
    {"/tuning/seed", "-1", "tuning: \"seed\" must be a whole number of at least 0"},
    {"/tuning/seed", "1.5", "tuning: \"seed\" must be a whole number of at least 0"},
    {"/tuning/paths", "-1", "tuning: \"paths\" must be a whole number between 0 and 2147483647"},
    {"/tuning/seconds", "-1", "tuning: \"seconds\" must be a number of at least 0"},
    {"/tuning/passes", "gone", "tuning: the key \"passes\" is missing"},
    {"/tuning/grid", "{}", "tuning: \"grid\" must be a list"},
    {"/tuning/grid", "[]", "tuning: \"grid\" must hold at least one point"},
    {"/tuning/best", "4", "tuning: \"best\" must be a whole number between 0 and 3"},
    {"/tuning/best", "-1", "tuning: \"best\" must be a whole number between 0 and 3"},
    {"/tuning/one_se", "1.5", "tuning: \"one_se\" must be a whole number between 0 and 3"},
    {"/tuning/grid/3/scores/balanced_accuracy", "gone",
     "tuning: \"best\" must be a point with the score \"balanced_accuracy\""},
    {"/tuning/grid/1", "3", "tuning: point 2: must be an object"},
    {"/tuning/grid/1/lambda1", "-1", "tuning: point 2: \"lambda1\" must be a number of at least 0"},
    {"/tuning/ended", R"(["flat"])", "tuning: \"ended\" must have one word for each path of the grid"},
    {"/tuning/ended/0", R"("bored")",
     "tuning: \"ended\" must be one of grid, explained, flat, max_nonzeros, stopped"},
    {"/tuning/notes/0", "1",
     "tuning: \"notes\" must be one of no_better_than_majority, empty_model, end_of_grid, unequal_classes, "
     "one_se_not_empty, few_folds, small_classes, never_held_out"},
    {"/tuning/held_out/0", "1.5", "tuning: \"held_out\" must be whole numbers of at least 0"},
    {"/tuning/majority_share", "2", "tuning: \"majority_share\" must be a number between 0 and 1"},
    {"/tuning/grid/1/lambda3", "gone", "tuning: point 2: the key \"lambda3\" is missing"},
    {"/tuning/grid/1/delta", "0", "tuning: point 2: \"delta\" must be greater than 0"},
    {"/tuning/grid/1/nonzeros", "6", "tuning: point 2: \"nonzeros\" must be a whole number between 0 and 5"},
    {"/tuning/grid/1/mean_nonzeros", "5.1",
     "tuning: point 2: \"mean_nonzeros\" must be a number between 0 and 5"},
    {"/tuning/grid/1/not_certified", "-1",
     "tuning: point 2: \"not_certified\" must be a whole number between 0 and 2147483647"},
    {"/tuning/grid/1/scores", "[]", "tuning: point 2: \"scores\" must be an object"},
    {"/tuning/grid/1/scores/loss", "0.5", "tuning: point 2: scores: \"loss\" must be an object"},
    {"/tuning/grid/1/scores/auc/mean", "1.5",
     "tuning: point 2: scores: auc: \"mean\" must be a number between 0 and 1"},
    {"/tuning/grid/1/scores/loss/mean", "-0.5",
     "tuning: point 2: scores: loss: \"mean\" must be a number of at least 0"},
    {"/tuning/grid/1/scores/loss/standard_error", "null",
     "tuning: point 2: scores: loss: \"standard_error\" must be a number of at least 0"},
};

TEST(TunedFile, SaysWhatIsWrongInABrokenOne) {
  ASSERT_EQ(tuned_refusal(tuned_to_json(example_tuned())), "accepted");
  for (const BrokenTuned& broken : kBrokenTuneds) {
    Json json = Json::parse(tuned_to_json(example_tuned()));
    const Json::json_pointer where(broken.where);
    if (broken.value == "gone") {
      json.at(where.parent_pointer()).erase(where.back());
    } else {
      json[where] = Json::parse(broken.value);
    }
    EXPECT_EQ(tuned_refusal(json.dump()), "t.json: " + broken.message) << broken.where << " " << broken.value;
  }
}

TEST(TunedFile, IgnoresKeysItDoesNotKnow) {
  Json json = Json::parse(tuned_to_json(example_tuned()));
  json["tuning"]["remark"] = {1, 2};
  json["tuning"]["grid"][0]["scores"]["elegance"] = 3;
  expect_same(tuned_from_json(json.dump(), "t.json").tuning, example_tuned().tuning);
}

TEST(TunedFileFuzz, DamagedFilesAreReadOrRefused) {
  Random random(22);
  int refused = 0;
  int read = 0;
  for (const ModelKind kind : {ModelKind::binary, ModelKind::multiclass}) {
    const std::string text = tuned_to_json(example_tuned(kind));
    for (int round = 0; round < 2000; ++round) {
      try {
        const TunedModel tuned = tuned_from_json(test::damaged(text, random), "damaged");
        ++read;
        ASSERT_LT(tuned.tuning.best, tuned.tuning.grid.size());
        ASSERT_LT(tuned.tuning.one_se, tuned.tuning.grid.size());
        ASSERT_TRUE(tuned.tuning.grid[tuned.tuning.best].score(tuned.tuning.score).has_value());
        for (const LinearModel* const model : {&tuned.best, &tuned.one_se}) {
          ASSERT_EQ(model->coefficients.size(),
                    model->features.size() * static_cast<std::size_t>(model->n_outputs()));
          if (model->calibration) {
            ASSERT_EQ(model->calibration->offsets.size(), static_cast<std::size_t>(model->n_outputs()));
            ASSERT_TRUE(std::isfinite(model->calibration->slope));
          }
          if (!model->stability) continue;
          ASSERT_EQ(model->stability->features.size(), model->stability->frequencies.size());
          for (const Index j : model->stability->features) ASSERT_LT(j, model->n_features);
        }
        static_cast<void>(tuning_report_to_json(tuned));
      } catch (const InputError& error) {
        ++refused;
        const std::string what = error.what();
        ASSERT_TRUE(what.starts_with("damaged: ") || what.find("UTF-8") != what.npos) << what;
      }
    }
  }
  EXPECT_GT(refused, 2000);
  EXPECT_GT(read, 100);  // a change within a number
}

}  // namespace
}  // namespace hsvm
