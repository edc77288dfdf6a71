#include "hsvm/newton/l1_quadratic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

#include "hsvm/newton/column_hessian.hpp"
#include "hsvm/newton/gram_hessian.hpp"
#include "tests/newton/newton_support.hpp"

namespace hsvm {
namespace {

// (v - w)'H (v - w)/2 + g'(v - w) + sum_j tau_j |v_j| with H = scale X_W'D X_W + diag(ridge), written out.
struct Model {
  DenseMatrix<double> x;
  std::vector<Index> columns;
  bool ones = false;
  std::vector<double> weights;  // n; 0 outside of the elbow
  double scale = 1.0;
  std::vector<double> ridge, g, w, tau;
  test::Square h;

  [[nodiscard]] std::vector<double> gradient(const std::vector<double>& v) const {
    std::vector<double> q = g;
    for (std::size_t a = 0; a < q.size(); ++a) {
      for (std::size_t b = 0; b < q.size(); ++b) q[a] += h[a][b] * (v[b] - w[b]);
    }
    return q;
  }
  [[nodiscard]] double value(const std::vector<double>& v) const {
    const std::vector<double> q = gradient(v);
    double sum = 0.0;
    for (std::size_t a = 0; a < q.size(); ++a)
      sum += 0.5 * (q[a] + g[a]) * (v[a] - w[a]) + tau[a] * std::abs(v[a]);
    return sum;
  }
  // The violations of optimality in the 2-norm.
  [[nodiscard]] double violation(const std::vector<double>& v) const {
    const std::vector<double> q = gradient(v);
    double sum = 0.0;
    for (std::size_t a = 0; a < q.size(); ++a) {
      const double off = v[a] != 0.0 ? q[a] + std::copysign(tau[a], v[a]) : shrink(q[a], tau[a]);
      sum += off * off;
    }
    return std::sqrt(sum);
  }
};

struct Recipe {
  std::uint64_t seed = 1;
  Index n = 40;
  Index m = 15;
  bool ones = true;
  double density = 1.0;
  double elbow = 0.5;   // share of the samples with curvature
  double ridge = 0.05;  // 0: just enough for H to be positive definite
};

Model random_model(const Recipe& recipe) {
  Random random(recipe.seed, 3);
  Model model;
  model.x = test::coarse_matrix(random, recipe.n, recipe.m + 5, recipe.density);
  model.ones = recipe.ones;
  for (Index j = 0; j < recipe.m; ++j) model.columns.push_back(j + 2);
  const Index ones = recipe.ones ? 1 : 0;
  std::vector<Index> rows;
  for (Index i = 0; i < recipe.n; ++i) {
    rows.push_back(i);
    model.weights.push_back(random.uniform() < recipe.elbow ? 0.5 + random.uniform() : 0.0);
  }
  model.scale = 1.0 / recipe.n;
  const auto size = static_cast<std::size_t>(recipe.m + ones);
  model.h = test::naive_gram(model.x, model.columns, ones, rows, model.weights);
  for (std::size_t a = 0; a < size; ++a) {
    for (double& value : model.h[a]) value *= model.scale;
    model.ridge.push_back(recipe.ridge > 0.0 ? recipe.ridge * (0.5 + random.uniform()) : 1e-12);
    model.h[a][a] += model.ridge[a];
    model.g.push_back(random.normal());
    model.w.push_back(random.below(2) == 0 ? 0.0 : random.normal());
    model.tau.push_back(random.below(8) == 0 ? 0.0 : 0.5 * random.uniform());
  }
  if (recipe.ones) model.tau[0] = 0.0;
  return model;
}

std::vector<double> minimise_with_gram(const Model& model, double tolerance) {
  SymmetricMatrix gram(static_cast<Index>(model.h.size()));
  for (std::size_t a = 0; a < model.h.size(); ++a) {
    for (std::size_t b = 0; b < model.h.size(); ++b) {
      gram.row(static_cast<Index>(a))[b] = (model.h[a][b] - (a == b ? model.ridge[a] : 0.0)) / model.scale;
    }
  }
  GramHessian shape;
  shape.begin(gram, model.scale, model.ridge, model.g);
  std::vector<double> v = model.w;
  L1QuadraticWorkspace space;
  L1QuadraticSolver(shape, model.tau, v, space).minimise(tolerance);
  return v;
}

template <class X>
std::vector<double> minimise_with_columns(const Model& model, const X& design, bool woodbury,
                                          double tolerance) {
  WorkingColumns columns(design, model.ones);
  columns.change(model.columns);
  std::vector<double> curvatures = model.weights;
  for (double& value : curvatures) value *= model.scale;
  ColumnHessian shape;
  shape.copy(columns, curvatures);
  shape.begin(model.ridge, model.g, woodbury);
  std::vector<double> v = model.w;
  L1QuadraticWorkspace space;
  L1QuadraticSolver(shape, model.tau, v, space).minimise(tolerance);
  return v;
}

std::vector<Recipe> recipes() {
  std::vector<Recipe> result;
  std::uint64_t seed = 0;
  for (const Index m : {1, 11, 12, 40}) {
    for (const Index n : {8, 60}) {
      for (const bool ones : {false, true}) {
        for (const double elbow : {0.0, 0.3, 1.0}) {
          result.push_back({.seed = ++seed, .n = n, .m = m, .ones = ones, .elbow = elbow});
        }
      }
    }
  }
  for (const double density : {0.1, 0.3})
    result.push_back({.seed = ++seed, .n = 50, .m = 30, .density = density});
  return result;
}

TEST(L1Quadratic, EndsAtTheMinimiserWhateverTheShapeOfTheModel) {
  for (const Recipe& recipe : recipes()) {
    SCOPED_TRACE(testing::Message() << "seed " << recipe.seed << ": " << recipe.n << " x " << recipe.m);
    const Model model = random_model(recipe);
    if (recipe.ones && recipe.elbow == 0.0 && model.ridge[0] == 0.0) continue;
    const std::vector<double> with_gram = minimise_with_gram(model, 1e-10);
    EXPECT_LE(model.violation(with_gram), 1e-8);
    EXPECT_LE(model.value(with_gram), model.value(model.w) + 1e-14);
    test::for_each_storage(model.x, [&](const auto& design) {
      for (const bool woodbury : {false, true}) {
        const std::vector<double> v = minimise_with_columns(model, design, woodbury, 1e-10);
        EXPECT_LE(model.violation(v), woodbury ? 1e-8 : 1e-6) << woodbury;
        for (std::size_t a = 0; a < v.size(); ++a) EXPECT_NEAR(v[a], with_gram[a], 1e-6) << woodbury;
      }
    });
  }
}

TEST(L1Quadratic, NoPointNearbyIsBetter) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Model model = random_model({.seed = 100 + seed});
    const std::vector<double> v = minimise_with_gram(model, 1e-11);
    const double least = model.value(v);
    Random random(seed);
    for (int round = 0; round < 200; ++round) {
      std::vector<double> other = v;
      for (double& value : other) value += (random.below(3) == 0 ? 1e-3 : 0.0) * random.normal();
      EXPECT_GE(model.value(other), least - 1e-13);
    }
  }
}

