#include "hsvm/loss/margin_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hsvm/core/random.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

struct Line {
  std::vector<double> y, s, z, dz;

  [[nodiscard]] Samples samples() const { return {y, s}; }
  [[nodiscard]] double loss_at(const MarginLoss& loss, double t) const {
    std::vector<double> moved = z;
    for (std::size_t i = 0; i < z.size(); ++i) moved[i] += t * dz[i];
    return sum_losses(loss, samples(), moved);
  }
};

Line random_line(std::uint64_t seed, std::size_t n) {
  Random random(seed);
  Line line;
  line.z = test::random_vector(seed, n);
  line.dz = test::random_vector(seed + 1000, n);
  for (std::size_t i = 0; i < n; ++i) {
    line.y.push_back(random.below(2) == 0 ? 1.0 : -1.0);
    line.s.push_back(random.below(5) == 0 ? 0.0 : random.uniform());
  }
  return line;
}

TEST(SumAlongLine, IsTheSlopeOfTheLosses) {
  for (const double delta : {1.0, 0.1, 0.01, 3.0}) {
    const MarginLoss loss{delta};
    for (const std::size_t n : {1U, 3U, 4U, 7U, 8U, 65U}) {
      const Line line = random_line(n, n);
      for (const double t : {0.0, 0.3, 1.0, -2.0, 7.0}) {
        const LineSums sums = sum_along_line(loss, line.samples(), line.z, line.dz, t);
        const double h = 1e-6 * delta;
        const double slope = (line.loss_at(loss, t + h) - line.loss_at(loss, t - h)) / (2.0 * h);
        double square = 0.0;
        for (std::size_t i = 0; i < n; ++i) square += line.s[i] * line.dz[i] * line.dz[i];
        // A sample on a kink bends the difference by half of what its slope changes over h.
        EXPECT_NEAR(sums.slope, slope,
                    h * square / delta + 1e-15 * (1.0 + std::abs(t)) * static_cast<double>(n) / h)
            << delta << " " << n << " " << t;
        EXPECT_GE(sums.curvature, 0.0);
        EXPECT_LE(sums.curvature, square / delta * (1.0 + 1e-14));
      }
    }
  }
}

TEST(SumAlongLine, HasTheCurvatureOfTheSlope) {
  for (const double delta : {1.0, 0.1, 3.0}) {
    const MarginLoss loss{delta};
    for (const std::size_t n : {1U, 5U, 40U}) {
      const Line line = random_line(20 + n, n);
      for (const double t : {0.0, 0.37, 1.0}) {
        const double h = 1e-9;  // no sample is so close to a kink
        const double ahead = sum_along_line(loss, line.samples(), line.z, line.dz, t + h).slope;
        const double behind = sum_along_line(loss, line.samples(), line.z, line.dz, t - h).slope;
        const LineSums sums = sum_along_line(loss, line.samples(), line.z, line.dz, t);
        EXPECT_NEAR(sums.curvature, (ahead - behind) / (2.0 * h), 1e-4 * (1.0 + sums.curvature));
      }
    }
  }
}

TEST(SumAlongLine, IsZeroWithoutADirectionOrALoss) {
  const MarginLoss loss{0.5};
  Line line = random_line(3, 9);
  const std::vector<double> still(9, 0.0);
  const LineSums none = sum_along_line(loss, line.samples(), line.z, still, 2.0);
  EXPECT_EQ(none.slope, 0.0);
  EXPECT_EQ(none.curvature, 0.0);
  for (std::size_t i = 0; i < 9; ++i) line.z[i] = 100.0 * line.y[i];
  const LineSums far = sum_along_line(loss, line.samples(), line.z, line.dz, 1.0);
  EXPECT_EQ(far.slope, 0.0);
  EXPECT_EQ(far.curvature, 0.0);
}

// At the constant model all margins of a class are equal: such sums must not round to one side term by term.
TEST(SumLosses, OfEqualTermsIsExactButForAFewRoundings) {
  constexpr std::size_t n = 100'003;
  const std::vector<double> y(n, 1.0);
  const std::vector<double> s(n, 1.0);
  for (const double z : {0.1, 0.3, 0.683, -0.7}) {
    const std::vector<double> scores(n, z);
    const MarginLoss loss = huberized_hinge(1.0);
    const double exact = static_cast<double>(n) * loss.value(z);
    EXPECT_NEAR(sum_losses(loss, {y, s}, scores), exact, 1e-14 * exact) << z;
    const double duals = static_cast<double>(n) * loss.dual(z);
    std::vector<double> r(n);
    const GradientSums sums = loss_gradient(loss, {y, s}, scores, 1.0, r);
    EXPECT_NEAR(sums.duals.linear, duals, 1e-14 * duals) << z;
    EXPECT_NEAR(sums.losses, exact, 1e-14 * exact) << z;
  }
}

TEST(MarkCurved, FindsTheElbowAndWhatWasCrossed) {
  const Line line = random_line(7, 5000);
  std::vector<char> crossed(line.z.size(), 0);
  for (std::size_t i = 0; i < crossed.size(); i += 7) crossed[i] = 1;
  std::vector<char> curved(line.z.size());
  const Count count = mark_curved(line.samples(), line.z, 0.25, crossed, curved);
  Index expected = 0;
  for (std::size_t i = 0; i < curved.size(); ++i) {
    const double t = line.y[i] * line.z[i];
    const bool is_curved = crossed[i] != 0 || (line.s[i] > 0.0 && t > 0.25 && t < 1.0);
    EXPECT_EQ(curved[i] != 0, is_curved) << i;
    expected += is_curved ? 1 : 0;
  }
  EXPECT_EQ(count, expected);
}

}  // namespace
}  // namespace hsvm
