#include "hsvm/model/path_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hsvm/core/error.hpp"
#include "tests/model/path_example.hpp"

namespace hsvm {
namespace {

using Numbers = std::vector<double>;
using Indices = std::vector<Index>;
using test::example_path;

TEST(PathModel, GivesItsPointsExactlyWithTheirReports) {
  for (const ModelKind kind : {ModelKind::binary, ModelKind::multiclass}) {
    const PathModel path = example_path(kind);
    for (const PathPoint& point : path.points) {
      for (const double lambda1 :
           {point.lambda1, point.lambda1 * (1.0 + 5e-13), point.lambda1 * (1.0 - 5e-13)}) {
        const LinearModel model = at(path, lambda1);
        EXPECT_EQ(model.kind, kind);
        EXPECT_EQ(model.classes, path.classes);
        EXPECT_EQ(model.n_features, 5);
        EXPECT_EQ(model.delta, 0.1);
        EXPECT_EQ(model.lambda1, point.lambda1);
        EXPECT_EQ(model.lambda2, point.lambda2);
        EXPECT_EQ(model.lambda3, point.lambda3);
        EXPECT_EQ(model.intercept, point.intercept);
        EXPECT_EQ(model.features, point.features);
        EXPECT_EQ(model.coefficients, point.coefficients);
        ASSERT_TRUE(model.report.has_value());
        EXPECT_EQ(model.report->objective, point.report->objective);
        EXPECT_EQ(model.report->status, point.report->status);
      }
    }
  }
}

TEST(PathModel, InterpolatesBetweenTwoPoints) {
  const LinearModel model = at(example_path(), 0.4375);  // 3/4 of the way from 0.25 to 0.5
  EXPECT_EQ(model.lambda1, 0.4375);
  EXPECT_DOUBLE_EQ(model.lambda2, 0.5 * 0.4375);
  EXPECT_DOUBLE_EQ(model.lambda3, 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(model.intercept[0], 0.75 * 0.0 + 0.25 * 0.25);
  EXPECT_EQ(model.features, (Indices{0, 2}));
  EXPECT_DOUBLE_EQ(model.coefficients[0], 0.25 * -2.0);
  EXPECT_DOUBLE_EQ(model.coefficients[1], 0.75 * 1.0 + 0.25 * 3.0);
  EXPECT_FALSE(model.report.has_value());
}

TEST(PathModel, InterpolatesAllClasses) {
  const LinearModel model = at(example_path(ModelKind::multiclass), 0.4375);
  EXPECT_EQ(model.features, (Indices{0, 2}));
  EXPECT_EQ(model.coefficients, (Numbers{-0.5, 0.5, 0.0, 1.5, -1.5, 0.0}));
  ASSERT_EQ(model.intercept.size(), 3U);
  EXPECT_NEAR(model.intercept[0] + model.intercept[1] + model.intercept[2], 0.0, 1e-15);
}

TEST(PathModel, LeavesOutWhatCancels) {
  // Feature 0 goes from -2 to 2 between 0.25 and 0.125.
  const LinearModel model = at(example_path(), 0.1875);
  EXPECT_EQ(model.features, (Indices{2, 4}));
  EXPECT_EQ(at(example_path(ModelKind::multiclass), 0.1875).coefficients.size(), 6U);
}

TEST(PathModel, IsContinuousAtItsPoints) {
  const PathModel path = example_path();
  const LinearModel above = at(path, 0.25 * (1.0 + 1e-9));
  const LinearModel below = at(path, 0.25 * (1.0 - 1e-9));
  EXPECT_NEAR(above.intercept[0], 0.25, 1e-8);
  EXPECT_NEAR(below.intercept[0], 0.25, 1e-8);
  EXPECT_NEAR(above.coefficients[1], 3.0, 1e-7);
  EXPECT_NEAR(below.coefficients[1], 3.0, 1e-7);
}

std::string refusal(const PathModel& path, double lambda1) {
  try {
    static_cast<void>(at(path, lambda1));
  } catch (const OptionError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(PathModel, IsEmptyFromLambda1MaxOn) {
  const PathModel path = example_path();
  for (const double lambda1 : {1.0, 1.5, 1e300}) {
    const LinearModel model = at(path, lambda1);
    EXPECT_TRUE(model.features.empty());
    EXPECT_EQ(model.lambda1, 1.0);
    EXPECT_EQ(model.intercept, Numbers{-0.5});
  }
}

TEST(PathModel, RefusesWhatIsOutside) {
  PathModel path = example_path();
  EXPECT_EQ(refusal(path, 0.1), "lambda1 0.1: the path runs from 0.125 to 1");
  EXPECT_EQ(refusal(path, 0.0), "lambda1 0: the path runs from 0.125 to 1");
  EXPECT_EQ(refusal(path, -1.0), "lambda1 -1: the path runs from 0.125 to 1");
  EXPECT_NE(refusal(path, std::nan("")), "accepted");
  EXPECT_NE(refusal(path, std::numeric_limits<double>::infinity()), "accepted");
  // A path that begins below lambda1_max does not know the models above.
  path.lambda1_max = 2.0;
  EXPECT_EQ(refusal(path, 1.5), "lambda1 1.5: the path runs from 0.125 to 1");
  EXPECT_EQ(refusal(path, 3.0), "lambda1 3: the path runs from 0.125 to 1");
  EXPECT_EQ(refusal(path, 0.9), "accepted");
}

TEST(PathModel, OfOnePoint) {
  PathModel path = example_path();
  path.points.resize(1);
  EXPECT_EQ(refusal(path, 1.0), "accepted");
  EXPECT_EQ(refusal(path, 2.0), "accepted");
  EXPECT_EQ(refusal(path, 0.999), "lambda1 0.999: the path runs from 1 to 1");
}

TEST(PathModel, MayReachZero) {
  PathModel path = example_path();
  path.points.back().lambda1 = 0.0;
  EXPECT_EQ(at(path, 0.0).features, (Indices{0, 2, 4}));
  EXPECT_FALSE(at(path, 1e-300).report.has_value());
}

TEST(PathModel, FindsTheNearestOfClosePoints) {
  PathModel path = example_path();
  path.points[2].lambda1 = std::nextafter(0.5, 0.0);
  EXPECT_EQ(at(path, 0.5).features, Indices{2});
  EXPECT_EQ(at(path, path.points[2].lambda1).features, (Indices{0, 2}));
}

}  // namespace
}  // namespace hsvm
