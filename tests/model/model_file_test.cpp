#include "hsvm/model/model_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "hsvm/core/error.hpp"
#include "hsvm/core/random.hpp"
#include "tests/model/same_bits.hpp"

namespace hsvm {
namespace {

using Json = nlohmann::ordered_json;
using test::expect_same_bits;
using testing::HasSubstr;

LinearModel example() {
  LinearModel model;
  model.kind = ModelKind::binary;
  model.classes = {true, {"-1", "1"}};
  model.n_features = 5;
  model.delta = 0.1;
  model.lambda1 = 1.0 / 3.0;
  model.lambda2 = 0.01;
  model.lambda3 = 5e-324;
  model.intercept = {-0.1};
  model.features = {0, 2, 4};
  model.coefficients = {1.0 / 7.0, -1e-300, 1.7976931348623157e308};
  model.report = FitReport{.status = Status::converged,
                           .solver = Solver::pg2,
                           .objective = 0.1 + 0.2,
                           .dual_objective = 0.3,
                           .gap = 1.0 / 3e9,
                           .relative_gap = 1.0 / 3e8,
                           .iterations = 123,
                           .passes = 61.5,
                           .seconds = 0.123456789012345678,
                           .pass_seconds = std::nullopt,
                           .n_samples = 77,
                           .lambda1_max = 2.0 / 3.0,
                           .tolerance = 1e-6,
                           .stopping = Stopping::gap};
  return model;
}

void expect_same(const LinearModel& a, const LinearModel& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.n_features, b.n_features);
  EXPECT_EQ(a.feature_names, b.feature_names);
  EXPECT_EQ(a.features, b.features);
  expect_same_bits({a.delta, a.lambda1, a.lambda2, a.lambda3}, {b.delta, b.lambda1, b.lambda2, b.lambda3});
  expect_same_bits(a.intercept, b.intercept);
  expect_same_bits(a.coefficients, b.coefficients);
  ASSERT_EQ(a.report.has_value(), b.report.has_value());
  if (!a.report) return;
  EXPECT_EQ(a.report->status, b.report->status);
  EXPECT_EQ(a.report->solver, b.report->solver);
  EXPECT_EQ(a.report->stopping, b.report->stopping);
  EXPECT_EQ(a.report->fallback, b.report->fallback);
  EXPECT_EQ(a.report->iterations, b.report->iterations);
  EXPECT_EQ(a.report->n_samples, b.report->n_samples);
  EXPECT_EQ(a.report->pass_seconds, b.report->pass_seconds);
  const auto numbers = [](const FitReport& r) {
    return std::vector{r.objective, r.dual_objective, r.gap,         r.relative_gap,
                       r.passes,    r.seconds,        r.lambda1_max, r.tolerance};
  };
  expect_same_bits(numbers(*a.report), numbers(*b.report));
}

LinearModel round_trip(const LinearModel& model) {
  return model_from_json(model_to_json(model), "model.json");
}

TEST(ModelFile, RoundTripIsExact) {
  expect_same(round_trip(example()), example());
  LinearModel model = example();
  model.report.reset();
  expect_same(round_trip(model), model);
  model.features.clear();
  model.coefficients.clear();
  expect_same(round_trip(model), model);
}

TEST(ModelFile, KeepsTheTimeOfAPass) {
  LinearModel model = example();
  model.report->pass_seconds = 0.001;
  expect_same(round_trip(model), model);
}

TEST(ModelFile, KeepsProbabilitiesAndStability) {
  LinearModel model = example();
  EXPECT_FALSE(Json::parse(model_to_json(model)).contains("probability"));
  EXPECT_FALSE(Json::parse(model_to_json(model)).contains("stability"));
  model.calibration =
      Calibration{.slope = 1.0 / 3.0, .offsets = {-1e-300}, .log_loss = 0.1, .brier_score = 0.7};
  model.stability =
      Stability{.n_halves = 3, .features = {1, 4}, .frequencies = {1.0 / 3.0, 1.0}, .mean_selected = 1e-17};
  const LinearModel again = round_trip(model);
  expect_same(again, model);
  ASSERT_TRUE(again.calibration && again.stability);
  expect_same_bits({again.calibration->slope, again.calibration->log_loss, again.calibration->brier_score},
                   {1.0 / 3.0, 0.1, 0.7});
  expect_same_bits(again.calibration->offsets, {-1e-300});
  EXPECT_EQ(again.stability->n_halves, 3);
  EXPECT_EQ(again.stability->features, model.stability->features);
  expect_same_bits(again.stability->frequencies, model.stability->frequencies);
  expect_same_bits({again.stability->mean_selected}, {1e-17});
}

TEST(ModelFile, KeepsHowTheDataWasPrepared) {
  LinearModel model = example();
  for (const char* key : {"standardized", "kept_features"})
    EXPECT_FALSE(Json::parse(report_to_json(model)).contains(key)) << key;
  model.report->standardized = true;
  model.report->kept_features = 3;
  const LinearModel again = round_trip(model);
  EXPECT_TRUE(again.report->standardized);
  EXPECT_EQ(again.report->kept_features, 3);
}

TEST(ModelFile, KeepsEveryBitOfRandomNumbers) {
  Random random(1);
  LinearModel model = example();
  model.n_features = 2000;
  model.features.clear();
  model.coefficients.clear();
  for (Index j = 0; j < 2000; ++j) {
    double value = 0.0;
    do {
      const std::uint64_t bits = random.bits();
      std::memcpy(&value, &bits, sizeof(value));
    } while (!std::isfinite(value));
    model.features.push_back(j);
    model.coefficients.push_back(value);
  }
  expect_same(round_trip(model), model);
}

TEST(ModelFile, KeepsLabelsAsTheyAre) {
  const std::vector<std::vector<std::string>> kinds = {{"-1", "1"},
                                                       {"0", "1"},
                                                       {"0.1", "2.5"},
                                                       {"-1e-300", "1e+300"},
                                                       {"1e+16", "123456789012345680000"},
                                                       {"ham", "spam"},
                                                       {"1", "b"},
                                                       {"", "quote\" back\\slash"},
                                                       {"\t\n",
                                                        "Stra\xC3\x9F"
                                                        "e"},
                                                       {"inf", "nan"}};
  for (const std::vector<std::string>& names : kinds) {
    LinearModel model = example();
    model.classes = make_labels(names).classes;
    ASSERT_EQ(model.classes.size(), 2);
    expect_same(round_trip(model), model);
  }
}

TEST(ModelFile, WritesNumericLabelsAsNumbersAndWordsAsTexts) {
  LinearModel model = example();
  EXPECT_EQ(Json::parse(model_to_json(model))["classes"], Json({-1, 1}));
  model.classes = {false, {"no", "yes"}};
  EXPECT_EQ(Json::parse(model_to_json(model))["classes"], Json({"no", "yes"}));
}

TEST(ModelFile, KeepsFeatureNames) {
  LinearModel model = example();
  model.feature_names = {"a", "with \"quotes\"", "\xCE\xBB\xE2\x82\x81", "", "back\\slash\n"};
  expect_same(round_trip(model), model);
}

TEST(ModelFile, KeepsAMulticlassModel) {
  LinearModel model = example();
  model.kind = ModelKind::multiclass;
  model.classes = make_labels(std::vector<std::string>{"a", "b", "c"}).classes;
  model.intercept = {0.1, 0.2, -0.3};
  model.features = {1, 3};
  model.coefficients = {1, 2, -3, 0.5, 0, -0.5};
  expect_same(round_trip(model), model);
  model.margins = Margins::relative;
  expect_same(round_trip(model), model);
  EXPECT_EQ(round_trip(model).margins, Margins::relative);
  Json json = Json::parse(model_to_json(model));
  EXPECT_EQ(json["margins"], "relative");
  json.erase("margins");  // a file from before there were two
  EXPECT_EQ(model_from_json(json.dump(), "old").margins, Margins::absolute);
  EXPECT_FALSE(Json::parse(model_to_json(example())).contains("margins"));
}

TEST(ModelFile, HasTheKeysOfTheContract) {
  const Json json = Json::parse(model_to_json(example()));
  EXPECT_EQ(json["format"], "hsvm-model");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["kind"], "binary");
  EXPECT_EQ(json["n_features"], 5);
  EXPECT_TRUE(json["feature_names"].is_null());
  EXPECT_EQ(json["intercept"], Json({-0.1}));
  EXPECT_EQ(json["coef"]["feature"], Json({0, 2, 4}));
  EXPECT_EQ(json["coef"]["value"][1], Json({-1e-300}));
  for (const char* key : {"delta", "lambda1", "lambda2", "lambda3", "report"})
    EXPECT_TRUE(json.contains(key)) << key;
}

