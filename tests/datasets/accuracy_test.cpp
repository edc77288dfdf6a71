#include "datasets/accuracy.hpp"

#include <gtest/gtest.h>

#include "hsvm/api.hpp"

namespace hsvm::datasets {
namespace {

TEST(Accuracy, IsInPercent) {
  const Labels truth{.classes = {true, {"1", "2", "3"}}, .of_sample = {0, 1, 1, 2}};
  EXPECT_DOUBLE_EQ(accuracy_of(std::vector<Index>{0, 1, 2, 2}, truth), 75.0);
  EXPECT_DOUBLE_EQ(accuracy_of(std::vector<Index>{0, 1, 2, 2}, truth, Score::balanced_accuracy), 250.0 / 3.0);
  const Dataset data = generate(GaussianDesign{.n = 40, .p = 15, .s = 4, .rho = 0.3, .seed = 3});
  LinearModel model = fit({data}, {.lambda1 = 0.1, .lambda2 = 0.1});
  model.features.clear();
  model.coefficients.clear();
  model.intercept = {1.0};
  EXPECT_DOUBLE_EQ(accuracy_of(model, data), 50.0) << "half of the samples are in class +1";
}

}  // namespace
}  // namespace hsvm::datasets
