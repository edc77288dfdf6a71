#include "hsvm/newton/row_quadratic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "hsvm/newton/class_column_hessian.hpp"
#include "hsvm/newton/class_gram_hessian.hpp"
#include "tests/newton/newton_support.hpp"
#include "tests/support/effort.hpp"

namespace hsvm {
namespace {

// sum_k (v_k - w_k)'H_k (v_k - w_k)/2 + <G, V - W> + sum_j tau_j |V_j|_1 over rows that sum to zero, H_k =
// scale X'D_k X + diag(ridge), written out.
struct RowModel {
  DenseMatrix<double> x;
  std::vector<Index> columns;
  bool ones = false;
  ClassMatrix curvatures;  // n x J: scale D
  std::vector<Index> y;
  std::vector<double> s;
  std::vector<double> ridge, tau;
  ClassMatrix g, w;             // m x J
  std::vector<test::Square> h;  // J

  [[nodiscard]] std::size_t n_classes() const { return h.size(); }
  [[nodiscard]] std::size_t size() const { return ridge.size(); }
  [[nodiscard]] ClassSamples samples() const { return {y, s, Margins::absolute}; }

  [[nodiscard]] test::Square gradient(const ClassMatrix& v) const {
    test::Square q(size(), std::vector<double>(n_classes()));
    for (std::size_t k = 0; k < n_classes(); ++k) {
      for (std::size_t a = 0; a < size(); ++a) {
        q[a][k] = g.row(static_cast<Index>(a))[k];
        for (std::size_t b = 0; b < size(); ++b)
          q[a][k] += h[k][a][b] * (v.row(static_cast<Index>(b))[k] - w.row(static_cast<Index>(b))[k]);
      }
    }
    return q;
  }
  [[nodiscard]] double value(const ClassMatrix& v) const {
    const test::Square q = gradient(v);
    double sum = 0.0;
    for (std::size_t a = 0; a < size(); ++a) {
      const auto row = static_cast<Index>(a);
      for (std::size_t k = 0; k < n_classes(); ++k) {
        sum += 0.5 * (q[a][k] + g.row(row)[k]) * (v.row(row)[k] - w.row(row)[k]) +
               tau[a] * std::abs(v.row(row)[k]);
      }
    }
    return sum;
  }
  // Every entry allows its row's multiplier an interval; what is missing for them to meet is the violation.
  [[nodiscard]] double violation(const ClassMatrix& v) const {
    const test::Square q = gradient(v);
    double worst = 0.0;
    for (std::size_t a = 0; a < size(); ++a) {
      double low = -std::numeric_limits<double>::infinity();
      double high = std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < n_classes(); ++k) {
        const double value = v.row(static_cast<Index>(a))[k];
        low = std::max(low, q[a][k] + (value > 0.0 ? tau[a] : -tau[a]));
        high = std::min(high, q[a][k] + (value < 0.0 ? -tau[a] : tau[a]));
      }
      worst = std::max(worst, 0.5 * (low - high));
    }
    return worst;
  }
};

double largest_row_sum(const ClassMatrix& v) {
  double worst = 0.0;
  for (Index j = 0; j < v.rows(); ++j) {
    const auto row = v.row(j);
    worst = std::max(worst, std::abs(std::accumulate(row.begin(), row.end(), 0.0)));
  }
  return worst;
}

struct RowRecipe {
  std::uint64_t seed = 1;
  Index n = 40;
  Index m = 10;
  Index n_classes = 3;
  bool ones = true;
  double elbow = 0.5;
  double density = 1.0;
};

RowModel random_row_model(const RowRecipe& recipe) {
  Random random(recipe.seed, 4);
  RowModel model;
  model.x = test::coarse_matrix(random, recipe.n, recipe.m + 3, recipe.density);
  model.ones = recipe.ones;
  for (Index j = 0; j < recipe.m; ++j) model.columns.push_back(j + 1);
  const Index ones = recipe.ones ? 1 : 0;
  const Index size = recipe.m + ones;
  std::vector<Index> rows;
  for (Index i = 0; i < recipe.n; ++i) rows.push_back(i);
  model.curvatures.reset(recipe.n, recipe.n_classes);
  for (Index i = 0; i < recipe.n; ++i) {
    model.y.push_back(0);
    model.s.push_back(0.5 + random.uniform());
  }
  for (Index a = 0; a < size; ++a) model.ridge.push_back(0.02 + 0.05 * random.uniform());
  for (std::size_t k = 0; k < static_cast<std::size_t>(recipe.n_classes); ++k) {
    std::vector<double> weights;
    for (Index i = 0; i < recipe.n; ++i) {
      weights.push_back(random.uniform() < recipe.elbow ? model.s[static_cast<std::size_t>(i)] / recipe.n
                                                        : 0.0);
      model.curvatures.row(i)[k] = weights.back();
    }
    model.h.push_back(test::naive_gram(model.x, model.columns, ones, rows, weights));
    for (std::size_t a = 0; a < model.ridge.size(); ++a) model.h[k][a][a] += model.ridge[a];
  }
  model.g.reset(size, recipe.n_classes);
  model.w.reset(size, recipe.n_classes);
  for (Index a = 0; a < size; ++a) {
    for (double& value : model.g.row(a)) value = random.normal();
    model.tau.push_back(random.below(8) == 0 ? 0.0 : 0.6 * random.uniform());
    if (random.below(2) == 0) continue;
    // Some entries zero, the others with sum zero.
    const auto row = model.w.row(a);
    double sum = 0.0;
    for (std::size_t k = 1; k < row.size(); ++k) sum += row[k] = random.below(3) == 0 ? 0.0 : random.normal();
    row[0] = -sum;
  }
  if (recipe.ones) model.tau[0] = 0.0;
  return model;
}

// By a call for a fraction of the way, as a model that changes asks for, and then to the end.
template <class Shape>
ClassMatrix minimise(const RowModel& model, Shape& shape, double tolerance) {
  ClassMatrix v = model.w;
  RowQuadraticSolver<Shape> solver(shape, model.tau, v);
  double before = model.value(v);
  for (int call = 0; call < 5 && model.violation(v) > tolerance; ++call) {
    solver.minimise(0.1 * tolerance, call == 0 ? 0.3 : 0.0);
    const double now = model.value(v);
    EXPECT_LE(now, before + 1e-13 * (1.0 + std::abs(before))) << "the objective never rises";
    EXPECT_LE(largest_row_sum(v), 1e-12);
    before = now;
  }
  return v;
}

void begin(const RowModel& model, ClassGramHessian& shape) {
  WorkingColumns columns(model.x, model.ones);
  columns.change(model.columns);
  shape.refresh(columns, model.samples(), model.curvatures);
  shape.begin(1.0 / static_cast<double>(model.s.size()), model.ridge, model.g);
}

void begin(const RowModel& model, const WorkingColumns& columns, ClassColumnHessian& shape) {
  shape.begin(columns, model.samples(), model.curvatures, model.ridge, model.g);
  shape.prepare_sweeps();
}

std::vector<RowRecipe> row_recipes() {
  std::vector<RowRecipe> result;
  std::uint64_t seed = 0;
  for (const Index n_classes : {2, 3, 4, 7}) {
    for (const Index m : {1, 13, 30}) {
      for (const bool ones : {false, true}) {
        for (const double elbow : {0.1, 0.8}) {
          result.push_back({.seed = ++seed,
                            .n = seed % 2 == 0 ? 12 : 50,
                            .m = m,
                            .n_classes = n_classes,
                            .ones = ones,
                            .elbow = elbow,
                            .density = seed % 3 == 0 ? 0.3 : 1.0});
        }
      }
    }
  }
  return result;
}

TEST(RowQuadratic, EndsAtTheMinimiserWhateverTheShapeOfTheModel) {
  for (const RowRecipe& recipe : row_recipes()) {
    if (test::kIsSanitized && recipe.seed % 5 > 1) continue;  // two in five
    SCOPED_TRACE(testing::Message() << "seed " << recipe.seed << ": " << recipe.n << " x " << recipe.m << " x "
                                    << recipe.n_classes);
    const RowModel model = random_row_model(recipe);
    ClassGramHessian with_gram;
    begin(model, with_gram);
    const ClassMatrix expected = minimise(model, with_gram, 1e-8);
    EXPECT_LE(model.violation(expected), 1e-8);
    test::for_each_storage(model.x, [&]<class X>(const X& design) {
      WorkingColumns columns(design, model.ones);
      columns.change(model.columns);
      ClassColumnHessian shape;
      begin(model, columns, shape);
      const ClassMatrix v = minimise(model, shape, 1e-8);
      EXPECT_LE(model.violation(v), 1e-8);
      for (std::size_t a = 0; a < v.values().size(); ++a)
        EXPECT_NEAR(v.values()[a], expected.values()[a], 1e-5);
    });
  }
}

TEST(RowQuadratic, StaysWhereItIsOptimal) {
  RowModel model = random_row_model({.seed = 9, .n_classes = 4});
  model.w.reset(model.w.rows(), 4);
  for (Index a = 0; a < model.w.rows(); ++a) {
    const double tau = model.tau[static_cast<std::size_t>(a)];
    const auto g = model.g.row(a);
    std::ranges::fill(g, 5.0);  // a multiplier takes care of what is common
    g[1] += 0.9 * tau;
    g[2] -= 0.9 * tau;
  }
  ClassGramHessian shape;
  begin(model, shape);
  ClassMatrix v = model.w;
  RowQuadraticSolver(shape, model.tau, v).minimise(1e-12, 0.0);
  for (const double value : v.values()) EXPECT_EQ(value, 0.0);
}

// After moves the gradient is the gradient there, and apply is a product with H on the rows listed.
template <class Shape>
void expect_shape(const RowModel& model, Shape& shape) {
  Random random(9);
  ClassMatrix v = model.w;
  std::vector<double> change(model.n_classes());
  for (int round = 0; round < 20; ++round) {
    const auto j = static_cast<Index>(random.below(model.size()));
    for (std::size_t k = 0; k < change.size(); ++k) v.row(j)[k] += change[k] = random.normal();
    shape.move(j, change);
  }
  const test::Square q = model.gradient(v);
  std::vector<double> got(model.n_classes());
  for (std::size_t a = 0; a < model.size(); ++a) {
    shape.gradient(static_cast<Index>(a), got);
    for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], q[a][k], 1e-11);
    shape.curvature(static_cast<Index>(a), got);
    for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], model.h[k][a][a], 1e-12);
  }
  for (const double share : {0.3, 1.0}) {
    const std::vector<Index> rows = test::random_subset(random, static_cast<Index>(model.size()), share);
    ClassMatrix d(static_cast<Index>(model.size()), static_cast<Index>(model.n_classes()));
    ClassMatrix out(d.rows(), d.n_classes());
    for (const Index j : rows) {
      for (double& value : d.row(j)) value = random.normal();
    }
    shape.apply(rows, d, out);
    for (const Index j : rows) {
      for (std::size_t k = 0; k < model.n_classes(); ++k) {
        double sum = 0.0;
        for (const Index b : rows)
          sum += model.h[k][static_cast<std::size_t>(j)][static_cast<std::size_t>(b)] * d.row(b)[k];
        EXPECT_NEAR(out.row(j)[k], sum, 1e-11);
      }
    }
  }
}

TEST(RowQuadraticModels, AnswerAsTheFormulaSays) {
  for (const Index n_classes : {2, 3, 4, 5, 9}) {
    for (const bool ones : {false, true}) {
      const RowModel model =
          random_row_model({.seed = 50, .n = 33, .m = 14, .n_classes = n_classes, .ones = ones});
      ClassGramHessian with_gram;
      begin(model, with_gram);
      expect_shape(model, with_gram);
      test::for_each_storage(model.x, [&]<class X>(const X& design) {
        WorkingColumns columns(design, ones);
        columns.change(model.columns);
        ClassColumnHessian shape;
        begin(model, columns, shape);
        expect_shape(model, shape);
      });
    }
  }
}

}  // namespace
}  // namespace hsvm
