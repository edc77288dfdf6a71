// Cross-validation over a grid: a point of the grid, the same for the same folds, and better than a bad one.

#include "experiments/binary/tuning.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/registry.hpp"
#include "hsvm/data/synthetic/gaussian_design.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::lab {
namespace {

class TuneFor : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  Journal journal_{folder_.path("j"), "synthetic_accuracy", {}};
  Experiment experiment_ = synthetic_accuracy();
  Lab lab_{experiment_, {.scale = Scale::smallest}, journal_};
  Dataset data_ = generate(GaussianDesign{.n = 40, .p = 12, .s = 4, .seed = 5});
};

TEST_F(TuneFor, ChoosesAPointOfTheGrid) {
  const TuningGrid grid{.folds = 4, .n_lambda1 = 3, .lambda1_min_ratio = 0.1, .lambda2s = {0.1, 10.0}};
  const double top = largest_lambda1(data_, {.lambda2 = 10.0, .lambda3 = 10.0});
  for (const Method method : {Method::newton, Method::admm}) {
    const Penalties chosen = tune_for(method, data_, grid, lab_);
    EXPECT_TRUE(chosen.lambda2 == 0.1 || chosen.lambda2 == 10.0);
    EXPECT_EQ(chosen.lambda3, chosen.lambda2);
    EXPECT_LT(chosen.lambda1, top);
    EXPECT_GE(chosen.lambda1, 0.1 * top * (1.0 - 1e-12));
    EXPECT_EQ(tune_for(method, data_, grid, lab_).lambda1, chosen.lambda1);
  }
}

TEST_F(TuneFor, TakesTheMiddleOfEquals) {
  // Four relevant features far apart: every point classifies all held-out samples, so all are equal.
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j < 4; ++j) (*data_.design.get_if<DenseMatrix<double>>())(i, j) += i % 2 == 0 ? 9.0 : -9.0;
  }
  const TuningGrid grid{.folds = 4, .n_lambda1 = 5, .lambda1_min_ratio = 0.01, .lambda2s = {0.1, 1.0}};
  const double top = largest_lambda1(data_, {.lambda2 = 1.0, .lambda3 = 1.0});
  const Penalties chosen = tune_for(Method::newton, data_, grid, lab_);
  EXPECT_EQ(chosen.lambda2, 1.0);
  EXPECT_NEAR(chosen.lambda1, top * std::pow(0.01, 3.0 / 5.0), 1e-9 * top);
}

TEST_F(TuneFor, HasACostForLiblinear) {
  if (!is_available(Method::liblinear)) GTEST_SKIP() << "no LIBLINEAR in this build";
  const TuningGrid grid{.folds = 4, .costs = {1e-6, 1.0}, .intercept = false};
  const Penalties chosen = tune_for(Method::liblinear, data_, grid, lab_);
  EXPECT_EQ(chosen.cost, 1.0) << "at 1e-6 there is no model at all";
  EXPECT_FALSE(chosen.intercept);
}

}  // namespace
}  // namespace hsvm::lab
