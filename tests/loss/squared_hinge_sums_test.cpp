// The sums over samples with a loss whose dual variables have no upper bound, against plain loops over single margins.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hsvm/core/random.hpp"
#include "hsvm/loss/class_sums.hpp"
#include "hsvm/loss/margin_sums.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

constexpr double kClose = 1e-12;

TEST(SquaredHingeSums, OfMarginsAreThoseOfSingleOnes) {
  const MarginLoss loss = squared_hinge();
  for (const std::size_t n : {1U, 4U, 7U, 66U}) {
    const std::vector<double> z = test::random_vector(n, n, 3.0);
    const std::vector<double> dz = test::random_vector(n + 1, n);
    std::vector<double> y, s;
    for (std::size_t i = 0; i < n; ++i) {
      y.push_back(i % 3 == 0 ? 1.0 : -1.0);
      s.push_back(0.1 * static_cast<double>(i % 5));
    }
    double losses = 0.0, linear = 0.0, square = 0.0, slope = 0.0, curvature = 0.0, in_elbow = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double a = std::max(0.0, 1.0 - y[i] * z[i]);
      losses += s[i] * 0.5 * a * a;
      linear += s[i] * a;
      square += s[i] * a * a;
      const double ahead = std::max(0.0, 1.0 - y[i] * (z[i] + 0.7 * dz[i]));
      slope -= s[i] * ahead * y[i] * dz[i];
      if (ahead > 0.0) curvature += s[i] * dz[i] * dz[i];
      if (1.0 - y[i] * (z[i] - 0.2) > 0.0) in_elbow += s[i];
    }
    EXPECT_NEAR(sum_losses(loss, {y, s}, z), losses, kClose * (1.0 + losses));
    std::vector<double> r(z.size());
    const GradientSums sums = loss_gradient(loss, {y, s}, z, 1.0, r);
    EXPECT_NEAR(sums.losses, losses, kClose * (1.0 + losses));
    EXPECT_NEAR(sums.duals.linear, linear, kClose * (1.0 + linear));
    EXPECT_NEAR(sums.duals.square, square, kClose * (1.0 + square));
    EXPECT_NEAR(sum_along_line(loss, {y, s}, z, dz, 0.7).slope, slope, kClose * (1.0 + linear));
    EXPECT_NEAR(sum_along_line(loss, {y, s}, z, dz, 0.7).curvature, curvature, kClose * (1.0 + curvature));
    EXPECT_NEAR(sum_for_intercept(loss, {y, s}, z, -0.2).in_elbow, in_elbow, kClose);
  }
}

TEST(SquaredHingeSums, OfClassesAreThoseOfSingleScores) {
  const MarginLoss loss = squared_hinge();
  Random random(7);
  for (const Index n_classes : {2, 3, 5, 9}) {
    constexpr Index kRows = 11;
    ClassMatrix z(kRows, n_classes);
    ClassMatrix dz(kRows, n_classes);
    std::vector<Index> y;
    std::vector<double> s;
    double losses = 0.0, linear = 0.0, slope = 0.0, curvature = 0.0;
    for (Index i = 0; i < kRows; ++i) {
      y.push_back(static_cast<Index>(random.below(static_cast<std::uint64_t>(n_classes))));
      s.push_back(random.uniform());
      for (Index k = 0; k < n_classes; ++k) {
        z.row(i)[static_cast<std::size_t>(k)] = 3.0 * random.normal();
        dz.row(i)[static_cast<std::size_t>(k)] = random.normal();
        if (k == y.back()) continue;
        const double score = z.row(i)[static_cast<std::size_t>(k)];
        const double change = dz.row(i)[static_cast<std::size_t>(k)];
        losses += s.back() * loss.value(-score);
        linear += s.back() * loss.dual(-score);
        slope += s.back() * loss.dual(-(score + 0.5 * change)) * change;
        if (loss.dual(-(score + 0.5 * change)) > 0.0) curvature += s.back() * change * change;
      }
    }
    const ClassSamples samples{y, s};
    EXPECT_NEAR(sum_losses(loss, samples, z), losses, kClose * (1.0 + losses));
    ClassMatrix r;
    const ClassGradientSums sums = loss_gradient(loss, samples, z, 0.5, r);
    EXPECT_NEAR(sums.losses, losses, kClose * (1.0 + losses));
    EXPECT_NEAR(sums.duals.linear, linear, kClose * (1.0 + linear));
    EXPECT_NEAR(sum_along_line(loss, samples, z, dz, 0.5).slope, slope, kClose * (1.0 + linear));
    EXPECT_NEAR(sum_along_line(loss, samples, z, dz, 0.5).curvature, curvature, kClose * (1.0 + curvature));
  }
}

}  // namespace
}  // namespace hsvm
