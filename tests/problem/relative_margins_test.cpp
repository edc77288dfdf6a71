// What is said of relative margins beyond what the battery of random problems shows for both kinds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hsvm/core/random.hpp"
#include "hsvm/problem/intercepts.hpp"
#include "hsvm/solve/null_model.hpp"
#include "hsvm/solve/proximal_gradient.hpp"
#include "tests/support/multiclass.hpp"

namespace hsvm {
namespace {

using test::DenseMulticlass;
using test::MulticlassData;
using test::Rows;
using Point = DenseMulticlass::Point;
using Gradient = DenseMulticlass::Gradient;
using Vector = std::vector<double>;

// With two classes w_2 = -w_1 = w/2: the binary problem at half of lambda2 and lambda3, f_2 - f_1 being its score.
TEST(RelativeMargins, OfTwoClassesAreTheBinaryProblemAtHalfTheSquares) {
  for (const test::ProblemData& binary : test::random_problems()) {
    SCOPED_TRACE(binary.name);
    const test::DenseProblem two = binary.problem();
    const BinaryParameters& p = binary.parameters;
    std::vector<Index> y;
    for (const double sign : binary.y) y.push_back(sign > 0.0 ? 1 : 0);
    const DenseMulticlass problem(binary.x, y, binary.s,
                                  {p.loss,
                                   {p.penalty.lambda1, 2.0 * p.penalty.lambda2, p.penalty.factors},
                                   2.0 * p.lambda3,
                                   p.intercept,
                                   p.intercept_by_gradient,
                                   2,
                                   Margins::relative});
    EXPECT_DOUBLE_EQ(problem.objective_at_zero(), two.objective_at_zero());
    for (const double scale : {0.01, 0.3, 2.0}) {
      const Vector w = test::random_vector(7, static_cast<std::size_t>(binary.x.cols()), scale);
      auto u = two.point(p.intercept ? 0.3 : 0.0, w);
      if (binary.exact_intercept()) {
        test::DenseProblem::Point best;
        two.extrapolate(u, u, 0.0, best);
        u = best;
      }
      Rows rows;
      for (const double value : w) rows.push_back({-0.5 * value, 0.5 * value});
      Point v = test::make_point(problem, {-0.5 * u.b, 0.5 * u.b}, rows);
      if (binary.exact_intercept()) {
        Point best;
        problem.extrapolate(v, v, 0.0, best);
        EXPECT_NEAR(best.b[1] - best.b[0], u.b, 1e-11 * (1.0 + std::abs(u.b)));
        v = best;
      }
      EXPECT_NEAR(problem.objective(v), two.objective(u), 1e-12 * (1.0 + two.objective(u)));
      for (std::size_t i = 0; i < y.size(); ++i) {
        const auto row = v.scores.row(static_cast<Index>(i));
        EXPECT_NEAR(row[1] - row[0], u.scores[i], 1e-11 * (1.0 + std::abs(u.scores[i])));
      }
      test::DenseProblem::Gradient binary_gradient;
      Gradient gradient;
      two.gradient(u, binary_gradient);
      problem.gradient(v, gradient);
      for (std::size_t j = 0; j < w.size(); ++j)
        EXPECT_NEAR(gradient.w.row(static_cast<Index>(j))[1], binary_gradient.w[j], 1e-11);
      EXPECT_NEAR(problem.lambda1_max(gradient), two.lambda1_max(binary_gradient), 1e-11);
      const double dual = two.dual_objective(u, binary_gradient);
      EXPECT_LE(problem.dual_objective(v, gradient), dual + 1e-10);
      EXPECT_GE(problem.dual_objective(v, gradient), 0.9 * dual - 1e-10);
    }
  }
}

// Three classes at -1, 0 and 1 of one feature.
//   No linear scores have absolute margins of 1: f of the middle class would be below -1 at both ends and, scores
//   summing to zero, above 2 between them. f = (-3x - 1/2, 1, 3x - 1/2) has relative margins of 3/2.
TEST(RelativeMargins, SeparateThreeClassesAlongALine) {
  MulticlassData data;
  data.name = "line";
  data.x = DenseMatrix<double>(3, 1);
  data.x(0, 0) = -1.0;
  data.x(1, 0) = 0.0;
  data.x(2, 0) = 1.0;
  data.y = {0, 1, 2};
  data.s = {1.0, 1.0, 1.0};
  data.parameters.n_classes = 3;
  data.parameters.penalty.lambda2 = 1e-6;
  const auto solve = [&](Margins margins) {
    data.parameters.margins = margins;
    ProximalGradientOptions options;
    options.tolerance = 1e-7;
    return proximal_gradient(data.problem(), data.problem().zero(), options).point;
  };
  const auto predicted = [](const Point& u, Index i) {
    const auto row = u.scores.row(i);
    return static_cast<Index>(std::max_element(row.begin(), row.end()) - row.begin());
  };
  const Point relative = solve(Margins::relative);
  for (Index i = 0; i < 3; ++i) EXPECT_EQ(predicted(relative, i), i);
  EXPECT_LT(data.problem().smooth(relative), 1e-3);
  const Point absolute = solve(Margins::absolute);
  EXPECT_GT(data.problem().smooth(absolute), 0.5);
}

TEST(RelativeMargins, ZeroIsOptimalAtLambda1MaxAndNotJustBelow) {
  for (MulticlassData data : test::random_multiclass_problems()) {
    if (data.parameters.margins != Margins::relative) continue;
    if (!data.parameters.penalty.factors.empty() && data.parameters.penalty.factors[0] == 0.0) continue;
    SCOPED_TRACE(data.name);
    const Point constant = data.problem().constant();
    const double largest = lambda1_max_at(data.problem(), constant);
    const Rows zero(data.n_features(), Vector(data.n_classes(), 0.0));
    data.parameters.penalty.lambda1 = largest;
    EXPECT_LE(test::reference_violation(data, constant.b, zero), 1e-10);
    data.parameters.penalty.lambda1 = 0.999 * largest;
    EXPECT_GE(test::reference_violation(data, constant.b, zero), 0.4e-3 * largest);  // times v_j >= 0.5
  }
}

// b is the best among those that sum to zero exactly when its gradient is the same for all classes: here zero, but
// for lambda3 b.
void expect_best_intercepts(const MarginLoss& loss, const std::vector<Index>& y, const Vector& s,
                            const ClassMatrix& z, double lambda3) {
  const auto n_classes = static_cast<std::size_t>(z.n_classes());
  const Vector b = best_intercepts(loss, {y, s, Margins::relative}, z, lambda3, Vector(n_classes, 0.0));
  Vector slope(n_classes, 0.0);
  double size = 0.0;
  double largest = 1.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto row = z.row(static_cast<Index>(i));
    const auto own = static_cast<std::size_t>(y[i]);
    for (std::size_t k = 0; k < n_classes; ++k) {
      largest = std::max(largest, std::abs(row[k]) + std::abs(b[k]));
      if (k == own) continue;
      const double a = s[i] * loss.dual((row[own] + b[own]) - (row[k] + b[k])) / static_cast<double>(y.size());
      slope[k] += a;
      slope[own] -= a;
      size += a;
    }
  }
  for (std::size_t k = 0; k < n_classes; ++k) {
    slope[k] += lambda3 * b[k];
    size = std::max(size, lambda3 * std::abs(b[k]));
  }
  const auto [low, high] = std::minmax_element(slope.begin(), slope.end());
  const double spacing = 1e-14 * largest * (loss.curvature() + lambda3);
  EXPECT_LE(*high - *low, 1e-10 * size + spacing)
      << "delta " << loss.delta << ", lambda3 " << lambda3 << ", b " << testing::PrintToString(b);
  EXPECT_LE(test::largest_sum(b, {}), 1e-12);
}

TEST(RelativeIntercepts, AreTheBestWhateverTheScores) {
  Random random(17);
  for (int trial = 0; trial < 3000; ++trial) {
    SCOPED_TRACE(trial);
    const double delta = std::vector{1e-3, 0.01, 0.3, 1.0, 10.0}[random.below(5)];
    const MarginLoss loss = random.below(6) == 0 ? squared_hinge() : huberized_hinge(delta);
    const double lambda3 = std::vector{0.0, 0.0, 1e-6, 0.1, 10.0}[random.below(5)];
    const double scale = std::vector{0.0, 1e-8, 1.0, 30.0, 1e6}[random.below(5)];
    const auto n_classes = static_cast<Index>(2 + random.below(6));
    const auto n = static_cast<Index>(1 + random.below(40));  // some classes are empty or have one sample
    ClassMatrix z(n, n_classes);
    std::vector<Index> y;
    Vector s;
    for (Index i = 0; i < n; ++i) {
      y.push_back(static_cast<Index>(random.below(static_cast<std::uint64_t>(n_classes))));
      s.push_back(i > 0 && random.below(5) == 0 ? 0.0 : 0.1 + random.uniform());
      for (double& score : z.row(i)) score = scale * random.normal();
    }
    expect_best_intercepts(loss, y, s, z, lambda3);
  }
}

// At b = 0 and delta = 1 every a is 1 and no margin is inside of the elbow.
TEST(RelativeIntercepts, StartFromAnEmptyElbow) {
  for (const Index n_classes : {2, 3, 5}) {
    ClassMatrix z(3 * n_classes, n_classes);
    std::vector<Index> y;
    for (Index i = 0; i < z.rows(); ++i) y.push_back(i % 3 == 0 ? i % n_classes : 0);
    expect_best_intercepts(huberized_hinge(1.0), y, Vector(y.size(), 1.0), z, 0.0);
  }
}

}  // namespace
}  // namespace hsvm
