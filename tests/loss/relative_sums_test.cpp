// The sums over wrong classes with relative margins, against their formulas written out.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hsvm/core/random.hpp"
#include "hsvm/loss/class_sums.hpp"

namespace hsvm {
namespace {

struct Scores {
  std::vector<Index> y;
  std::vector<double> s;
  ClassMatrix z;

  [[nodiscard]] ClassSamples samples() const { return {y, s, Margins::relative}; }
  [[nodiscard]] double margin(std::size_t i, std::size_t k) const {
    const auto row = z.row(static_cast<Index>(i));
    return row[static_cast<std::size_t>(y[i])] - row[k];
  }
  template <class Visit>
  void for_each_wrong(const Visit& visit) const {
    for (std::size_t i = 0; i < y.size(); ++i) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(z.n_classes()); ++k) {
        if (static_cast<std::size_t>(y[i]) != k) visit(i, k, margin(i, k));
      }
    }
  }
};

Scores random_scores(std::uint64_t seed, Index n, Index n_classes) {
  Random random(seed);
  Scores result;
  result.z.reset(n, n_classes);
  for (Index i = 0; i < n; ++i) {
    result.y.push_back(static_cast<Index>(random.below(static_cast<std::uint64_t>(n_classes))));
    result.s.push_back(random.below(5) == 0 ? 0.0 : random.uniform());
    for (double& value : result.z.row(i)) value = random.normal();
  }
  return result;
}

const MarginLoss kLosses[] = {huberized_hinge(1.0), huberized_hinge(0.1), huberized_hinge(3.0),
                              squared_hinge()};

template <class Check>
void for_each_case(const Check& check) {
  for (const MarginLoss& loss : kLosses) {
    for (const Index n_classes : {2, 3, 4, 5, 13}) {
      for (const Index n : {1, 7, 30})
        check(loss, random_scores(static_cast<std::uint64_t>(100 * n + n_classes), n, n_classes));
    }
  }
}

TEST(RelativeSums, AreTheirFormulas) {
  for_each_case([](const MarginLoss& loss, const Scores& at) {
    const Scores other = random_scores(99, at.z.rows(), at.z.n_classes());
    double losses = 0.0;
    double linear = 0.0;
    double square = 0.0;
    double divergences = 0.0;
    at.for_each_wrong([&](std::size_t i, std::size_t k, double t) {
      losses += at.s[i] * loss.value(t);
      linear += at.s[i] * loss.dual(t);
      square += at.s[i] * loss.dual(t) * loss.dual(t);
      const auto row = other.z.row(static_cast<Index>(i));
      divergences += at.s[i] * loss.divergence(t, row[static_cast<std::size_t>(at.y[i])] - row[k]);
    });
    EXPECT_NEAR(sum_losses(loss, at.samples(), at.z), losses, 1e-12 * (1.0 + losses));
    ClassMatrix r;
    const ClassGradientSums sums = loss_gradient(loss, at.samples(), at.z, 0.25, r);
    EXPECT_NEAR(sums.losses, losses, 1e-12 * (1.0 + losses));
    EXPECT_NEAR(sums.duals.linear, linear, 1e-12 * (1.0 + linear));
    EXPECT_NEAR(sums.duals.square, square, 1e-12 * (1.0 + square));
    EXPECT_NEAR(sum_divergences(loss, at.samples(), at.z, other.z), divergences, 1e-12 * (1.0 + divergences));
  });
}

// Rows of the derivative sum to zero, and its product with a step is the slope along it.
TEST(RelativeSums, GradientAndSlopeAgreeWithTheLosses) {
  for_each_case([](const MarginLoss& loss, const Scores& at) {
    ClassMatrix r;
    const std::vector<double> sums = loss_gradient(loss, at.samples(), at.z, 0.5, r).by_class;
    const Scores step = random_scores(5, at.z.rows(), at.z.n_classes());
    std::vector<double> columns(sums.size(), 0.0);
    double product = 0.0;
    for (Index i = 0; i < r.rows(); ++i) {
      double total = 0.0;
      for (std::size_t k = 0; k < sums.size(); ++k) {
        total += r.row(i)[k];
        columns[k] += r.row(i)[k];
        product += 2.0 * r.row(i)[k] * step.z.row(i)[k];
      }
      EXPECT_NEAR(total, 0.0, 1e-14);
    }
    for (std::size_t k = 0; k < sums.size(); ++k) EXPECT_NEAR(sums[k], columns[k], 1e-13);
    const LineSums line = sum_along_line(loss, at.samples(), at.z, step.z, 0.0);
    EXPECT_NEAR(line.slope, product, 1e-12 * (1.0 + std::abs(product)));
    const double h = 1e-6;
    const auto moved = [&](double t) {
      ClassMatrix z = at.z;
      for (std::size_t k = 0; k < z.values().size(); ++k) z.values()[k] += t * step.z.values()[k];
      return sum_losses(loss, at.samples(), z);
    };
    EXPECT_NEAR((moved(h) - moved(-h)) / (2.0 * h), line.slope, 1e-4 * loss.curvature());
  });
}

