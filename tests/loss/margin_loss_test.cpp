#include "hsvm/loss/margin_loss.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/reference.hpp"

namespace hsvm {
namespace {

class HuberizedHingeOf : public testing::TestWithParam<double> {
 protected:
  [[nodiscard]] MarginLoss loss() const { return {GetParam()}; }
  // Margins on all three parts, on the kinks and on both sides of each.
  [[nodiscard]] std::vector<double> margins() const {
    const double delta = GetParam();
    std::vector<double> result;
    for (const double kink : {1.0, 1.0 - delta}) {
      for (const double step : {0.0, 1e-12, 1e-6, 1e-3, 0.2, 0.7, 3.0, 50.0}) {
        result.push_back(kink - step * delta);
        result.push_back(kink + step * delta);
      }
    }
    result.push_back(1.0 - 0.5 * delta);
    result.push_back(0.0);
    return result;
  }
};

TEST_P(HuberizedHingeOf, IsThePaperFormula) {
  for (const double t : margins()) {
    EXPECT_NEAR(loss().value(t), test::reference_phi(t, GetParam()), 1e-15 * (1.0 + std::abs(t))) << t;
    EXPECT_GE(loss().value(t), 0.0);
  }
  EXPECT_EQ(loss().value(1.0), 0.0);
  EXPECT_EQ(loss().value(5.0), 0.0);
  EXPECT_NEAR(loss().value(1.0 - GetParam()), GetParam() / 2.0, 1e-15 * GetParam());
}

TEST_P(HuberizedHingeOf, DerivativeMatchesDifferencesOnBothSidesOfEachKink) {
  const double delta = GetParam();
  const double h = 1e-6 * delta;
  for (const double t : margins()) {
    const double forward = (loss().value(t + h) - loss().value(t)) / h;
    const double backward = (loss().value(t) - loss().value(t - h)) / h;
    // The slope changes by at most h/delta over a step.
    const double error = 1.01e-6 + 4e-16 * (1.0 + std::abs(t)) / h;
    EXPECT_NEAR(loss().derivative(t), forward, error) << t;
    EXPECT_NEAR(loss().derivative(t), backward, error) << t;
  }
}

TEST_P(HuberizedHingeOf, IsContinuousAndSmoothAtTheKinks) {
  const double delta = GetParam();
  for (const double kink : {1.0, 1.0 - delta}) {
    const double step = 1e-9 * delta;
    EXPECT_NEAR(loss().value(kink + step), loss().value(kink - step), 2.1 * step);
    EXPECT_NEAR(loss().derivative(kink + step), loss().derivative(kink - step), 1e-6);
  }
  EXPECT_EQ(loss().derivative(1.0), 0.0);
  EXPECT_NEAR(loss().derivative(1.0 - delta), -1.0, 1e-14);
  EXPECT_EQ(loss().derivative(1.0 - 2.0 * delta), -1.0);
}

TEST_P(HuberizedHingeOf, IsConvexWithTheCurvatureItSays) {
  for (const double t : margins()) {
    for (const double u : margins()) {
      const double middle = 0.5 * (t + u);
      const double rounding = 1e-14 * (1.0 + std::abs(t) + std::abs(u));
      EXPECT_LE(loss().value(middle), 0.5 * (loss().value(t) + loss().value(u)) + rounding);
      const double change = loss().derivative(t) - loss().derivative(u);
      EXPECT_GE(change * (t - u), 0.0);
      EXPECT_LE(std::abs(change), loss().curvature() * std::abs(t - u) + 1e-14);
    }
  }
}

TEST_P(HuberizedHingeOf, IsTheLargestOfItsLinearBounds) {
  const double delta = GetParam();
  const auto bound = [delta](double a, double t) { return a * (1.0 - t) - delta * a * a / 2.0; };
  for (const double t : margins()) {
    const double best = loss().dual(t);
    EXPECT_GE(best, 0.0);
    EXPECT_LE(best, 1.0);
    EXPECT_EQ(best, -loss().derivative(t));
    const double rounding = 1e-14 * (1.0 + std::abs(t) + delta);
    EXPECT_NEAR(loss().value(t), bound(best, t), rounding);
    for (int k = 0; k <= 100; ++k) EXPECT_LE(bound(k / 100.0, t), loss().value(t) + rounding);
  }
}

TEST_P(HuberizedHingeOf, DivergenceIsItsDefinition) {
  const double delta = GetParam();
  for (const double t : margins()) {
    for (const double t0 : margins()) {
      const double direct = loss().value(t) - loss().value(t0) - loss().derivative(t0) * (t - t0);
      const double rounding = 1e-14 * (1.0 + std::abs(t) + std::abs(t0));
      const double divergence = loss().divergence(t, t0);
      EXPECT_NEAR(divergence, direct, rounding) << t << " from " << t0;
      EXPECT_GE(divergence, 0.0) << t << " from " << t0;
      // The margins are rounded to 1e-16, so a step between two of them is that uncertain.
      const double step = std::abs(t - t0) + 1e-15 * (1.0 + std::abs(t));
      EXPECT_LE(divergence, step * step / (2.0 * delta)) << t << " from " << t0;
    }
    EXPECT_EQ(loss().divergence(t, t), 0.0);
  }
}

TEST_P(HuberizedHingeOf, DivergenceKeepsItsDigitsWhereTheFormulaCancels) {
  const double delta = GetParam();
  const double t0 = 1.0 - 0.5 * delta;
  const double step = 1e-7 * delta;
  const double actual_step = (t0 + step) - t0;
  EXPECT_NEAR(loss().divergence(t0 + step, t0) / (actual_step * actual_step / (2.0 * delta)), 1.0, 1e-6);
}

TEST(SquaredHinge, IsHalfTheSquareBelowOne) {
  const MarginLoss loss = squared_hinge();
  for (const double t : {1.0, 1.5, 1e10}) {
    EXPECT_EQ(loss.value(t), 0.0);
    EXPECT_EQ(loss.derivative(t), 0.0);
  }
  for (const double t : {0.999, 0.5, 0.0, -1.0, -7.0, -1e10}) {
    EXPECT_DOUBLE_EQ(loss.value(t), 0.5 * (1.0 - t) * (1.0 - t)) << t;
    EXPECT_DOUBLE_EQ(loss.derivative(t), t - 1.0) << t;
    EXPECT_GT(t, loss.elbow_begin());  // it has curvature wherever it has a loss
  }
}

TEST(SquaredHinge, IsTheLargestOfItsDualBoundsWithoutALimit) {
  const MarginLoss loss = squared_hinge();
  for (const double t : {2.0, 1.0, 0.3, -4.0, -50.0}) {
    EXPECT_EQ(loss.dual(t), std::max(0.0, 1.0 - t));
    for (const double a : {0.0, 0.5, 1.0, 5.0, 51.0, 100.0})
      EXPECT_LE(a * (1.0 - t) - 0.5 * a * a, loss.value(t) + 1e-12 * (1.0 + std::abs(t))) << a << " at " << t;
  }
}

TEST(SquaredHinge, DivergenceIsItsDefinition) {
  const MarginLoss loss = squared_hinge();
  for (const double t : {2.0, 1.0, 0.9, -3.0}) {
    for (const double t0 : {3.0, 1.0, 0.2, -8.0})
      EXPECT_NEAR(loss.divergence(t, t0), loss.value(t) - loss.value(t0) - loss.derivative(t0) * (t - t0),
                  1e-12);
  }
}

TEST(Losses, HaveNames) {
  EXPECT_EQ(to_string(Loss::huberized), "huberized");
  EXPECT_EQ(to_string(Loss::squared_hinge), "squared-hinge");
  EXPECT_EQ(margin_loss(Loss::huberized, 0.3), huberized_hinge(0.3));
  EXPECT_EQ(margin_loss(Loss::squared_hinge, 0.3), squared_hinge());
}

INSTANTIATE_TEST_SUITE_P(Deltas, HuberizedHingeOf, testing::Values(0.01, 0.5, 1.0, 2.0, 10.0));

}  // namespace
}  // namespace hsvm
