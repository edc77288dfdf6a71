#include "hsvm/model/model_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hsvm/core/error.hpp"
#include "hsvm/core/random.hpp"
#include "tests/model/path_example.hpp"
#include "tests/model/same_bits.hpp"

namespace hsvm {
namespace {

using Json = nlohmann::ordered_json;
using test::example_path;
using test::expect_same_bits;
using testing::HasSubstr;

void expect_same(const PathModel& a, const PathModel& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.n_features, b.n_features);
  EXPECT_EQ(a.feature_names, b.feature_names);
  EXPECT_EQ(a.solver, b.solver);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.ended, b.ended);
  EXPECT_EQ(a.explained, b.explained);
  EXPECT_EQ(a.n_samples, b.n_samples);
  EXPECT_EQ(a.pass_seconds, b.pass_seconds);
  expect_same_bits({a.delta, a.lambda1_max, a.tolerance, a.seconds, a.passes},
                   {b.delta, b.lambda1_max, b.tolerance, b.seconds, b.passes});
  ASSERT_EQ(a.points.size(), b.points.size());
  for (std::size_t k = 0; k < a.points.size(); ++k) {
    const PathPoint& p = a.points[k];
    const PathPoint& q = b.points[k];
    expect_same_bits({p.lambda1, p.lambda2, p.lambda3}, {q.lambda1, q.lambda2, q.lambda3});
    expect_same_bits(p.intercept, q.intercept);
    EXPECT_EQ(p.features, q.features);
    expect_same_bits(p.coefficients, q.coefficients);
    const auto numbers = [](const FitReport& r) {
      return std::vector{r.objective, r.dual_objective, r.gap,         r.relative_gap,
                         r.passes,    r.seconds,        r.lambda1_max, r.tolerance};
    };
    expect_same_bits(numbers(*p.report), numbers(*q.report));
    EXPECT_EQ(p.report->status, q.report->status);
    EXPECT_EQ(p.report->solver, q.report->solver);
    EXPECT_EQ(p.report->stopping, q.report->stopping);
    EXPECT_EQ(p.report->fallback, q.report->fallback);
    EXPECT_EQ(p.report->iterations, q.report->iterations);
    EXPECT_EQ(p.report->n_samples, q.report->n_samples);
    EXPECT_EQ(p.report->standardized, q.report->standardized);
    EXPECT_EQ(p.report->kept_features, q.report->kept_features);
  }
}

PathModel round_trip(const PathModel& path) {
  return path_from_json(path_to_json(path), "path.json");
}

TEST(PathFile, RoundTripIsExact) {
  for (const ModelKind kind : {ModelKind::binary, ModelKind::multiclass}) {
    PathModel path = example_path(kind);
    expect_same(round_trip(path), path);
    path.pass_seconds = 0.001;
    path.feature_names = {"a", "with \"quotes\"", "\xCE\xBB\xE2\x82\x81", "", "back\\slash\n"};
    expect_same(round_trip(path), path);
    path.points.resize(1);
    expect_same(round_trip(path), path);
    EXPECT_FALSE(Json::parse(path_to_json(path)).contains("standardized"));
    path.points[0].report->fallback = Solver::pg;
    path.points[0].report->standardized = true;
    path.points[0].report->kept_features = 3;
    expect_same(round_trip(path), path);
    EXPECT_EQ(Json::parse(path_report_to_json(path))["kept_features"], 3);
  }
}

TEST(PathFile, KeepsEveryBitOfRandomNumbers) {
  Random random(3);
  PathModel path = example_path();
  path.n_features = 1000;
  for (PathPoint& point : path.points) {
    point.features.clear();
    point.coefficients.clear();
    for (Index j = 0; j < 1000; ++j) {
      double value = 0.0;
      do {
        const std::uint64_t bits = random.bits();
        std::memcpy(&value, &bits, sizeof(value));
      } while (!std::isfinite(value));
      point.features.push_back(j);
      point.coefficients.push_back(value);
    }
  }
  expect_same(round_trip(path), path);
}