// Copies of a column, and hardly a ridge: the objective must still reach its minimum.
TEST(L1Quadratic, CopesWithCopiesOfAColumn) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Model model = random_model({.seed = 200 + seed, .n = 60, .m = 20, .elbow = 1.0, .ridge = 0.0});
    const Index first = model.columns[0];
    for (std::size_t c = 1; c < 10; ++c) {
      for (Index i = 0; i < 60; ++i) model.x(i, model.columns[c]) = model.x(i, first);
      model.g[c + 1] = model.g[1];
      model.tau[c + 1] = model.tau[1] = 0.1;
    }
    std::vector<Index> rows;
    for (Index i = 0; i < 60; ++i) rows.push_back(i);
    model.h = test::naive_gram(model.x, model.columns, 1, rows, model.weights);
    for (std::size_t a = 0; a < model.h.size(); ++a) {
      for (double& value : model.h[a]) value *= model.scale;
      model.h[a][a] += model.ridge[a];
    }
    // Singular: what is left of the violations after some rounds has to do.
    const std::vector<double> v = minimise_with_gram(model, 1e-9);
    EXPECT_LE(model.violation(v), 1e-5);
  }
}

TEST(L1Quadratic, StaysWhereItIsOptimal) {
  Model model = random_model({.seed = 5});
  for (std::size_t a = 0; a < model.g.size(); ++a) {
    model.w[a] = 0.0;
    model.g[a] = 0.9 * model.tau[a];
  }
  for (const double value : minimise_with_gram(model, 1e-12)) EXPECT_EQ(value, 0.0);
}

// The less is asked for, the less is done, and what is done is a gain.
TEST(L1Quadratic, ReducesViolationsAsMuchAsTheEffortSays) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Model model = random_model({.seed = 400 + seed, .n = 60, .m = 30, .elbow = 1.0});
    WorkingColumns columns(model.x, model.ones);
    columns.change(model.columns);
    std::vector<double> curvatures = model.weights;
    for (double& value : curvatures) value *= model.scale;
    double before = model.value(model.w);
    for (const double reduction : {1.0, 0.1, 1e-3, 1e-6}) {
      ColumnHessian shape;
      shape.copy(columns, curvatures);
      shape.begin(model.ridge, model.g, 100);
      std::vector<double> v = model.w;
      L1QuadraticWorkspace space;
      L1QuadraticSolver(shape, model.tau, v, space).minimise(0.0, {.reduction = reduction});
      EXPECT_LE(model.value(v), before + 1e-14) << reduction;
      EXPECT_LE(model.violation(v), 20.0 * reduction * model.violation(model.w)) << reduction;
      before = model.value(v);
    }
  }
}

