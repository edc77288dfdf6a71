#include "hsvm/model/data_scale.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "hsvm/data/standardized_view.hpp"
#include "hsvm/model/predict.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

LinearModel model_of(std::vector<double> intercept, std::vector<Index> features,
                     std::vector<double> coefficients) {
  LinearModel model;
  model.kind = intercept.size() > 1 ? ModelKind::multiclass : ModelKind::binary;
  model.classes = intercept.size() > 1 ? Classes{true, {"1", "2", "3"}} : Classes{true, {"1", "2"}};
  model.n_features = 4;
  model.intercept = std::move(intercept);
  model.features = std::move(features);
  model.coefficients = std::move(coefficients);
  return model;
}

const Standardization kStandardization{{1.0, -2.0, 8.0, 0.0}, {0.5, 4.0, 0.25, 0.0}};

TEST(DataScale, ByHand) {
  // 3 + 2 * 0.5 (x_0 - 1) - 8 * 0.25 (x_2 - 8) = 18 + x_0 - 2 x_2
  LinearModel model = model_of({3.0}, {0, 2}, {2.0, -8.0});
  to_data_scale(kStandardization, model);
  EXPECT_EQ(model.intercept, std::vector<double>{18.0});
  EXPECT_EQ(model.coefficients, (std::vector<double>{1.0, -2.0}));
  EXPECT_EQ(model.features, (std::vector<Index>{0, 2}));
}

TEST(DataScale, WithoutAStandardizationNothingChanges) {
  LinearModel model = model_of({3.0}, {0, 2}, {2.0, -8.0});
  to_data_scale({}, model);
  EXPECT_EQ(model.intercept, std::vector<double>{3.0});
  EXPECT_EQ(model.coefficients, (std::vector<double>{2.0, -8.0}));
}

TEST(DataScale, AnEmptyModelStaysAsItIs) {
  LinearModel model = model_of({3.0}, {}, {});
  to_data_scale(kStandardization, model);
  EXPECT_EQ(model.intercept, std::vector<double>{3.0});
}

// Exact, since all numbers are dyadic.
TEST(DataScale, ScoresOnTheDataAreThoseOnStandardisedData) {
  const DenseMatrix<double> x = test::matrix({{1, 2, 3, 4}, {0, -1, 0.5, 7}, {-6, 0, 0, 0}, {0, 0, 0, 0}});
  DenseMatrix<double> z(4, 4);
  for (Index i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      z(i, static_cast<Index>(j)) =
          kStandardization.scales[j] * (x(i, static_cast<Index>(j)) - kStandardization.centers[j]);
    }
  }
  for (LinearModel model : {model_of({0.5}, {0, 1, 2}, {1.5, -0.25, 3.0}), model_of({0.5}, {1}, {2.0}),
                            model_of({1.0, -0.5, -0.5}, {0, 2}, {1.0, -1.0, 0.0, 0.5, 0.25, -0.75})}) {
    const std::vector<double> expected = predict(model, z).scores;
    to_data_scale(kStandardization, model);
    EXPECT_EQ(predict(model, x).scores, expected);
    EXPECT_EQ(predict(model, test::to_csc<double>(x)).scores, expected);
    EXPECT_EQ(predict(model, test::to_csc<float>(x)).scores, expected);
  }
}

TEST(DataScale, RowsAndInterceptsOfManyClassesStillSumToZero) {
  LinearModel model = model_of({1.0, -0.5, -0.5}, {0, 1}, {1.0, -1.0, 0.0, 0.5, 0.25, -0.75});
  to_data_scale(kStandardization, model);
  EXPECT_EQ(model.intercept[0] + model.intercept[1] + model.intercept[2], 0.0);
  EXPECT_EQ(model.coefficients[0] + model.coefficients[1] + model.coefficients[2], 0.0);
  EXPECT_EQ(model.coefficients[3] + model.coefficients[4] + model.coefficients[5], 0.0);
}

}  // namespace
}  // namespace hsvm
