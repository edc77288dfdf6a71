#include "hsvm/problem/binary_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/random.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/reference.hpp"

namespace hsvm {
namespace {

using test::DenseProblem;
using test::ProblemData;
using Point = DenseProblem::Point;
using Gradient = DenseProblem::Gradient;

// A random problem with points all over it.
struct Instance {
  const ProblemData& data;
  DenseProblem problem = data.problem();

  // Its intercept is the best one where the solver keeps it so.
  [[nodiscard]] Point random_point(std::uint64_t seed, double scale) const {
    std::vector<double> w = test::random_vector(seed, static_cast<std::size_t>(data.x.cols()), scale);
    if (seed % 2 == 0) w[seed % w.size()] = 0.0;
    const double b = data.parameters.intercept ? test::random_vector(seed + 500, 1, scale)[0] : 0.0;
    Point u = problem.point(b, std::move(w));
    if (!data.exact_intercept()) return u;
    Point best;
    problem.extrapolate(u, u, 0.0, best);
    return best;
  }
  [[nodiscard]] std::vector<double> coefficients(const Point& u) const {
    return test::all_coefficients(u.w, data.x.cols());
  }
  [[nodiscard]] std::vector<Point> points() const {
    std::vector<Point> result = {problem.zero(), problem.constant()};
    std::uint64_t seed = 0;
    for (const double scale : {1e-3, 0.1, 0.3, 1.0, 3.0}) {
      for (int k = 0; k < 3; ++k) result.push_back(random_point(++seed, scale));
    }
    return result;
  }
};

template <class Check>
void for_each_problem(const Check& check) {
  static const std::vector<ProblemData> kProblems = test::random_problems();
  for (const ProblemData& data : kProblems) {
    SCOPED_TRACE(data.name);
    check(Instance{data});
  }
}

TEST(RandomBinaryProblem, ScoresAndObjectiveAreTheirFormulas) {
  for_each_problem([](const Instance& it) {
    for (const Point& u : it.points()) {
      for (Index i = 0; i < it.data.x.rows(); ++i) {
        double score = u.b;
        for (Index j = 0; j < it.data.x.cols(); ++j) score += it.data.x(i, j) * u.w[j];
        EXPECT_NEAR(u.scores[static_cast<std::size_t>(i)], score, 1e-12);
      }
      const double objective = test::reference_objective(it.data, u);
      EXPECT_NEAR(it.problem.objective(u), objective, 1e-13 * (1.0 + objective));
      EXPECT_NEAR(it.problem.smooth(u) + it.problem.penalty(u), it.problem.objective(u),
                  1e-13 * (1.0 + objective));
      double square = u.b * u.b;
      for (const double value : u.w.values) square += value * value;
      EXPECT_NEAR(it.problem.squared_norm(u), square, 1e-12 * square);
    }
    EXPECT_NEAR(it.problem.objective_at_zero(),
                test::reference_objective(it.data, 0.0,
                                          std::vector<double>(static_cast<std::size_t>(it.data.x.cols()))),
                1e-14);
  });
}

TEST(RandomBinaryProblem, GradientMatchesDifferences) {
  for_each_problem([](const Instance& it) {
    // phi' is Lipschitz, so a central difference is right up to h L.
    const double h = 1e-7;
    const double error = 2.0 * h * (it.problem.lipschitz() + 1.0 / it.data.parameters.loss.delta) + 1e-8;
    for (const Point& u : it.points()) {
      Gradient gradient;
      it.problem.gradient(u, gradient);
      const std::vector<double> w = it.coefficients(u);
      ASSERT_EQ(gradient.w.size(), w.size());
      for (std::size_t j = 0; j < w.size(); ++j) {
        std::vector<double> up = w;
        std::vector<double> down = w;
        up[j] += h;
        down[j] -= h;
        const double slope =
            (test::reference_smooth(it.data, u.b, up) - test::reference_smooth(it.data, u.b, down)) / (2.0 * h);
        EXPECT_NEAR(gradient.w[j], slope, error);
      }
      if (it.data.parameters.intercept) {
        const double slope =
            (test::reference_smooth(it.data, u.b + h, w) - test::reference_smooth(it.data, u.b - h, w)) /
            (2.0 * h);
        EXPECT_NEAR(gradient.b, slope, error);
      } else {
        EXPECT_EQ(gradient.b, 0.0);
      }
      const test::ReferenceGradient reference = test::reference_gradient(it.data, u.b, w);
      EXPECT_NEAR(gradient.b, reference.b, 1e-13);
      for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(gradient.w[j], reference.w[j], 1e-13);
    }
  });
}

TEST(RandomBinaryProblem, LipschitzIsThePaperBound) {
  for_each_problem([](const Instance& it) {
    const double n = static_cast<double>(it.data.y.size());
    double sum = 0.0;
    for (Index i = 0; i < it.data.x.rows(); ++i) {
      double square = it.data.parameters.intercept && !it.data.exact_intercept() ? 1.0 : 0.0;
      for (Index j = 0; j < it.data.x.cols(); ++j) square += it.data.x(i, j) * it.data.x(i, j);
      sum += it.data.s[static_cast<std::size_t>(i)] * square;
    }
    EXPECT_NEAR(it.problem.lipschitz(), sum / (n * it.data.parameters.loss.delta), 1e-12 * sum);
  });
}

TEST(RandomBinaryProblem, LipschitzBoundsTheChangeOfTheGradient) {
  for_each_problem([](const Instance& it) {
    const double L = it.problem.lipschitz();
    for (const Point& u : it.points()) {
      for (const Point& v : it.points()) {
        Gradient at_u;
        Gradient at_v;
        it.problem.gradient(u, at_u);
        it.problem.gradient(v, at_v);
        double square = it.data.exact_intercept() ? 0.0 : (at_u.b - at_v.b) * (at_u.b - at_v.b);
        for (std::size_t j = 0; j < at_u.w.size(); ++j)
          square += (at_u.w[j] - at_v.w[j]) * (at_u.w[j] - at_v.w[j]);
        const double distance = it.problem.squared_distance(u, v);
        EXPECT_LE(std::sqrt(square), L * std::sqrt(distance) * (1.0 + 1e-12) + 1e-13);
        // The same for f itself: what the line search relies on at L_f.
        EXPECT_LE(it.problem.divergence(u, v), 0.5 * L * distance * (1.0 + 1e-9) + 1e-15);
      }
    }
  });
}

TEST(RandomBinaryProblem, DivergenceIsItsDefinition) {
  for_each_problem([](const Instance& it) {
    for (const Point& u : it.points()) {
      for (const Point& v : it.points()) {
        Gradient gradient;
        it.problem.gradient(v, gradient);
        double expected = it.problem.smooth(u) - it.problem.smooth(v);
        if (it.data.exact_intercept()) {  // f(w) = min over b of f(b, w) + lambda3/2 b^2
          expected += 0.5 * it.data.parameters.lambda3 * (u.b * u.b - v.b * v.b);
        } else {
          expected -= gradient.b * (u.b - v.b);
        }
        for (Index j = 0; j < it.data.x.cols(); ++j)
          expected -= gradient.w[static_cast<std::size_t>(j)] * (u.w[j] - v.w[j]);
        EXPECT_NEAR(it.problem.divergence(u, v), expected,
                    1e-12 * (1.0 + it.problem.smooth(u) + it.problem.smooth(v)));
        EXPECT_GE(it.problem.divergence(u, v), -1e-30);
      }
    }
  });
}

TEST(RandomBinaryProblem, SquaredDistanceIsThatOfTheVariables) {
  for_each_problem([](const Instance& it) {
    const Point u = it.random_point(1, 1.0);
    const Point v = it.random_point(2, 1.0);
    double expected = it.data.exact_intercept() ? 0.0 : (u.b - v.b) * (u.b - v.b);
    for (Index j = 0; j < it.data.x.cols(); ++j) expected += (u.w[j] - v.w[j]) * (u.w[j] - v.w[j]);
    EXPECT_NEAR(it.problem.squared_distance(u, v), expected, 1e-13 * expected);
    EXPECT_EQ(it.problem.squared_distance(u, u), 0.0);
  });
}

TEST(RandomBinaryProblem, ExtrapolateCarriesTheScoresAlong) {
  for_each_problem([](const Instance& it) {
    const Point u = it.random_point(1, 0.5);
    const Point v = it.random_point(2, 0.5);
    for (const double omega : {0.0, 0.3, 1.0, -0.5}) {
      Point out;
      it.problem.extrapolate(u, v, omega, out);
      for (Index j = 0; j < it.data.x.cols(); ++j) {
        EXPECT_NEAR(out.w[j], u.w[j] + omega * (u.w[j] - v.w[j]), 1e-14);
      }
      if (!it.data.exact_intercept()) {
        EXPECT_NEAR(out.b, u.b + omega * (u.b - v.b), 1e-14);
      }
      const Point fresh = it.problem.point(out.b, out.w);
      for (std::size_t i = 0; i < out.scores.size(); ++i) EXPECT_NEAR(out.scores[i], fresh.scores[i], 1e-12);
    }
  });
}

TEST(RandomBinaryProblem, AnExactInterceptIsAlwaysTheBestOne) {
  for_each_problem([](const Instance& it) {
    if (!it.data.exact_intercept()) return;  // a variable of the loop, or absent
    const auto expect_best = [&](const Point& u) {
      const std::vector<double> w = it.coefficients(u);
      EXPECT_NEAR(test::reference_gradient(it.data, u.b, w).b + it.data.parameters.lambda3 * u.b, 0.0, 1e-14);
      for (const double step : {-1.0, -1e-3, 1e-3, 1.0}) {
        EXPECT_LE(it.problem.objective(u), test::reference_objective(it.data, u.b + step, w) + 1e-14);
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

TEST(RandomBinaryProblem, ConstantIsTheBestPointWithoutFeatures) {
  for_each_problem([](const Instance& it) {
    const Point u = it.problem.constant();
    EXPECT_EQ(u.w, SparseCoefficients{});
    if (!it.data.parameters.intercept) {
      EXPECT_EQ(u.b, 0.0);
      return;
    }
    for (double b = -3.0; b <= 3.0; b += 0.01) {
      EXPECT_LE(it.problem.objective(u), test::reference_objective(it.data, b, it.coefficients(u)) + 1e-14);
    }
  });
}

TEST(RandomBinaryProblem, ProximalStepMinimisesTheModel) {
  for_each_problem([](const Instance& it) {
    for (const Point& at : it.points()) {
      Gradient gradient;
      it.problem.gradient(at, gradient);
      for (const double L : {0.05, 1.0, 20.0}) {
        Point next;
        it.problem.proximal_step(at, gradient, L, next);
        // <gradient, u> + L/2 |u - at|^2 + g(u) over the coefficients, and over an intercept that is a
        // variable.
        const auto model = [&](double b, const std::vector<double>& w) {
          Point u = next;
          u.b = it.data.exact_intercept() ? next.b : b;
          u.w = nonzeros(w);
          double value = it.problem.penalty(u) + 0.5 * L * it.problem.squared_distance(u, at);
          if (!it.data.exact_intercept()) value += gradient.b * b;
          for (std::size_t j = 0; j < w.size(); ++j) value += gradient.w[j] * w[j];
          return value;
        };
        const std::vector<double> best_w = it.coefficients(next);
        const double best = model(next.b, best_w);
        for (std::uint64_t trial = 0; trial < 20; ++trial) {
          const std::vector<double> step = test::random_vector(trial, best_w.size(), 0.05);
          std::vector<double> w = best_w;
          for (std::size_t j = 0; j < w.size(); ++j) w[j] += step[j];
          const double b = it.data.parameters.intercept ? next.b + step[0] : 0.0;
          EXPECT_GE(model(b, w), best - 1e-13 * (1.0 + std::abs(best)));
        }
        if (!it.data.parameters.intercept) {
          EXPECT_EQ(next.b, 0.0);
        }
        const Point fresh = it.problem.point(next.b, next.w);
        for (std::size_t i = 0; i < next.scores.size(); ++i)
          EXPECT_NEAR(next.scores[i], fresh.scores[i], 1e-12);
      }
    }
  });
}

TEST(RandomBinaryProblem, DualObjectiveIsBelowEveryObjective) {
  for_each_problem([](const Instance& it) {
    const std::vector<Point> all = it.points();
    double lowest = it.problem.objective(all[0]);
    for (const Point& v : all) lowest = std::min(lowest, it.problem.objective(v));
    for (const Point& u : all) {
      Gradient gradient;
      it.problem.gradient(u, gradient);
      const double dual = it.problem.dual_objective(u, gradient);
      EXPECT_LE(dual, lowest + 1e-14);
      EXPECT_GE(dual, 0.0);
      // At least as good as the unscaled point, up to what is kept back for the rounding of a free intercept.
      EXPECT_GE(dual, test::reference_dual(it.data, u) - 1e-12 * (1.0 + std::abs(u.b)));
    }
  });
}

TEST(RandomBinaryProblem, SupportAndViolatorsAreWhatTheySay) {
  for_each_problem([](const Instance& it) {
    std::vector<double> w = it.coefficients(it.random_point(3, 1.0));
    w[1] = 0.0;
    const Point u = it.problem.point(0.0, w);
    std::vector<Index> support;
    for (std::size_t j = 0; j < w.size(); ++j) {
      if (w[j] != 0.0) support.push_back(static_cast<Index>(j));
    }
    EXPECT_EQ(it.problem.support(u), support);
    EXPECT_EQ(it.problem.count_nonzeros(u), static_cast<Index>(support.size()));

    Gradient gradient;
    it.problem.gradient(u, gradient);
    const std::vector<Index> known = {0, 2};
    for (const double slack : {0.0, 0.5}) {
      std::vector<Index> expected;
      for (std::size_t j = 0; j < w.size(); ++j) {
        const bool is_known = j == 0 || j == 2;
        if (!is_known &&
            std::abs(gradient.w[j]) > it.problem.parameters().penalty.threshold(j) * (1.0 + slack)) {
          expected.push_back(static_cast<Index>(j));
        }
      }
      EXPECT_EQ(it.problem.violators(gradient, known, slack), expected);
    }
    const std::vector<double>& factors = it.data.parameters.penalty.factors;
    EXPECT_EQ(it.problem.unpenalised(),
              !factors.empty() && factors[0] == 0.0 ? std::vector<Index>{0} : std::vector<Index>{});
    EXPECT_EQ(it.problem.lambda1_max(gradient), it.data.parameters.penalty.lambda1_max(gradient.w));
  });
}

TEST(RandomBinaryProblem, TheSameBitsForAnyNumberOfThreads) {
  for_each_problem([](const Instance& it) {
    const Point u = it.random_point(1, 1.0);
    Gradient one;
    double L = 0.0;
    with_threads(1, [&] {
      it.problem.gradient(u, one);
      L = it.problem.lipschitz();
    });
    with_threads(4, [&] {
      Gradient four;
      it.problem.gradient(u, four);
      EXPECT_EQ(four.w, one.w);
      EXPECT_EQ(it.problem.lipschitz(), L);
    });
  });
}

// Sample weights against repeated samples: weights (2, 1, 1) are the first sample twice.
TEST(BinaryProblem, AWeightOfTwoIsASampleTwice) {
  ProblemData once = test::random_problem({.seed = 5, .n = 6, .p = 4});
  ProblemData twice = once;
  once.s = {2, 1, 1, 1, 1, 1};
  for (double& weight : once.s) weight *= 6.0 / 7.0;
  twice.x = DenseMatrix<double>(7, 4);
  for (Index j = 0; j < 4; ++j) {
    for (Index i = 0; i < 6; ++i) twice.x(i, j) = once.x(i, j);
    twice.x(6, j) = once.x(0, j);
  }
  twice.y.push_back(once.y[0]);
  twice.s = std::vector<double>(7, 1.0);
  const DenseProblem a = once.problem();
  const DenseProblem b = twice.problem();
  EXPECT_NEAR(a.lipschitz(), b.lipschitz(), 1e-13);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Point u = a.point(0.3, test::random_vector(seed, 4));
    const Point v = b.point(0.3, test::random_vector(seed, 4));
    EXPECT_NEAR(a.objective(u), b.objective(v), 1e-14);
    Gradient at_u;
    Gradient at_v;
    a.gradient(u, at_u);
    b.gradient(v, at_v);
    EXPECT_NEAR(at_u.b, at_v.b, 1e-14);
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(at_u.w[j], at_v.w[j], 1e-14);
    EXPECT_NEAR(a.dual_objective(u, at_u), b.dual_objective(v, at_v), 1e-14);
  }
}

TEST(BinaryProblem, ObjectiveOfTheSolvedProblems) {
  for (const test::SolvedProblem& solved : test::solved_problems()) {
    const DenseProblem problem = solved.problem();
    const Point u = problem.point(solved.b, solved.w);
    Gradient gradient;
    problem.gradient(u, gradient);
    EXPECT_NEAR(problem.objective(u), solved.objective, 1e-15) << solved.name;
    // At the solution both bounds meet.
    EXPECT_NEAR(problem.dual_objective(u, gradient), solved.objective, 1e-14) << solved.name;
    EXPECT_LE(test::reference_violation(solved, solved.b, solved.w), 1e-15) << solved.name;
  }
}

// One problem over every design: the same numbers up to the order of sums, and up to the storage in float.
TEST(BinaryProblem, DoesNotDependOnTheDesign) {
  const ProblemData data = test::random_problem({.seed = 8, .n = 30, .p = 20, .density = 0.4});
  const DenseProblem reference = data.problem();
  const Point at = reference.point(0.2, test::random_vector(1, 20, 0.3));
  Gradient expected;
  reference.gradient(at, expected);
  const auto check = [&](const auto& design, double error) {
    const BinaryProblem problem(design, data.y, data.s, data.parameters);
    const auto u = problem.point(at.b, at.w);
    typename std::decay_t<decltype(problem)>::Gradient gradient;
    problem.gradient(u, gradient);
    EXPECT_NEAR(problem.objective(u), reference.objective(at), error);
    EXPECT_NEAR(problem.lipschitz(), reference.lipschitz(), error * reference.lipschitz());
    EXPECT_NEAR(gradient.b, expected.b, error);
    for (std::size_t j = 0; j < 20; ++j) EXPECT_NEAR(gradient.w[j], expected.w[j], error);
    EXPECT_NEAR(problem.dual_objective(u, gradient), reference.dual_objective(at, expected), 10.0 * error);
  };
  check(test::to_csc<double>(data.x), 1e-14);
  check(test::to_dense<float>(data.x), 1e-6);
  check(test::to_csc<float>(data.x), 1e-6);
}

}  // namespace
}  // namespace hsvm
