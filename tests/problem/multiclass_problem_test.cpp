#include "hsvm/problem/multiclass_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "hsvm/core/parallel.hpp"
#include "tests/support/multiclass.hpp"
#include "tests/support/reference.hpp"

namespace hsvm {
namespace {

using test::DenseMulticlass;
using test::MulticlassData;
using test::Rows;
using Point = DenseMulticlass::Point;
using Gradient = DenseMulticlass::Gradient;
using Vector = std::vector<double>;

// A random problem with points all over it.
struct Instance {
  const MulticlassData& data;
  DenseMulticlass problem = data.problem();

  // Its intercepts are the best ones where the solver keeps them so.
  [[nodiscard]] Point random_point(std::uint64_t seed, double scale) const {
    const Vector b = data.parameters.intercept ? test::random_intercepts(seed, data.n_classes(), scale)
                                               : Vector(data.n_classes(), 0.0);
    const Point u =
        test::make_point(problem, b, test::random_rows(seed, data.n_features(), data.n_classes(), scale));
    if (!data.exact_intercept()) return u;
    Point best;
    problem.extrapolate(u, u, 0.0, best);
    return best;
  }
  [[nodiscard]] std::vector<Point> points() const {
    std::vector<Point> result = {problem.zero(), problem.constant()};
    std::uint64_t seed = 0;
    for (const double scale : {1e-3, 0.1, 0.3, 1.0, 3.0}) {
      for (int k = 0; k < 2; ++k) result.push_back(random_point(++seed, scale));
    }
    return result;
  }
  [[nodiscard]] Rows rows(const Point& u) const { return test::all_rows(u, data.n_features()); }
};

template <class Check>
void for_each_problem(const Check& check) {
  static const std::vector<MulticlassData> kProblems = test::random_multiclass_problems();
  for (const MulticlassData& data : kProblems) {
    SCOPED_TRACE(data.name);
    check(Instance{data});
  }
}

// <gradient of f, u - v>, over the variables of the loop.
double inner(const Instance& it, const Gradient& gradient, const Point& u, const Point& v) {
  const Rows a = it.rows(u);
  const Rows c = it.rows(v);
  double total = 0.0;
  for (std::size_t k = 0; k < u.b.size() && !it.data.exact_intercept(); ++k)
    total += gradient.b[k] * (u.b[k] - v.b[k]);
  for (std::size_t j = 0; j < a.size(); ++j) {
    for (std::size_t k = 0; k < u.b.size(); ++k)
      total += gradient.w.row(static_cast<Index>(j))[k] * (a[j][k] - c[j][k]);
  }
  return total;
}

void expect_scores(const Instance& it, const Point& u) {
  const Rows w = it.rows(u);
  ASSERT_EQ(u.scores.rows(), it.data.x.rows());
  for (Index i = 0; i < it.data.x.rows(); ++i) {
    for (std::size_t k = 0; k < u.b.size(); ++k) {
      double score = u.b[k];
      for (std::size_t j = 0; j < w.size(); ++j) score += it.data.x(i, static_cast<Index>(j)) * w[j][k];
      ASSERT_NEAR(u.scores.row(i)[k], score, 1e-12);
    }
  }
}

// Whether a Point is what it claims: ascending rows, a row of W for each, sums of zero, and its scores.
void expect_well_formed(const Instance& it, const Point& u) {
  EXPECT_TRUE(std::is_sorted(u.rows.begin(), u.rows.end()));
  EXPECT_EQ(std::set<Index>(u.rows.begin(), u.rows.end()).size(), u.rows.size());
  EXPECT_EQ(u.w.rows(), static_cast<Index>(u.rows.size()));
  EXPECT_EQ(u.b.size(), it.data.n_classes());
  EXPECT_LE(test::largest_sum(u.b, it.rows(u)), 1e-12);
  expect_scores(it, u);
}

TEST(RandomMulticlassProblem, ObjectiveIsItsFormula) {
  for_each_problem([](const Instance& it) {
    for (const Point& u : it.points()) {
      expect_well_formed(it, u);
      const Rows w = it.rows(u);
      const double objective = test::reference_objective(it.data, u.b, w);
      EXPECT_NEAR(it.problem.objective(u), objective, 1e-13 * (1.0 + objective));
      EXPECT_NEAR(it.problem.smooth(u), test::reference_smooth(it.data, u.b, w), 1e-13 * (1.0 + objective));
      EXPECT_NEAR(it.problem.smooth(u) + it.problem.penalty(u), objective, 1e-13 * (1.0 + objective));
      double square = 0.0;
      for (const double value : u.b) square += value * value;
      for (const Vector& row : w) {
        for (const double value : row) square += value * value;
      }
      EXPECT_NEAR(it.problem.squared_norm(u), square, 1e-12 * square);
      EXPECT_EQ(it.problem.count_nonzeros(u), static_cast<Index>(u.rows.size()));
      EXPECT_EQ(it.problem.support(u), u.rows);
    }
    const Vector zero(it.data.n_classes(), 0.0);
    EXPECT_NEAR(it.problem.objective_at_zero(),
                test::reference_objective(it.data, zero, Rows(it.data.n_features(), zero)), 1e-13);
  });
}

// Along directions that keep all sums at zero, as all moves of the loop do.
TEST(RandomMulticlassProblem, GradientMatchesDifferences) {
  for_each_problem([](const Instance& it) {
    const double h = 1e-6;
    for (const Point& u : it.points()) {
      Gradient gradient;
      it.problem.gradient(u, gradient);
      ASSERT_EQ(gradient.w.rows(), it.data.x.cols());
      const Rows w = it.rows(u);
      for (std::uint64_t seed = 0; seed < 6; ++seed) {
        const Vector step_b = it.data.parameters.intercept ? test::random_intercepts(seed, u.b.size(), 1.0)
                                                           : Vector(u.b.size(), 0.0);
        const Rows step_w = test::random_rows(seed, w.size(), u.b.size(), 1.0);
        const auto moved = [&](double length) {
          Vector b = u.b;
          Rows rows = w;
          for (std::size_t k = 0; k < b.size(); ++k) {
            b[k] += length * step_b[k];
            for (std::size_t j = 0; j < w.size(); ++j) rows[j][k] += length * step_w[j][k];
          }
          return test::reference_smooth(it.data, b, rows);
        };
        double slope = 0.0;
        double square = 0.0;
        for (std::size_t k = 0; k < u.b.size(); ++k) {
          slope += gradient.b[k] * step_b[k];
          square += step_b[k] * step_b[k];
          for (std::size_t j = 0; j < w.size(); ++j) {
            slope += gradient.w.row(static_cast<Index>(j))[k] * step_w[j][k];
            square += step_w[j][k] * step_w[j][k];
          }
        }
        // phi' is Lipschitz, so a central difference is right up to h L.
        const double error =
            h * (it.problem.lipschitz() + it.data.parameters.n_classes * it.data.parameters.loss.curvature()) *
            square;
        EXPECT_NEAR((moved(h) - moved(-h)) / (2.0 * h), slope, error + 1e-8);
      }
    }
  });
}

TEST(RandomMulticlassProblem, GradientIsItsFormula) {
  for_each_problem([](const Instance& it) {
    for (const Point& u : it.points()) {
      Gradient gradient;
      it.problem.gradient(u, gradient);
      const test::MulticlassGradient reference = test::reference_gradient(it.data, u.b, it.rows(u));
      ASSERT_EQ(gradient.half_ranges.size(), it.data.n_features());
      for (std::size_t k = 0; k < u.b.size(); ++k) {
        EXPECT_NEAR(gradient.b[k], reference.b[k], 1e-13);
        if (!it.data.parameters.intercept) {
          EXPECT_EQ(gradient.b[k], 0.0);
        }
      }
      double largest = 0.0;
      for (std::size_t j = 0; j < it.data.n_features(); ++j) {
        for (std::size_t k = 0; k < u.b.size(); ++k) {
          EXPECT_NEAR(gradient.w.row(static_cast<Index>(j))[k], reference.w[j][k], 1e-13);
        }
        const auto [low, high] = std::minmax_element(reference.w[j].begin(), reference.w[j].end());
        EXPECT_NEAR(gradient.half_ranges[j], 0.5 * (*high - *low), 1e-13);
        const Vector& v = it.data.parameters.penalty.factors;
        if (v.empty() || v[j] > 0.0)
          largest = std::max(largest, 0.5 * (*high - *low) / (v.empty() ? 1.0 : v[j]));
      }
      EXPECT_NEAR(it.problem.lambda1_max(gradient), largest, 1e-12);
    }
  });
}

TEST(RandomMulticlassProblem, LipschitzIsThePaperBound) {
  for_each_problem([](const Instance& it) {
    const double n = static_cast<double>(it.data.y.size());
    double sum = 0.0;
    for (Index i = 0; i < it.data.x.rows(); ++i) {
      double square = it.data.parameters.intercept && !it.data.exact_intercept() ? 1.0 : 0.0;
      for (Index j = 0; j < it.data.x.cols(); ++j) square += it.data.x(i, j) * it.data.x(i, j);
      sum += it.data.s[static_cast<std::size_t>(i)] * square;
    }
    const double expected = it.data.parameters.n_classes * sum / (n * it.data.parameters.loss.delta);
    EXPECT_NEAR(it.problem.lipschitz(), expected, 1e-12 * expected);
    EXPECT_NEAR(it.problem.initial_bound(expected), expected / (n * it.data.parameters.n_classes),
                1e-14 * expected);
  });
}

TEST(RandomMulticlassProblem, LipschitzBoundsTheChangeOfTheGradient) {
  for_each_problem([](const Instance& it) {
    const double L = it.problem.lipschitz();
    const std::vector<Point> all = it.points();
    std::vector<Gradient> gradients(all.size());
    for (std::size_t a = 0; a < all.size(); ++a) it.problem.gradient(all[a], gradients[a]);
    for (std::size_t a = 0; a < all.size(); ++a) {
      for (std::size_t c = 0; c < all.size(); ++c) {
        // Rows sum to zero, so only the parts of the gradients that do count.
        const auto square = [](const Vector& difference) {
          double mean = 0.0;
          for (const double value : difference) mean += value / static_cast<double>(difference.size());
          double total = 0.0;
          for (const double value : difference) total += (value - mean) * (value - mean);
          return total;
        };
        const std::size_t J = it.data.n_classes();
        Vector difference(J);
        double change = 0.0;
        if (!it.data.exact_intercept()) {
          for (std::size_t k = 0; k < J; ++k) difference[k] = gradients[a].b[k] - gradients[c].b[k];
          change += square(difference);
        }
        for (Index j = 0; j < it.data.x.cols(); ++j) {
          for (std::size_t k = 0; k < J; ++k)
            difference[k] = gradients[a].w.row(j)[k] - gradients[c].w.row(j)[k];
          change += square(difference);
        }
        const double distance = it.problem.squared_distance(all[a], all[c]);
        EXPECT_LE(std::sqrt(change), L * std::sqrt(distance) * (1.0 + 1e-12) + 1e-13);
        EXPECT_LE(it.problem.divergence(all[a], all[c]), 0.5 * L * distance * (1.0 + 1e-9) + 1e-15);
      }
    }
  });
}

TEST(RandomMulticlassProblem, DivergenceIsItsDefinition) {
  for_each_problem([](const Instance& it) {
    const std::vector<Point> all = it.points();
    for (const Point& v : all) {
      Gradient gradient;
      it.problem.gradient(v, gradient);
      for (const Point& u : all) {
        double expected = it.problem.smooth(u) - it.problem.smooth(v) - inner(it, gradient, u, v);
        if (it.data.exact_intercept()) {  // f(W) = min over b of f(b, W) + lambda3/2 |b|^2
          for (std::size_t k = 0; k < u.b.size(); ++k) {
            expected += 0.5 * it.data.parameters.lambda3 * (u.b[k] * u.b[k] - v.b[k] * v.b[k]);
          }
        }
        EXPECT_NEAR(it.problem.divergence(u, v), expected,
                    1e-12 * (1.0 + it.problem.smooth(u) + it.problem.smooth(v)));
        EXPECT_GE(it.problem.divergence(u, v), -1e-14 * (1.0 + it.problem.smooth(u)));
      }
    }
  });
}

TEST(RandomMulticlassProblem, SquaredDistanceIsThatOfTheVariables) {
  for_each_problem([](const Instance& it) {
    const Point u = it.random_point(1, 1.0);
    const Point v = it.random_point(2, 1.0);  // other rows are zero
    ASSERT_NE(u.rows, v.rows);
    const Rows a = it.rows(u);
    const Rows c = it.rows(v);
    double expected = 0.0;
    for (std::size_t k = 0; k < u.b.size(); ++k) {
      if (!it.data.exact_intercept()) expected += (u.b[k] - v.b[k]) * (u.b[k] - v.b[k]);
      for (std::size_t j = 0; j < a.size(); ++j) expected += (a[j][k] - c[j][k]) * (a[j][k] - c[j][k]);
    }
    EXPECT_NEAR(it.problem.squared_distance(u, v), expected, 1e-13 * expected);
    EXPECT_EQ(it.problem.squared_distance(u, u), 0.0);
  });
}

TEST(RandomMulticlassProblem, ExtrapolateCarriesTheScoresAlong) {
  for_each_problem([](const Instance& it) {
    const Point u = it.random_point(1, 0.5);
    const Point v = it.random_point(2, 0.5);
    const Rows a = it.rows(u);
    const Rows c = it.rows(v);
    for (const double omega : {0.0, 0.3, 1.0, -0.5}) {
      Point out;
      it.problem.extrapolate(u, v, omega, out);
      expect_well_formed(it, out);
      const Rows w = it.rows(out);
      for (std::size_t k = 0; k < u.b.size(); ++k) {
        for (std::size_t j = 0; j < a.size(); ++j) {
          EXPECT_NEAR(w[j][k], a[j][k] + omega * (a[j][k] - c[j][k]), 1e-14);
        }
        if (!it.data.exact_intercept()) {
          EXPECT_NEAR(out.b[k], u.b[k] + omega * (u.b[k] - v.b[k]), 1e-14);
        }
      }
    }
  });
}

TEST(RandomMulticlassProblem, AnExactInterceptIsAlwaysTheBestOne) {
  for_each_problem([](const Instance& it) {
    if (!it.data.exact_intercept()) return;  // a variable of the loop, or absent
    const auto expect_best = [&](const Point& u) {
      const Rows w = it.rows(u);
      Vector slope = test::reference_gradient(it.data, u.b, w).b;
      for (std::size_t k = 0; k < slope.size(); ++k) slope[k] += it.data.parameters.lambda3 * u.b[k];
      const auto [low, high] = std::minmax_element(slope.begin(), slope.end());
      // Relative margins have slopes that are differences of up to J numbers.
      const bool relative = it.data.parameters.margins == Margins::relative;
      EXPECT_NEAR(*high - *low, 0.0, relative ? 1e-12 : 1e-13);
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        Vector b = test::random_intercepts(seed, u.b.size(), 0.1);
        for (std::size_t k = 0; k < b.size(); ++k) b[k] += u.b[k];
        EXPECT_LE(it.problem.objective(u), test::reference_objective(it.data, b, w) + 1e-13);
      }
    };
    for (const Point& u : it.points()) {
      expect_best(u);
      Gradient gradient;
      it.problem.gradient(u, gradient);
      Point next;
      it.problem.proximal_step(u, gradient, 2.0, next);
      expect_best(next);
    }
  });
}

TEST(RandomMulticlassProblem, ProximalStepMinimisesTheModel) {
  for_each_problem([](const Instance& it) {
    for (const Point& at : it.points()) {
      Gradient gradient;
      it.problem.gradient(at, gradient);
      for (const double L : {0.05, 1.0, 20.0}) {
        Point next;
        it.problem.proximal_step(at, gradient, L, next);
        expect_well_formed(it, next);
        for (Index c = 0; c < next.w.rows(); ++c) {  // no zero row is held
          EXPECT_NE(Vector(next.w.row(c).begin(), next.w.row(c).end()), Vector(it.data.n_classes(), 0.0));
        }
        // <gradient, u> + L/2 |u - at|^2 + g(u), less what an exact intercept adds to it.
        const auto model = [&](const Vector& b, const Rows& w) {
          const Point u = test::make_point(it.problem, it.data.exact_intercept() ? next.b : b, w);
          return it.problem.penalty(u) + 0.5 * L * it.problem.squared_distance(u, at) +
                 inner(it, gradient, u, at);
        };
        const Rows w = it.rows(next);
        const double best = model(next.b, w);
        for (std::uint64_t seed = 0; seed < 8; ++seed) {
          Rows other = test::random_rows(seed, w.size(), next.b.size(), 0.03);
          Vector b = test::random_intercepts(seed, next.b.size(), it.data.parameters.intercept ? 0.03 : 0.0);
          for (std::size_t k = 0; k < b.size(); ++k) {
            b[k] += next.b[k];
            for (std::size_t j = 0; j < w.size(); ++j) other[j][k] += w[j][k];
          }
          EXPECT_GE(model(b, other), best - 1e-13 * (1.0 + std::abs(best)));
        }
        if (!it.data.parameters.intercept) {
          EXPECT_EQ(next.b, Vector(it.data.n_classes(), 0.0));
        }
      }
    }
  });
}

TEST(RandomMulticlassProblem, DualObjectiveIsBelowEveryObjective) {
  for_each_problem([](const Instance& it) {
    std::vector<Point> all = it.points();
    for (std::uint64_t seed = 100; seed < 120; ++seed)
      all.push_back(it.random_point(seed, 0.05 * static_cast<double>(seed % 10)));
    double lowest = it.problem.objective(all[0]);
    for (const Point& v : all) lowest = std::min(lowest, it.problem.objective(v));
    for (const Point& u : all) {
      Gradient gradient;
      it.problem.gradient(u, gradient);
      const double dual = it.problem.dual_objective(u, gradient);
      EXPECT_LE(dual, lowest + 1e-14);
      EXPECT_GE(dual, 0.0);
      // At least as good as the referee's, up to what is kept back for the rounding of a free intercept.
      double size = 1.0;
      for (const double b : u.b) size += std::abs(b);
      EXPECT_GE(dual, test::reference_dual(it.data, u.b, it.rows(u)) - 1e-12 * size);
    }
  });
}

TEST(RandomMulticlassProblem, ViolatorsAreTheRowsBeyondTheirThreshold) {
  for_each_problem([](const Instance& it) {
    Gradient gradient;
    it.problem.gradient(it.problem.constant(), gradient);
    const std::vector<Index> known = {0, 2};
    for (const double slack : {0.0, 0.5}) {
      std::vector<Index> expected;
      for (Index j = 0; j < it.data.x.cols(); ++j) {
        if (j != 0 && j != 2 &&
            gradient.half_ranges[static_cast<std::size_t>(j)] >
                it.data.parameters.penalty.threshold(j) * (1.0 + slack)) {
          expected.push_back(j);
        }
      }
      EXPECT_EQ(it.problem.violators(gradient, known, slack), expected);
    }
    const Vector& factors = it.data.parameters.penalty.factors;
    EXPECT_EQ(it.problem.unpenalised(),
              !factors.empty() && factors[0] == 0.0 ? std::vector<Index>{0} : std::vector<Index>{});
  });
}

TEST(RandomMulticlassProblem, TheSameBitsForAnyNumberOfThreads) {
  const MulticlassData data = test::random_multiclass_problem({.seed = 5, .n = 40, .p = 300, .n_classes = 5});
  const Instance it{data};
  const Point u = it.random_point(1, 0.1);
  Gradient one;
  Point step;
  with_threads(1, [&] {
    it.problem.gradient(u, one);
    it.problem.proximal_step(u, one, 3.0, step);
  });
  ASSERT_GT(step.rows.size(), 100U);
  with_threads(4, [&] {
    Gradient four;
    Point other;
    it.problem.gradient(u, four);
    it.problem.proximal_step(u, four, 3.0, other);
    EXPECT_TRUE(std::ranges::equal(four.w.values(), one.w.values()));
    EXPECT_EQ(four.half_ranges, one.half_ranges);
    EXPECT_EQ(other.rows, step.rows);
    EXPECT_TRUE(std::ranges::equal(other.w.values(), step.w.values()));
    EXPECT_EQ(other.b, step.b);
  });
}

TEST(MulticlassProblem, SolvedProblemsAreWhatTheirDerivationsSay) {
  for (const test::SolvedMulticlass& solved : test::solved_multiclass_problems()) {
    SCOPED_TRACE(solved.name);
    const DenseMulticlass problem = solved.problem();
    const Point u = test::make_point(problem, solved.b, solved.w);
    EXPECT_NEAR(problem.objective(u), solved.objective, 1e-14 * (1.0 + solved.objective));
    EXPECT_LE(test::reference_violation(solved, solved.b, solved.w), 1e-14);
    Gradient gradient;
    problem.gradient(u, gradient);
    EXPECT_NEAR(problem.dual_objective(u, gradient), solved.objective, 1e-13 * (1.0 + solved.objective));
    EXPECT_NEAR(test::reference_dual(solved, solved.b, solved.w), solved.objective,
                1e-13 * (1.0 + solved.objective));
    problem.gradient(problem.constant(), gradient);
    EXPECT_NEAR(problem.lambda1_max(gradient), solved.lambda1_max, 1e-14);
  }
}

// With two classes w_2 = -w_1: the binary problem at twice the penalties, b_1 + x'w_1 of class 1 being its
// score.
TEST(MulticlassProblem, OfTwoClassesIsTheBinaryOneAtTwiceThePenalties) {
  for (const test::ProblemData& binary : test::random_problems()) {
    SCOPED_TRACE(binary.name);
    const test::DenseProblem two = binary.problem();
    const BinaryParameters& p = binary.parameters;
    std::vector<Index> y;
    for (const double sign : binary.y) y.push_back(sign > 0.0 ? 1 : 0);
    const DenseMulticlass problem(binary.x, y, binary.s,
                                  {p.loss,
                                   {0.5 * p.penalty.lambda1, 0.5 * p.penalty.lambda2, p.penalty.factors},
                                   0.5 * p.lambda3,
                                   p.intercept,
                                   p.intercept_by_gradient,
                                   2});
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
      for (const double value : w) rows.push_back({-value, value});
      const Point v = test::make_point(problem, {-u.b, u.b}, rows);
      EXPECT_NEAR(problem.objective(v), two.objective(u), 1e-13 * (1.0 + two.objective(u)));
      for (std::size_t i = 0; i < y.size(); ++i)
        EXPECT_NEAR(v.scores.row(static_cast<Index>(i))[1], u.scores[i], 1e-13);
      test::DenseProblem::Gradient binary_gradient;
      Gradient gradient;
      two.gradient(u, binary_gradient);
      problem.gradient(v, gradient);
      for (std::size_t j = 0; j < w.size(); ++j) {
        const auto row = gradient.w.row(static_cast<Index>(j));
        EXPECT_NEAR(row[1] - row[0], binary_gradient.w[j], 1e-13);
      }
      EXPECT_NEAR(2.0 * problem.lambda1_max(gradient), two.lambda1_max(binary_gradient), 1e-13);
      // The search for the best scaling is coarser here: it may be a little lower, and is a bound all the same.
      const double dual = two.dual_objective(u, binary_gradient);
      EXPECT_LE(problem.dual_objective(v, gradient), dual + 1e-11);
      EXPECT_GE(problem.dual_objective(v, gradient), 0.9 * dual - 1e-11);
    }
  }
}

}  // namespace
}  // namespace hsvm