// On both sides of the ends of the elbow, where phi'' jumps, and at them.
TEST(RelativeSums, SlopesAreContinuousAcrossTheKinks) {
  const MarginLoss loss = huberized_hinge(0.5);
  Scores at;
  at.y = {1};
  at.s = {1.0};
  at.z.reset(1, 3);
  for (const double kink : {1.0, loss.elbow_begin()}) {
    for (const double side : {-1e-3, 0.0, 1e-3}) {
      at.z.row(0)[1] = kink + side;  // the margin against 0; far from a loss against 2
      at.z.row(0)[2] = -9.0;
      ClassMatrix r;
      (void)loss_gradient(loss, at.samples(), at.z, 1.0, r);
      const double h = 1e-7;
      const auto value = [&](double by) {
        Scores moved = at;
        moved.z.row(0)[1] += by;
        return sum_losses(loss, moved.samples(), moved.z);
      };
      EXPECT_NEAR((value(h) - value(-h)) / (2.0 * h), r.row(0)[1], 2.0 * h * loss.curvature() + 1e-8);
      EXPECT_EQ(r.row(0)[0], -r.row(0)[1]);
      EXPECT_EQ(r.row(0)[2], 0.0);
    }
  }
}

// Intercepts moved into the scores are intercepts.
TEST(RelativeSums, ScoresMoveWithWhatIsAddedToTheirRows) {
  for_each_case([](const MarginLoss& loss, const Scores& at) {
    const auto n_classes = static_cast<std::size_t>(at.z.n_classes());
    std::vector<double> b(n_classes);
    for (std::size_t k = 0; k < n_classes; ++k) b[k] = std::cos(static_cast<double>(k));
    PairSlopes pairs;
    sum_by_pairs(loss, at.samples(), at.z, b, pairs);
    ClassMatrix moved = at.z;
    add_to_rows(1.0, b, moved);
    Scores shifted = at;
    shifted.z = moved;
    ClassMatrix r;
    const ClassMatrix slopes = loss_gradient(loss, shifted.samples(), moved, 1.0, r).by_pairs;
    for (std::size_t k = 0; k < slopes.values().size(); ++k)
      EXPECT_NEAR(slopes.values()[k], pairs.slope.values()[k], 1e-12 * loss.curvature());
    for (Index i = 0; i < moved.rows(); ++i) {
      for (std::size_t k = 0; k < n_classes; ++k) EXPECT_EQ(moved.row(i)[k], at.z.row(i)[k] + b[k]);
      for (Index k = moved.n_classes(); k < moved.stride(); ++k) EXPECT_EQ(moved.data(i)[k], at.z.data(i)[k]);
    }
  });
}

// The derivative of the gradient in a common shift b of all samples, and the product with each sample's curvature.
TEST(RelativeSums, PairsAndCurvaturesAreTheSecondDerivative) {
  for_each_case([](const MarginLoss& loss, const Scores& at) {
    const auto n_classes = static_cast<std::size_t>(at.z.n_classes());
    const std::vector<double> b(n_classes, 0.0);
    PairSlopes pairs;
    sum_by_pairs(loss, at.samples(), at.z, b, pairs);
    ClassMatrix r;
    const ClassGradientSums at_once = loss_gradient(loss, at.samples(), at.z, 1.0, r);
    const ClassMatrix& slopes = at_once.by_pairs;
    EXPECT_TRUE(std::ranges::equal(slopes.values(), pairs.slope.values()));
    std::vector<double> gradient(n_classes);
    pair_gradient(pairs.slope, gradient);
    for (std::size_t k = 0; k < n_classes; ++k) EXPECT_NEAR(gradient[k], at_once.by_class[k], 1e-12);

    ClassMatrix curvatures;
    find_curvatures(loss, at.samples(), at.z, loss.curvature(), false, curvatures);
    ClassMatrix u(at.z.rows(), at.z.n_classes());
    std::vector<double> d(n_classes);
    for (std::size_t k = 0; k < n_classes; ++k) d[k] = std::sin(1.0 + static_cast<double>(k));
    for (Index i = 0; i < u.rows(); ++i) std::copy(d.begin(), d.end(), u.row(i).begin());
    const ClassMatrix step = u;
    const std::vector<double> product = apply_curvatures(at.samples(), curvatures, u);
    std::vector<double> by_pairs(n_classes);
    pair_product(pairs.in_elbow, d, by_pairs);
    double along = 0.0;
    for (std::size_t k = 0; k < n_classes; ++k) {
      EXPECT_NEAR(product[k], loss.curvature() * by_pairs[k], 1e-12 * loss.curvature());
      along += product[k] * d[k];
    }
    EXPECT_NEAR(sum_along_line(loss, at.samples(), at.z, step, 0.0).curvature, along, 1e-11 * (1.0 + along));
  });
}

}  // namespace
}  // namespace hsvm
