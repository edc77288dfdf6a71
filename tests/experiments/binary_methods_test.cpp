// The methods behind one call: those that minimise F agree on it, whatever rule stops them.

#include "experiments/binary/methods.hpp"

#include <gtest/gtest.h>

#include <string>

#include "hsvm/api.hpp"

namespace hsvm::lab {
namespace {

class BinaryMethods : public testing::Test {
 protected:
  const Dataset data_ = generate(GaussianDesign{.n = 40, .p = 15, .s = 4, .rho = 0.3, .seed = 3});
  const Penalties penalties_{.lambda1 = 0.1, .lambda2 = 0.1, .lambda3 = 0.1, .delta = 0.5};
};

TEST_F(BinaryMethods, ReachTheSameMinimum) {
  const double best = optimum(data_, penalties_);
  for (const Method method : {Method::pg, Method::pg2, Method::newton, Method::gcd}) {
    const Solved solved = solve(method, data_, penalties_, {});
    EXPECT_EQ(solved.status, "converged") << name_of(method);
    EXPECT_NEAR(solved.objective, best, 2e-6 * best) << name_of(method);
    EXPECT_GE(solved.objective, best * (1.0 - 2e-9)) << name_of(method);
  }
}

TEST_F(BinaryMethods, StopAtATarget) {
  const double best = optimum(data_, penalties_);
  const double loose = 1.05 * best;
  for (const Method method : {Method::pg, Method::pg2, Method::newton, Method::gcd}) {
    const Solved solved = solve(method, data_, penalties_, {.target = loose});
    EXPECT_EQ(solved.status, "converged") << name_of(method);
    EXPECT_LE(solved.objective, loose * (1.0 + 1e-12)) << name_of(method);
    const Solved tight = solve(method, data_, penalties_, {.target = best * (1.0 + 1e-6)});
    EXPECT_EQ(tight.status, "converged") << name_of(method);
    EXPECT_LE(tight.objective, best * (1.0 + 1.001e-6)) << name_of(method);
  }
  // Far from the minimum is where the paper's algorithm should have stopped.
  const Solved early = solve(Method::pg, data_, penalties_, {.target = loose});
  EXPECT_GT(early.objective, best * (1.0 + 1e-6));
}

TEST_F(BinaryMethods, SayWhenATargetIsNotReached) {
  const double impossible = 0.5 * optimum(data_, penalties_);
  for (const Method method : {Method::pg, Method::pg2, Method::newton, Method::gcd}) {
    const Solved solved =
        solve(method, data_, penalties_, {.limits = {.time_limit = 0.05}, .target = impossible});
    EXPECT_NE(solved.status, "converged") << name_of(method);
  }
}

TEST_F(BinaryMethods, ObjectiveIsThatOfTheFit) {
  FitOptions options{.lambda1 = 0.1, .lambda2 = 0.1, .delta = 0.5};
  const LinearModel model = fit({data_}, options);
  EXPECT_NEAR(objective(model, data_, penalties_), model.report->objective, 1e-12);
  EXPECT_DOUBLE_EQ(largest_lambda1(data_, penalties_), model.report->lambda1_max);
}

TEST_F(BinaryMethods, AccuracyIsInPercent) {
  LinearModel model = fit({data_}, {.lambda1 = 0.1, .lambda2 = 0.1});
  model.features.clear();
  model.coefficients.clear();
  model.intercept = {1.0};
  EXPECT_DOUBLE_EQ(accuracy(model, data_), 50.0) << "half of the samples are in class +1";
}

TEST_F(BinaryMethods, OthersMinimiseSomethingElse) {
  const double best = optimum(data_, penalties_);
  for (const Method method : {Method::admm, Method::liblinear}) {
    if (!is_available(method)) continue;
    EXPECT_FALSE(minimises_f(method));
    const Solved solved = solve(method, data_, penalties_, {});
    EXPECT_GT(solved.objective, best) << name_of(method);
    EXPECT_GT(accuracy(solved.model, data_), 60.0) << name_of(method);
  }
}

}  // namespace
}  // namespace hsvm::lab