TEST(PathFile, HasTheDocumentedKeysAndALineForEachPoint) {
  const std::string text = path_to_json(example_path());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3 + 4);
  const Json json = Json::parse(text);
  EXPECT_EQ(json["format"], "hsvm-path");
  EXPECT_EQ(json["version"], 1);
  for (const char* key : {"kind", "classes", "n_features", "feature_names", "delta", "lambda1_max", "status",
                          "solver", "tolerance", "seconds", "passes", "n_samples", "points"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_FALSE(json.contains("pass_seconds"));
  const Json& point = json["points"][2];
  EXPECT_EQ(point["lambda1"], 0.25);
  EXPECT_EQ(point["coef"]["feature"], Json({0, 2}));
  EXPECT_EQ(point["coef"]["value"], Json({{-2.0}, {3.0}}));
  for (const char* key :
       {"status", "objective", "dual_objective", "gap", "relative_gap", "iterations", "passes", "seconds"}) {
    EXPECT_TRUE(point["report"].contains(key)) << key;
  }
}

TEST(PathFile, ReportIsOneLineWithTheContractsKeys) {
  PathModel path = example_path();
  path.pass_seconds = 0.25;
  const std::string text = path_report_to_json(path);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const Json json = Json::parse(text);
  for (const char* key : {"path", "seconds", "passes", "solver", "pass_seconds", "n_samples", "n_features",
                          "classes", "delta", "lambda1_max", "status"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  ASSERT_EQ(json["path"].size(), 4U);
  for (const char* key : {"lambda1", "lambda2", "lambda3", "objective", "dual_objective", "gap", "relative_gap",
                          "nonzeros", "iterations", "passes", "seconds", "status", "intercept"}) {
    EXPECT_TRUE(json["path"][1].contains(key)) << key;
  }
  EXPECT_EQ(json["path"][2]["nonzeros"], 2);
  EXPECT_EQ(json["path"][2]["status"], "iteration_limit");
}

TEST(PathFile, IsToldFromAModelFile) {
  const AnyModel path = any_model_from_json(path_to_json(example_path()), "p");
  EXPECT_TRUE(std::holds_alternative<PathModel>(path));
  const LinearModel one = at(example_path(), 0.5);
  const AnyModel model = any_model_from_json(model_to_json(one), "m");
  ASSERT_TRUE(std::holds_alternative<LinearModel>(model));
  EXPECT_EQ(std::get<LinearModel>(model).features, one.features);
  for (const char* text : {"{}", "[]", "{", R"({"format": 3})", R"({"format": "other"})"})
    EXPECT_THROW(static_cast<void>(any_model_from_json(text, "x")), InputError) << text;
}

TEST(PathFile, RefusesToWriteWhatIsNotUtf8) {
  PathModel path = example_path();
  path.feature_names = {"a", "b", "c\xFF", "d", "e"};
  EXPECT_THROW(static_cast<void>(path_to_json(path)), InputError);
  path = example_path();
  path.classes = {false, {"caf\xE9", "th\xE9"}};
  EXPECT_THROW(static_cast<void>(path_report_to_json(path)), InputError);
}

std::string path_refusal(const std::string& text) {
  try {
    static_cast<void>(path_from_json(text, "p.json"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(PathFile, RefusesWhatIsNoJsonObject) {
  const std::string good = path_to_json(example_path());
  ASSERT_EQ(path_refusal(good), "accepted");
  for (const std::string& text : {std::string(), std::string("{"), good.substr(0, good.size() / 2), good + "}",
                                  std::string("\0\0", 2), std::string(100000, '[')}) {
    EXPECT_THAT(path_refusal(text), HasSubstr("p.json: not a model file")) << text.substr(0, 40);
  }
  EXPECT_EQ(path_refusal("[1, 2]"), "p.json: not a model file: expected a JSON object");
}

const std::string kPathStatuses = "converged, iteration_limit, time_limit, interrupted, stalled, not_finite";

struct BrokenPath {
  std::string where;  // a JSON pointer to what is replaced; a value of "gone" takes it away
  std::string value;
  std::string message;  // after "p.json: "
};

const std::vector<BrokenPath> kBrokenPaths = {
    {"/format", "gone", "the key \"format\" is missing"},
    {"/format", R"("hsvm-model")", "\"format\" must be \"hsvm-path\""},
    {"/version", "gone", "the key \"version\" is missing"},
    {"/version", "2", "\"version\" is 2: this program reads version 1"},
    {"/kind", R"("ternary")", "\"kind\" must be one of binary, multiclass"},
    {"/kind", R"("multiclass")", "point 1: \"intercept\" must be a list of 2 numbers"},
    {"/classes", "[1]", "\"classes\" must hold at least two different labels"},
    {"/classes", "[1, -1]", "\"classes\" must be in ascending order"},
    {"/classes", "[1, 2, 3]", "a binary model must have two \"classes\""},
    {"/n_features", "-1", "\"n_features\" must be a whole number between 0 and 2147483647"},
    {"/n_features", "2", "point 2: \"coef\": \"feature\" must be ascending whole numbers from 0 to 1"},
    {"/feature_names", R"(["a"])", "\"feature_names\" must have one name for each of the 5 features"},
    {"/delta", "0", "\"delta\" must be greater than 0"},
    {"/lambda1_max", "-1", "\"lambda1_max\" must be a number of at least 0"},
    {"/lambda1_max", "gone", "the key \"lambda1_max\" is missing"},
    {"/status", "3", "\"status\" must be a text"},
    {"/status", R"("done")", "\"status\" must be one of " + kPathStatuses},
    {"/solver", R"("simplex")", "\"solver\" must be one of newton, pg, pg2"},
    {"/points/2/report/status", R"("")", "point 3: report: \"status\" must be one of " + kPathStatuses},
    {"/points/2/report/fallback", R"("no")", "point 3: report: \"fallback\" must be one of newton, pg, pg2"},
    {"/solver", "gone", "the key \"solver\" is missing"},
    {"/tolerance", R"("small")", "\"tolerance\" must be a number of at least 0"},
    {"/seconds", "-1", "\"seconds\" must be a number of at least 0"},
    {"/passes", "null", "\"passes\" must be a number of at least 0"},
    {"/pass_seconds", "-1", "\"pass_seconds\" must be a number of at least 0"},
    {"/standardized", R"("yes")", "\"standardized\" must be true or false"},
    {"/kept_features", "-1", "\"kept_features\" must be a whole number between 1 and 2147483647"},
    {"/n_samples", "0", "\"n_samples\" must be a whole number of at least 1"},
    {"/points", "gone", "the key \"points\" is missing"},
    {"/points", "{}", "\"points\" must be a list"},
    {"/points", "[]", "\"points\" must hold at least one point"},
    {"/points/1", "[]", "point 2: must be an object"},
    {"/points/1/lambda1", "1", "point 2: \"lambda1\" must be smaller than in the point before"},
    {"/points/2/lambda1", "0.75", "point 3: \"lambda1\" must be smaller than in the point before"},
    {"/points/3/lambda1", "-0.1", "point 4: \"lambda1\" must be a number of at least 0"},
    {"/points/0/lambda2", "gone", "point 1: the key \"lambda2\" is missing"},
    {"/points/0/lambda3", R"("x")", "point 1: \"lambda3\" must be a number of at least 0"},
    {"/points/0/intercept", "[1, 2]", "point 1: \"intercept\" must be a list of 1 number"},
    {"/points/0/intercept", "[null]", "point 1: \"intercept\" must hold numbers"},
    {"/points/0/coef", "3", "point 1: \"coef\" must be an object"},
    {"/points/2/coef/feature", "[2, 0]",
     "point 3: \"coef\": \"feature\" must be ascending whole numbers from 0 to 4"},
    {"/points/2/coef/feature", "[0, 5]",
     "point 3: \"coef\": \"feature\" must be ascending whole numbers from 0 to 4"},
    {"/points/2/coef/feature", "[0]",
     "point 3: \"coef\": \"feature\" and \"value\" must be lists of the same length"},
    {"/points/2/coef/value", "[[1], [1, 2]]",
     "point 3: an entry of \"coef\".\"value\" must be a list of 1 number"},
    {"/points/2/coef/value", R"([[1], ["a"]])", "point 3: an entry of \"coef\".\"value\" must hold numbers"},
    {"/points/2/report", "gone", "point 3: the key \"report\" is missing"},
    {"/points/2/report", "[]", "point 3: \"report\" must be an object"},
    {"/points/2/report/status", "gone", "point 3: report: the key \"status\" is missing"},
    {"/points/2/report/objective", R"("low")", "point 3: report: \"objective\" must be a number"},
    {"/points/2/report/iterations", "1.5",
     "point 3: report: \"iterations\" must be a whole number between 0 and 2147483647"},
    {"/points/2/report/seconds", "-1", "point 3: report: \"seconds\" must be a number of at least 0"},
};

TEST(PathFile, SaysWhatIsWrongInABrokenOne) {
  for (const BrokenPath& broken : kBrokenPaths) {
    Json json = Json::parse(path_to_json(example_path()));
    const Json::json_pointer where(broken.where);
    if (broken.value == "gone") {
      json.at(where.parent_pointer()).erase(where.back());
    } else {
      json[where] = Json::parse(broken.value);
    }
    EXPECT_EQ(path_refusal(json.dump()), "p.json: " + broken.message) << broken.where << " " << broken.value;
  }
}

TEST(PathFile, IgnoresKeysItDoesNotKnow) {
  Json json = Json::parse(path_to_json(example_path()));
  json["comment"] = "made by hand";
  json["points"][0]["remark"] = {1, 2};
  expect_same(path_from_json(json.dump(), "p.json"), example_path());
}

}  // namespace
}  // namespace hsvm
