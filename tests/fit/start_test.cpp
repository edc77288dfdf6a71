// A fit that begins at a model ends at the same solution, sooner.
#include <gtest/gtest.h>

#include "hsvm/api.hpp"

namespace hsvm {
namespace {

class FitStart : public testing::TestWithParam<bool> {
 protected:
  static Dataset data() {
    return GetParam() ? generate(FourClassDesign{.n = 60, .p = 40, .s = 6, .rho = 0.5, .seed = 2})
                      : generate(GaussianDesign{.n = 60, .p = 40, .s = 4, .rho = 0.5, .seed = 2});
  }
};

TEST_P(FitStart, AtTheSolutionThereIsLittleToDo) {
  const Dataset data = FitStart::data();
  for (const bool standardize : {false, true}) {
    for (const Solver solver : {Solver::newton, Solver::pg}) {
      FitOptions options{.lambda2 = 0.1, .standardize = standardize, .solver = solver, .tolerance = 1e-9};
      const LinearModel cold = fit({.data = data}, options);
      const LinearModel warm = fit({.data = data, .start = &cold}, options);
      EXPECT_EQ(warm.report->status, Status::converged);
      // Newton's method improves any start (its features may be those of another problem); the other stops at once.
      if (solver == Solver::pg) {
        EXPECT_LT(warm.report->iterations, cold.report->iterations / 2);
      }
      EXPECT_EQ(warm.report->lambda1_max, cold.report->lambda1_max);
      EXPECT_NEAR(warm.report->objective, cold.report->objective, 1e-8);
      EXPECT_EQ(warm.features, cold.features);
    }
  }
}

TEST_P(FitStart, FarAwayTheSolutionIsTheSame) {
  const Dataset data = FitStart::data();
  FitOptions options{.lambda1_ratio = 0.05, .lambda2 = 0.1, .tolerance = 1e-9};
  const LinearModel wanted = fit({.data = data}, options);
  options.lambda1_ratio = 0.5;
  const LinearModel start = fit({.data = data}, options);
  options.lambda1_ratio = 0.05;
  const LinearModel warm = fit({.data = data, .start = &start}, options);
  EXPECT_EQ(warm.report->status, Status::converged);
  EXPECT_NEAR(warm.report->objective, wanted.report->objective, 1e-8);
}

TEST_P(FitStart, AnotherShapeIsRefused) {
  const Dataset data = FitStart::data();
  LinearModel start = fit({.data = data}, {});
  start.n_features = 7;
  EXPECT_THROW((void)fit({.data = data, .start = &start}, {}), InputError);
}

INSTANTIATE_TEST_SUITE_P(TwoAndFourClasses, FitStart, testing::Bool());

}  // namespace
}  // namespace hsvm
