#include "hsvm/model/predict.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

using Numbers = std::vector<double>;
using Indices = std::vector<Index>;

// score = 0.5 + 2 x_1 - x_3
LinearModel binary_model() {
  LinearModel model;
  model.classes = {true, {"-1", "1"}};
  model.n_features = 4;
  model.intercept = {0.5};
  model.features = {1, 3};
  model.coefficients = {2.0, -1.0};
  return model;
}

TEST(Predict, ScoresByHandOverEveryDesign) {
  const DenseMatrix<double> x = test::matrix({{9, 1, 9, 0}, {9, 0, 9, 1}, {9, 0, 9, 0.5}, {9, -1, 9, 4}});
  for (const SharedDesign& design :
       {SharedDesign(x), SharedDesign(test::to_dense<float>(x)), SharedDesign(test::to_csc<double>(x)),
        SharedDesign(test::to_csc<float>(x))}) {
    const Prediction prediction = predict(binary_model(), design);
    EXPECT_EQ(prediction.n_outputs, 1);
    EXPECT_EQ(prediction.scores, (Numbers{2.5, -0.5, 0.0, -5.5}));
    EXPECT_EQ(prediction.classes, (Indices{1, 0, 0, 0}));  // a tie at 0 is not positive
  }
}

TEST(Predict, FeaturesTheDataLacksCountAsZero) {
  EXPECT_EQ(predict(binary_model(), test::matrix({{9, 1, 9}})).scores, Numbers{2.5});
  EXPECT_EQ(predict(binary_model(), test::matrix({{9, 1}})).scores, Numbers{2.5});
  EXPECT_EQ(predict(binary_model(), test::matrix({{9}})).scores, Numbers{0.5});
  EXPECT_EQ(predict(binary_model(), DenseMatrix<double>(2, 0)).scores, (Numbers{0.5, 0.5}));
  EXPECT_EQ(predict(binary_model(), test::to_csc<float>(test::matrix({{9, 1}}))).scores, Numbers{2.5});
}

TEST(Predict, FeaturesTheModelLacksAreIgnored) {
  EXPECT_EQ(predict(binary_model(), test::matrix({{9, 1, 9, 0, 7, 7, 7}})).scores, Numbers{2.5});
}

TEST(Predict, NoSamplesNoPredictions) {
  const Prediction prediction = predict(binary_model(), DenseMatrix<double>(0, 4));
  EXPECT_TRUE(prediction.scores.empty());
  EXPECT_TRUE(prediction.classes.empty());
}

TEST(Predict, AnEmptyModelIsItsIntercept) {
  LinearModel model = binary_model();
  model.features.clear();
  model.coefficients.clear();
  EXPECT_EQ(predict(model, test::matrix({{1, 2, 3, 4}})).classes, Indices{1});
  model.intercept = {0.0};
  EXPECT_EQ(predict(model, test::matrix({{1, 2, 3, 4}})).classes, Indices{0});
}

TEST(Predict, TheLargestOfSeveralScoresWins) {
  LinearModel model;
  model.kind = ModelKind::multiclass;
  model.classes = {false, {"a", "b", "c"}};
  model.n_features = 2;
  model.intercept = {0.0, 0.5, -0.5};
  model.features = {0, 1};
  model.coefficients = {1, -1, 0,   // x_0
                        0, 0,  2};  // x_1
  const Prediction prediction = predict(model, test::matrix({{1, 0}, {-1, 0}, {0, 1}, {0.25, 0}}));
  EXPECT_EQ(prediction.n_outputs, 3);
  EXPECT_EQ(prediction.scores, (Numbers{1, -0.5, -0.5, -1, 1.5, -0.5, 0, 0.5, 1.5, 0.25, 0.25, -0.5}));
  EXPECT_EQ(prediction.classes, (Indices{0, 1, 2, 0}));  // of equal scores the first
}

TEST(LinearModel, NamesFeaturesThatHaveNone) {
  LinearModel model = binary_model();
  EXPECT_EQ(model.feature_name(0), "x1");
  EXPECT_EQ(model.feature_name(3), "x4");
  model.feature_names = {"a", "b", "c", "d"};
  EXPECT_EQ(model.feature_name(3), "d");
}

}  // namespace
}  // namespace hsvm