// A model of independent coordinates, each with the curvature 1, that counts how often it is asked.
struct CountingModel {
  std::vector<double> q;
  int n_asked = 0;

  [[nodiscard]] double gradient(Index j) {
    ++n_asked;
    return q[static_cast<std::size_t>(j)];
  }
  [[nodiscard]] static double inverse_curvature(Index) { return 1.0; }
  void move(Index j, double change) { q[static_cast<std::size_t>(j)] += change; }
  [[nodiscard]] static double value() { return 0.0; }
  [[nodiscard]] static bool solve(std::span<const Index>, std::span<double>, double) { return false; }
  [[nodiscard]] static double sweep_cost(std::span<const Index>) { return 1.0; }
  [[nodiscard]] static double solve_cost(std::span<const Index>) { return 1e9; }
};

// At v = -1e-12 the slope is 0.9 - 1 - 1, but zero is all that can be gained.
TEST(L1Quadratic, CountsACoefficientNextToZeroForWhatItCosts) {
  for (const double q : {-0.9, 0.9}) {
    CountingModel model{{q, 0.3}};
    std::vector<double> v = {std::copysign(1e-12, q), 0.0};
    const std::vector<double> tau = {1.0, 1.0};
    L1QuadraticWorkspace space;
    L1QuadraticSolver(model, tau, v, space).minimise(1e-3, {.reduction = 1e-9});
    EXPECT_EQ(v[0], 0.0);
    EXPECT_EQ(model.n_asked, 2) << "one sweep, and it is done";
  }
  CountingModel far{{-2.0, 0.3}};
  std::vector<double> v = {-1e-12, 0.0};
  const std::vector<double> tau = {1.0, 1.0};
  L1QuadraticWorkspace space;
  L1QuadraticSolver(far, tau, v, space).minimise(1e-3, {.reduction = 1e-9});
  EXPECT_NEAR(v[0], 1.0, 1e-11) << "beyond zero there is more to gain";
  EXPECT_GT(far.n_asked, 2);
}

// The model as its parts see it: after moves, the gradient is the gradient there, and solve is H^{-1}.
template <class Shape>
void expect_shape(const Model& model, Shape& shape, double accuracy) {
  Random random(9);
  std::vector<double> v = model.w;
  for (int round = 0; round < 30; ++round) {
    const auto j = static_cast<Index>(random.below(v.size()));
    const double change = random.normal();
    shape.move(j, change);
    v[static_cast<std::size_t>(j)] += change;
  }
  const std::vector<double> q = model.gradient(v);
  for (std::size_t a = 0; a < v.size(); ++a) {
    EXPECT_NEAR(shape.gradient(static_cast<Index>(a)), q[a], 1e-11);
    EXPECT_NEAR(1.0 / shape.inverse_curvature(static_cast<Index>(a)), model.h[a][a], 1e-12);
  }
  for (const double share : {0.2, 0.6, 1.0}) {
    const std::vector<Index> support = test::random_subset(random, static_cast<Index>(v.size()), share);
    const std::vector<double> right = test::random_vector(4, support.size());
    std::vector<double> solved = right;
    if (support.empty()) continue;
    ASSERT_TRUE(shape.solve(support, solved, 0.0));
    for (std::size_t a = 0; a < support.size(); ++a) {
      double sum = 0.0;
      for (std::size_t b = 0; b < support.size(); ++b)
        sum += model.h[static_cast<std::size_t>(support[a])][static_cast<std::size_t>(support[b])] * solved[b];
      EXPECT_NEAR(sum, right[a], accuracy);
    }
  }
}

TEST(L1QuadraticModels, AnswerAsTheFormulaSays) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (const bool ones : {false, true}) {
      const Model model = random_model({.seed = 300 + seed, .n = 30, .m = 25, .ones = ones});
      SymmetricMatrix gram(static_cast<Index>(model.h.size()));
      for (std::size_t a = 0; a < model.h.size(); ++a) {
        for (std::size_t b = 0; b < model.h.size(); ++b) {
          gram.row(static_cast<Index>(a))[b] = (model.h[a][b] - (a == b ? model.ridge[a] : 0.0)) / model.scale;
        }
      }
      GramHessian with_gram;
      with_gram.begin(gram, model.scale, model.ridge, model.g);
      expect_shape(model, with_gram, 1e-11);

      std::vector<double> curvatures = model.weights;
      for (double& value : curvatures) value *= model.scale;
      test::for_each_storage(model.x, [&]<class X>(const X& design) {
        WorkingColumns columns(design, ones);
        columns.change(model.columns);
        ColumnHessian shape;
        for (const bool woodbury : {false, true}) {
          shape.copy(columns, curvatures);
          shape.begin(model.ridge, model.g, woodbury);
          expect_shape(model, shape, woodbury ? 1e-10 : 1e-6);
        }
      });
    }
  }
}

}  // namespace
}  // namespace hsvm