TEST(ModelFile, ReportIsOneLineWithTheKeysOfTheContract) {
  LinearModel model = example();
  model.report->pass_seconds = 0.25;
  const std::string text = report_to_json(model);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const Json json = Json::parse(text);
  for (const char* key :
       {"status",  "solver",  "objective",    "dual_objective", "gap",         "relative_gap", "iterations",
        "passes",  "seconds", "pass_seconds", "n_samples",      "n_features",  "classes",      "nonzeros",
        "lambda1", "lambda2", "lambda3",      "delta",          "lambda1_max", "intercept"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_EQ(json["nonzeros"], 3);
  EXPECT_EQ(json["n_samples"], 77);
  EXPECT_EQ(json["pass_seconds"], 0.25);
  model.report->pass_seconds.reset();
  EXPECT_FALSE(Json::parse(report_to_json(model)).contains("pass_seconds"));
}

TEST(ModelFile, RefusesToWriteWhatIsNotUtf8) {
  LinearModel model = example();
  model.classes = {false, {"caf\xE9", "th\xE9"}};  // Latin-1
  EXPECT_THROW(static_cast<void>(model_to_json(model)), InputError);
  EXPECT_THROW(static_cast<void>(report_to_json(model)), InputError);
  model = example();
  model.feature_names = {"a", "b", "c\xFF", "d", "e"};
  try {
    static_cast<void>(model_to_json(model));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("not UTF-8"));
  }
}

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(model_from_json(text, "m.json"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ModelFile, RefusesWhatIsNoJsonObject) {
  const std::string good = model_to_json(example());
  ASSERT_EQ(refusal(good), "accepted");
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("1 1:0.5 2:3\n"), good.substr(0, good.size() / 2),
        good + "}", std::string("\0\0\0", 3), std::string("{\"format\": \"\xFF\"}"), std::string(100000, '['),
        std::string("{\"version\": 1e999}")}) {
    EXPECT_THAT(refusal(text), HasSubstr("m.json: not a model file")) << text.substr(0, 40);
  }
  EXPECT_EQ(refusal("[1, 2]"), "m.json: not a model file: expected a JSON object");
  EXPECT_EQ(refusal("3"), "m.json: not a model file: expected a JSON object");
}

