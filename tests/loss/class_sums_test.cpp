#include "hsvm/loss/class_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hsvm/core/random.hpp"

namespace hsvm {
namespace {

struct ClassLine {
  std::vector<Index> y;
  std::vector<double> s;
  ClassMatrix z, dz;

  [[nodiscard]] ClassSamples samples() const { return {y, s}; }
  [[nodiscard]] ClassMatrix at(double t) const {
    ClassMatrix moved = z;
    for (std::size_t k = 0; k < moved.values().size(); ++k) moved.values()[k] += t * dz.values()[k];
    return moved;
  }
  // sum over the wrong classes of s dz^2
  [[nodiscard]] double square() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(z.n_classes()); ++k) {
        if (static_cast<std::size_t>(y[i]) == k) continue;
        const double d = dz.row(static_cast<Index>(i))[k];
        sum += s[i] * d * d;
      }
    }
    return sum;
  }
};

ClassLine random_class_line(std::uint64_t seed, Index n, Index n_classes) {
  Random random(seed);
  ClassLine line;
  line.z.reset(n, n_classes);
  line.dz.reset(n, n_classes);
  for (Index i = 0; i < n; ++i) {
    line.y.push_back(static_cast<Index>(random.below(static_cast<std::uint64_t>(n_classes))));
    line.s.push_back(random.below(5) == 0 ? 0.0 : random.uniform());
    for (double& value : line.z.row(i)) value = random.normal();
    for (double& value : line.dz.row(i)) value = random.normal();
  }
  return line;
}

TEST(ClassSumAlongLine, IsTheSlopeOfTheLosses) {
  for (const double delta : {1.0, 0.1, 0.01, 3.0}) {
    const MarginLoss loss{delta};
    for (const Index n_classes : {2, 3, 4, 5, 8, 9}) {
      for (const Index n : {1, 6, 33}) {
        const ClassLine line = random_class_line(static_cast<std::uint64_t>(10 * n + n_classes), n, n_classes);
        for (const double t : {0.0, 0.4, 1.0, -2.0}) {
          const LineSums sums = sum_along_line(loss, line.samples(), line.z, line.dz, t);
          const double h = 1e-6 * delta;
          const double slope = (sum_losses(loss, line.samples(), line.at(t + h)) -
                                sum_losses(loss, line.samples(), line.at(t - h))) /
                               (2.0 * h);
          EXPECT_NEAR(sums.slope, slope, h * line.square() / delta + 1e-15 * n * n_classes * 4.0 / h)
              << delta << " " << n_classes << " " << n << " " << t;
          EXPECT_LE(sums.curvature, line.square() / delta * (1.0 + 1e-14));
        }
      }
    }
  }
}

TEST(ClassSumAlongLine, HasTheCurvatureOfTheSlope) {
  for (const double delta : {1.0, 0.1, 3.0}) {
    const MarginLoss loss{delta};
    for (const Index n_classes : {2, 3, 4, 7}) {
      const ClassLine line = random_class_line(static_cast<std::uint64_t>(n_classes), 25, n_classes);
      for (const double t : {0.0, 0.37, 1.0}) {
        const double h = 1e-9;  // no score is so close to a kink
        const double ahead = sum_along_line(loss, line.samples(), line.z, line.dz, t + h).slope;
        const double behind = sum_along_line(loss, line.samples(), line.z, line.dz, t - h).slope;
        const LineSums sums = sum_along_line(loss, line.samples(), line.z, line.dz, t);
        EXPECT_NEAR(sums.curvature, (ahead - behind) / (2.0 * h), 1e-4 * (1.0 + sums.curvature));
      }
    }
  }
}

TEST(ClassSumAlongLine, LeavesTheRightClassOut) {
  const MarginLoss loss{0.5};
  ClassLine line = random_class_line(3, 12, 4);
  const LineSums before = sum_along_line(loss, line.samples(), line.z, line.dz, 0.7);
  for (Index i = 0; i < 12; ++i)
    line.dz.row(i)[static_cast<std::size_t>(line.y[static_cast<std::size_t>(i)])] = 99.0;
  const LineSums after = sum_along_line(loss, line.samples(), line.z, line.dz, 0.7);
  EXPECT_EQ(after.slope, before.slope);
  EXPECT_EQ(after.curvature, before.curvature);
}

}  // namespace
}  // namespace hsvm
