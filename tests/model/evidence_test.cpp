#include "hsvm/model/evidence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hsvm/core/error.hpp"
#include "hsvm/core/random.hpp"
#include "hsvm/model/model_file.hpp"
#include "tests/model/evidence_example.hpp"

namespace hsvm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Evidence, SurvivesItsFile) {
  for (const ModelKind kind : {ModelKind::binary, ModelKind::multiclass}) {
    const TunedModel tuned = test::example_with_evidence(kind);
    const std::string text = tuned_to_json(tuned);
    const TunedModel again = tuned_from_json(text, "tuned.json");
    ASSERT_TRUE(again.evidence.has_value());
    EXPECT_EQ(again.evidence->source, "train.csv");
    EXPECT_EQ(again.evidence->deviations, tuned.evidence->deviations);
    EXPECT_EQ(again.evidence->path.lines[0].effects, tuned.evidence->path.lines[0].effects);
    EXPECT_EQ(tuned_to_json(again), text);  // every bit of it
  }
}

TEST(Evidence, IsNotNeededToRead) {
  EXPECT_FALSE(tuned_from_json(tuned_to_json(test::example_tuned()), "old.json").evidence.has_value());
}

// Each change makes the file one that cannot be: the message names the key.
TEST(Evidence, IsRefusedWhereItCannotBe) {
  const auto message_after = [](const auto& change) {
    auto json = nlohmann::json::parse(tuned_to_json(test::example_with_evidence()));
    change(json["evidence"]);
    try {
      static_cast<void>(tuned_from_json(json.dump(), "bad.json"));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  using Json = nlohmann::json;
  EXPECT_THAT(message_after([](Json& e) { e.erase("path"); }), HasSubstr("\"path\""));
  EXPECT_THAT(message_after([](Json& e) { e["sample_names"] = {1}; }), HasSubstr("sample_names"));
  EXPECT_THAT(message_after([](Json& e) { e["source"] = 3; }), HasSubstr("\"source\""));
  EXPECT_THAT(message_after([](Json& e) { e["class_counts"] = {1}; }), HasSubstr("class_counts"));
  EXPECT_THAT(message_after([](Json& e) { e["feature"][2] = 5; }), HasSubstr("\"feature\""));
  EXPECT_THAT(message_after([](Json& e) { e["deviation"][0] = -1.0; }), HasSubstr("deviation"));
  EXPECT_THAT(message_after([](Json& e) { e["path"]["lambda1"] = {1.0, 1.0, 0.5}; }), HasSubstr("lambda1"));
  EXPECT_THAT(message_after([](Json& e) { e["path"]["passes"] = {1.0}; }), HasSubstr("passes"));
  EXPECT_THAT(message_after([](Json& e) { e["path"]["status"][0] = "fine"; }), HasSubstr("status"));
  EXPECT_THAT(message_after([](Json& e) { e["path"]["lines"][0]["points"] = {0, 0, 2}; }), HasSubstr("points"));
  EXPECT_THAT(message_after([](Json& e) { e["path"]["lines"][0]["points"][2] = 3; }), HasSubstr("points"));
  EXPECT_THAT(message_after([](Json& e) { e["path"]["lines"][0]["output"] = 1; }), HasSubstr("output"));
  EXPECT_THAT(message_after([](Json& e) { e["correlations"]["values"][0] = 1.5; }), HasSubstr("values"));
  EXPECT_THAT(message_after([](Json& e) { e["correlations"]["values"].erase(0); }), HasSubstr("values"));
  EXPECT_THAT(message_after([](Json& e) { e["correlations"]["stand_ins"][0][1] = 9; }), HasSubstr("stand_ins"));
}

// Some features whose coefficients wander along a path of many points.
PathModel wandering_path(Index n_features, std::size_t n_points) {
  PathModel path;
  path.classes = {true, {"-1", "1"}};
  path.n_features = n_features;
  Random random(7);
  std::vector<double> w(static_cast<std::size_t>(n_features), 0.0);
  for (std::size_t p = 0; p < n_points; ++p) {
    PathPoint point;
    point.lambda1 = std::pow(0.9, static_cast<double>(p));
    point.intercept = {0.0};
    for (Index j = 0; j < n_features; ++j) {
      if (p < static_cast<std::size_t>(j)) continue;  // feature j comes in at point j
      w[static_cast<std::size_t>(j)] += 0.1 * random.normal();
      point.features.push_back(j);
      point.coefficients.push_back(w[static_cast<std::size_t>(j)]);
    }
    point.report = FitReport{};
    path.points.push_back(std::move(point));
  }
  return path;
}

TEST(PathPicture, IsNotFarFromThePath) {
  const PathModel path = wandering_path(30, 60);
  const PathPicture picture = picture_of(path, {}, {});
  ASSERT_EQ(picture.lines.size(), 30U);
  EXPECT_EQ(picture.n_features, 30);
  EXPECT_FALSE(picture.scaled);
  double largest = 0.0;
  for (const PathPoint& point : path.points) {
    for (const double w : point.coefficients) largest = std::max(largest, std::abs(w));
  }
  for (const EffectLine& line : picture.lines) {
    for (std::size_t b = 0; b + 1 < line.points.size(); ++b) {
      for (Index p = line.points[b]; p <= line.points[b + 1]; ++p) {
        const double share = static_cast<double>(p - line.points[b]) / (line.points[b + 1] - line.points[b]);
        const double drawn = line.effects[b] + share * (line.effects[b + 1] - line.effects[b]);
        const PathPoint& point = path.points[static_cast<std::size_t>(p)];
        const double real = p < line.feature ? 0.0 : point.coefficients[static_cast<std::size_t>(line.feature)];
        EXPECT_NEAR(drawn, real, 1.1e-3 * largest) << "feature " << line.feature << ", point " << p;
      }
    }
  }
}

TEST(PathPicture, LeavesOutPointsOnAStraightLine) {
  PathModel path = wandering_path(1, 20);
  for (std::size_t p = 0; p < 20; ++p) path.points[p].coefficients = {0.5 * static_cast<double>(p)};
  const PathPicture picture = picture_of(path, {2.0}, {});
  ASSERT_EQ(picture.lines.size(), 1U);
  EXPECT_THAT(picture.lines[0].points, ElementsAre(0, 19));
  EXPECT_THAT(picture.lines[0].effects, ElementsAre(0.0, 19.0));  // times the standard deviation
  EXPECT_TRUE(picture.scaled);
}

TEST(PathPicture, KeepsTheStrongestAndThoseThatMustComeFirst) {
  PathModel path = wandering_path(150, 2);
  for (PathPoint& point : path.points) {
    point.features.clear();
    point.coefficients.clear();
    for (Index j = 0; j < 150; ++j) {
      point.features.push_back(j);
      point.coefficients.push_back(1.0 + j);
    }
  }
  const PathPicture picture = picture_of(path, {}, {3});
  ASSERT_EQ(picture.lines.size(), 100U);
  EXPECT_EQ(picture.lines[0].feature, 3);    // must come first, weak as it is
  EXPECT_EQ(picture.lines[1].feature, 149);  // then by strength
  EXPECT_EQ(picture.lines[99].feature, 51);
  EXPECT_EQ(picture.n_features, 150);
}

TEST(Evidence, KnowsDeviationsOfItsFeaturesOnly) {
  const Evidence evidence = test::example_evidence();
  EXPECT_EQ(evidence.deviation_of(2), 2.0);
  EXPECT_EQ(evidence.deviation_of(1), 0.0);
  EXPECT_EQ(evidence.deviation_of(4), 0.0);
}

}  // namespace
}  // namespace hsvm
