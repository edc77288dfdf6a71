#include "hsvm/newton/sample_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "hsvm/newton/l1_quadratic.hpp"
#include "tests/newton/newton_support.hpp"

namespace hsvm {
namespace {

struct Case {
  std::uint64_t seed = 1;
  Index n = 20;
  Index m = 60;
  bool intercept = true;
  double lambda2 = 0.1;
  double lambda3 = 0.0;
  double elbow = 0.6;  // share of the samples with curvature
};

// A model as Newton's method makes them: tau the same for all features, g of features alone.
struct DrawnModel {
  explicit DrawnModel(const Case& drawn) {
    Random random(drawn.seed, 5);
    x = test::coarse_matrix(random, drawn.n, drawn.m + 3);
    for (Index j = 0; j < drawn.m; ++j) features.push_back(j + 1);
    for (Index i = 0; i < drawn.n; ++i)
      curvatures.push_back(random.uniform() < drawn.elbow ? (0.5 + random.uniform()) / drawn.n : 0.0);
    const std::size_t first = drawn.intercept ? 1 : 0;
    for (std::size_t k = 0; k < features.size() + first; ++k) {
      g.push_back(0.5 * random.normal());
      w.push_back(random.below(2) == 0 ? 0.0 : random.normal());
      tau.push_back(k < first ? 0.0 : 0.3);
    }
    if (drawn.intercept && drawn.elbow == 0.0 && drawn.lambda3 == 0.0) g[0] = 0.0;  // else it is unbounded
  }

  // Where the model is least the gradient vanishes up to the l1 term: the largest part of it that does not.
  [[nodiscard]] double violation(const Case& drawn, const Design& design, std::span<const double> v) const {
    WorkingColumns columns(design, drawn.intercept);
    columns.change(features);
    std::vector<double> move(v.size());
    for (std::size_t k = 0; k < v.size(); ++k) move[k] = v[k] - w[k];
    std::vector<double> scores(curvatures.size());
    columns.multiply(move, scores);
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] *= curvatures[i];
    std::vector<double> q(v.size());
    columns.multiply_transposed(scores, std::accumulate(scores.begin(), scores.end(), 0.0), q);
    double worst = 0.0;
    for (std::size_t k = 0; k < v.size(); ++k) {
      const bool is_intercept = drawn.intercept && k == 0;
      q[k] += g[k] + (is_intercept ? drawn.lambda3 : drawn.lambda2) * move[k];
      const double off = v[k] != 0.0 ? q[k] + std::copysign(tau[k], v[k]) : shrink(q[k], tau[k]);
      worst = std::max(worst, std::abs(off));
    }
    return worst;
  }

  DenseMatrix<double> x;
  std::vector<Index> features;
  std::vector<double> curvatures, g, w, tau;
};

void expect_minimum(const Case& drawn, const Design& design, SampleModel& model) {
  const DrawnModel terms(drawn);
  WorkingColumns columns(design, drawn.intercept);
  columns.change(terms.features);
  std::vector<double> v = terms.w;
  std::vector<double> change(terms.curvatures.size());
  ASSERT_TRUE(model.minimise(columns, {terms.curvatures, drawn.lambda2, drawn.lambda3, terms.g, terms.tau},
                             1e-22, v, change));
  EXPECT_LT(terms.violation(drawn, design, v), 1e-9);
  std::vector<double> move(v.size());
  for (std::size_t k = 0; k < v.size(); ++k) move[k] = v[k] - terms.w[k];
  std::vector<double> scores(change.size());
  columns.multiply(move, scores);
  for (std::size_t i = 0; i < scores.size(); ++i)
    EXPECT_NEAR(change[i], scores[i], 1e-12 * (1.0 + std::abs(scores[i])));
}

TEST(SampleModel, EndsAtTheMinimiserOfItsModel) {
  std::uint64_t seed = 0;
  for (const bool intercept : {false, true}) {
    for (const double lambda3 : {0.0, 1e-6, 1.0}) {
      for (const double lambda2 : {1e-3, 0.1, 10.0}) {
        for (const double elbow : {0.0, 0.2, 1.0}) {
          for (const Index m : {1, 15, 80}) {
            Case drawn{.seed = ++seed, .m = m, .intercept = intercept, .lambda2 = lambda2, .lambda3 = lambda3};
            drawn.elbow = elbow;
            SCOPED_TRACE(testing::Message() << "seed " << seed << ": intercept " << intercept << ", lambda2 "
                                            << lambda2 << ", lambda3 " << lambda3 << ", elbow " << elbow);
            SampleModel model;
            expect_minimum(drawn, DrawnModel(drawn).x, model);
          }
        }
      }
    }
  }
}

TEST(SampleModel, TakesEveryStorage) {
  const Case drawn{.seed = 7};
  test::for_each_storage(DrawnModel(drawn).x, [&](const Design& design) {
    SampleModel model;
    expect_minimum(drawn, design, model);
  });
}

// What is kept of X_S X_S' is right after columns have come and gone.
TEST(SampleModel, KeepsProductsFromModelToModel) {
  const DrawnModel first({.seed = 11});
  SampleModel model;
  WorkingColumns columns(first.x, true);
  columns.change(first.features);
  for (int k = 0; k < 12; ++k) {
    const Case drawn{.seed = 11, .lambda2 = 0.1 + 0.02 * k, .elbow = 0.6};
    DrawnModel terms(drawn);
    for (double& tau : terms.tau) tau *= 1.5 - 0.1 * k;
    for (std::size_t i = 0; i < terms.curvatures.size(); ++i)
      terms.curvatures[i] *= (i + static_cast<std::size_t>(k)) % 5 == 0 ? 0.0 : 1.0;
    std::vector<double> v = terms.w;
    std::vector<double> change(terms.curvatures.size());
    ASSERT_TRUE(
        model.minimise(columns, {terms.curvatures, drawn.lambda2, 0.0, terms.g, terms.tau}, 1e-22, v, change));
    EXPECT_LT(terms.violation(drawn, first.x, v), 1e-9);
  }
}

// One sample, one feature x = 2, no intercept. With w = 0, g = -1, D = 1, lambda2 = 1 and
// tau = 0.5 the minimiser of 4 v^2/2 + v^2/2 - v + |v|/2 is v = 0.1.
TEST(SampleModel, SolvesOneSampleByHand) {
  DenseMatrix<double> x(1, 1);
  x(0, 0) = 2.0;
  WorkingColumns columns(x, false);
  columns.change(std::vector<Index>{0});
  const std::vector<double> curvatures = {1.0};
  const std::vector<double> g = {-1.0};
  const std::vector<double> tau = {0.5};
  std::vector<double> v = {0.0};
  std::vector<double> change(1);
  SampleModel model;
  ASSERT_TRUE(model.minimise(columns, {curvatures, 1.0, 0.0, g, tau}, 1e-30, v, change));
  EXPECT_NEAR(v[0], 0.1, 1e-15);
  EXPECT_NEAR(change[0], 0.2, 1e-15);
}

}  // namespace
}  // namespace hsvm