const std::string kStatuses = "converged, iteration_limit, time_limit, interrupted, stalled, not_finite";

struct Broken {
  std::string change;   // a JSON merge patch
  std::string message;  // after "m.json: "
};

const std::vector<Broken> kBroken = {
    {R"({"format": null})", "the key \"format\" is missing"},
    {R"({"format": 3})", "\"format\" must be a text"},
    {R"({"format": "other"})", "\"format\" must be \"hsvm-model\""},
    {R"({"version": null})", "the key \"version\" is missing"},
    {R"({"version": 2})", "\"version\" is 2: this program reads version 1"},
    {R"({"version": "1"})", "\"version\" is \"1\": this program reads version 1"},
    {R"({"kind": "ternary"})", "\"kind\" must be one of binary, multiclass"},
    {R"({"kind": null})", "the key \"kind\" is missing"},
    {R"({"classes": null})", "the key \"classes\" is missing"},
    {R"({"classes": 2})", "\"classes\" must be a list"},
    {R"({"classes": [1]})", "\"classes\" must hold at least two different labels"},
    {R"({"classes": []})", "\"classes\" must hold at least two different labels"},
    {R"({"classes": [1, 1.0]})", "\"classes\" must hold at least two different labels"},
    {R"({"classes": [1, -1]})", "\"classes\" must be in ascending order"},
    {R"({"classes": ["b", "a"]})", "\"classes\" must be in ascending order"},
    {R"({"classes": [1, true]})", "\"classes\" must hold numbers or words"},
    {R"({"classes": ["1", "2"]})", "\"classes\" must be all numbers or all words that are not numbers"},
    {R"({"classes": [1, 2, 3]})", "a binary model must have two \"classes\""},
    {R"({"n_features": -1})", "\"n_features\" must be a whole number between 0 and 2147483647"},
    {R"({"n_features": 2147483648})", "\"n_features\" must be a whole number between 0 and 2147483647"},
    {R"({"n_features": 18446744073709551615})",
     "\"n_features\" must be a whole number between 0 and 2147483647"},
    {R"({"n_features": 2.5})", "\"n_features\" must be a whole number between 0 and 2147483647"},
    {R"({"n_features": 4})", "\"coef\": \"feature\" must be ascending whole numbers from 0 to 3"},
    {R"({"feature_names": ["a"]})", "\"feature_names\" must have one name for each of the 5 features"},
    {R"({"feature_names": "abcde"})", "\"feature_names\" must be a list"},
    {R"({"feature_names": [1, 2, 3, 4, 5]})", "\"feature_names\" must be a list of texts"},
    {R"({"delta": 0})", "\"delta\" must be greater than 0"},
    {R"({"delta": -1})", "\"delta\" must be a number of at least 0"},
    {R"({"delta": "1"})", "\"delta\" must be a number of at least 0"},
    {R"({"lambda1": -0.1})", "\"lambda1\" must be a number of at least 0"},
    {R"({"lambda2": [0]})", "\"lambda2\" must be a number of at least 0"},
    {R"({"lambda3": null})", "the key \"lambda3\" is missing"},
    {R"({"intercept": 1})", "\"intercept\" must be a list of 1 number"},
    {R"({"intercept": []})", "\"intercept\" must be a list of 1 number"},
    {R"({"intercept": [1, 2]})", "\"intercept\" must be a list of 1 number"},
    {R"({"intercept": ["1"]})", "\"intercept\" must hold numbers"},
    {R"({"kind": "multiclass"})", "\"intercept\" must be a list of 2 numbers"},
    {R"({"coef": null})", "the key \"coef\" is missing"},
    {R"({"coef": 5})", "\"coef\" must be an object"},
    {R"({"coef": {"feature": null}})", "\"coef\" must have the keys \"feature\" and \"value\""},
    {R"({"coef": {"value": [[1]]}})", "\"coef\": \"feature\" and \"value\" must be lists of the same length"},
    {R"({"coef": {"value": 1}})", "\"coef\": \"feature\" and \"value\" must be lists of the same length"},
    {R"({"coef": {"feature": [2, 0, 4]}})",
     "\"coef\": \"feature\" must be ascending whole numbers from 0 to 4"},
    {R"({"coef": {"feature": [0, 0, 4]}})",
     "\"coef\": \"feature\" must be ascending whole numbers from 0 to 4"},
    {R"({"coef": {"feature": [0, 2, 5]}})",
     "\"coef\": \"feature\" must be ascending whole numbers from 0 to 4"},
    {R"({"coef": {"feature": [-1, 2, 4]}})",
     "\"coef\": \"feature\" must be ascending whole numbers from 0 to 4"},
    {R"({"coef": {"feature": [0, 1.5, 4]}})",
     "\"coef\": \"feature\" must be ascending whole numbers from 0 to 4"},
    {R"({"coef": {"feature": [0, 2, 18446744073709551615]}})",
     "\"coef\": \"feature\" must be ascending whole numbers from 0 to 4"},
    {R"({"coef": {"value": [[1], [2, 3], [4]]}})", "an entry of \"coef\".\"value\" must be a list of 1 number"},
    {R"({"coef": {"value": [1, 2, 3]}})", "an entry of \"coef\".\"value\" must be a list of 1 number"},
    {R"({"coef": {"value": [["a"], [2], [4]]}})", "an entry of \"coef\".\"value\" must hold numbers"},
    {R"({"report": []})", "\"report\" must be an object"},
    {R"({"report": {"status": null}})", "report: the key \"status\" is missing"},
    {R"({"report": {"status": "done"}})", "report: \"status\" must be one of " + kStatuses},
    {R"({"report": {"status": "Converged"}})", "report: \"status\" must be one of " + kStatuses},
    {R"({"report": {"solver": "simplex"}})", "report: \"solver\" must be one of newton, pg, pg2"},
    {R"({"report": {"stopping": ""}})", "report: \"stopping\" must be one of gap, paper"},
    {R"({"report": {"fallback": "none"}})", "report: \"fallback\" must be one of newton, pg, pg2"},
    {R"({"report": {"iterations": -1}})",
     "report: \"iterations\" must be a whole number between 0 and 2147483647"},
    {R"({"report": {"n_samples": 0}})", "report: \"n_samples\" must be a whole number of at least 1"},
    {R"({"report": {"objective": "low"}})", "report: \"objective\" must be a number"},
    {R"({"report": {"seconds": -1}})", "report: \"seconds\" must be a number of at least 0"},
    {R"({"report": {"pass_seconds": -1}})", "report: \"pass_seconds\" must be a number of at least 0"},
};

TEST(ModelFile, SaysWhatIsWrongInABrokenOne) {
  for (const Broken& broken : kBroken) {
    Json json = Json::parse(model_to_json(example()));
    json.merge_patch(Json::parse(broken.change));
    EXPECT_EQ(refusal(json.dump()), "m.json: " + broken.message) << broken.change;
  }
}

TEST(ModelFile, IgnoresKeysItDoesNotKnow) {
  Json json = Json::parse(model_to_json(example()));
  json["comment"] = "made by hand";
  json["report"]["remark"] = {1, 2};
  expect_same(model_from_json(json.dump(), "m.json"), example());
}

}  // namespace
}  // namespace hsvm
