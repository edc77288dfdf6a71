// Cross-validation over a grid: a point of the grid, the same for the same folds, and better than a bad one; of
// equals the one that was asked for.

#include "experiments/methods/tuning.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "experiments/methods/measures.hpp"

namespace hsvm::lab {
namespace {

class BinaryTuning : public testing::Test {
 protected:
  [[nodiscard]] Parameters tuned(Method method, const Grid& grid) const {
    return choose_parameters(method, data_, folds_for(*data_.labels, 4, 1), grid, {});
  }
  Dataset data_ = generate(GaussianDesign{.n = 40, .p = 12, .s = 4, .seed = 5});
};

TEST_F(BinaryTuning, ChoosesAPointOfTheGrid) {
  const Grid grid{.lambda2s = {10.0, 0.1}, .n_lambdas = 3, .lambda_min_ratio = 0.1, .same_lambda1s = true};
  const double top = largest_lambda1(data_, {.lambda2 = 10.0, .lambda3 = 10.0});
  for (const Method method : {Method::newton, Method::admm}) {
    const Parameters chosen = tuned(method, grid);
    EXPECT_TRUE(chosen.lambda2 == 0.1 || chosen.lambda2 == 10.0);
    EXPECT_EQ(chosen.lambda3, chosen.lambda2);
    EXPECT_LT(chosen.lambda1, top);
    EXPECT_GE(chosen.lambda1, 0.1 * top * (1.0 - 1e-12));
    EXPECT_EQ(tuned(method, grid).lambda1, chosen.lambda1);
  }
}

TEST_F(BinaryTuning, TakesTheMiddleOfEquals) {
  // Four relevant features far apart: every point classifies all held-out samples, so all are equal.
  DenseMatrix<double> x = *data_.design.get_if<DenseMatrix<double>>();
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j < 4; ++j) x(i, j) += i % 2 == 0 ? 9.0 : -9.0;
  }
  data_.design = std::move(x);
  const Grid grid{.lambda2s = {1.0, 0.1}, .n_lambdas = 5, .lambda_min_ratio = 0.01};
  const double top = largest_lambda1(data_, {.lambda2 = 1.0, .lambda3 = 1.0});
  const Parameters chosen = tuned(Method::newton, grid);
  EXPECT_EQ(chosen.lambda2, 1.0);
  EXPECT_NEAR(chosen.lambda1, top * std::pow(0.01, 3.0 / 5.0), 1e-9 * top);
}

TEST_F(BinaryTuning, HasACostForLiblinear) {
  if (!is_available(Method::liblinear)) GTEST_SKIP() << "no LIBLINEAR in this build";
  const Grid grid{.intercept = false, .costs = {1e-6, 1.0}};
  const Parameters chosen = tuned(Method::liblinear, grid);
  EXPECT_EQ(chosen.cost, 1.0) << "at 1e-6 there is no model at all";
  EXPECT_FALSE(chosen.intercept);
}

// `hsvm cv` finds the same accuracies, on the same folds and grid.
TEST_F(BinaryTuning, AgreesWithTheLibrarysOwn) {
  Grid grid = binary_grid();
  grid.n_lambdas = 6;
  const std::vector<Index> folds = folds_for(*data_.labels, 4, 1);
  const Parameters chosen = choose_parameters(Method::newton, data_, folds, grid, {});
  const double largest = largest_lambda1(data_, {.lambda2 = 1.0, .lambda3 = 1.0});
  PathOptions path;
  for (int k = 1; k <= 6; ++k) path.lambda_grid.push_back(largest * std::pow(0.01, k / 6.0));
  TuneOptions options;
  options.fold_of_sample = folds;
  options.lambda2_grid = {1.0};
  double best = 0.0;
  for (const TuningPoint& point :
       tune({data_}, {.lambda3 = 1.0, .standardize = false}, path, options).tuning.grid)
    best = std::max(best, point.score(Score::accuracy)->mean);
  EXPECT_NEAR(chosen.held_out, 100.0 * best, 1e-9);
}

constexpr std::array kMulticlass = {Method::m_pgh, Method::newton, Method::delta_tuned, Method::l1,
                                    Method::sup,   Method::ova,    Method::ova_tuned,   Method::ddag};

Grid small_grid() {
  Grid grid;
  grid.lambda2s = {1, 0.1};
  grid.n_lambdas = grid.n_lp_lambdas = 4;
  grid.costs = {0.1, 1};
  grid.ddag_costs = {1};
  return grid;
}

TEST(MulticlassTuning, AreTunedTrainedAndTested) {
  const Dataset training = generate(FourClassDesign{.n = 48, .p = 20, .s = 12, .seed = 1});
  const Dataset test = generate(FourClassDesign{.n = 40, .p = 20, .s = 12, .seed = 2});
  const std::vector<Index> folds = folds_for(*training.labels, 3, 1);
  for (const Method method : kMulticlass) {
    if (!is_available(method)) continue;
    SCOPED_TRACE(name_of(method));
    const Parameters parameters = choose_parameters(method, training, folds, small_grid(), {});
    const Solved solved = solve(method, training, parameters);
    ASSERT_EQ(solved.predict(test).size(), 40U);
    EXPECT_TRUE(solved.converged());
    const Json json = measures(solved, test);
    EXPECT_GT(json.at("accuracy").get<double>(), 60.0);  // of four classes far apart
    EXPECT_EQ(json.contains("nonzeros"), method != Method::ddag);
    EXPECT_EQ(json.contains("rows"), method != Method::ddag);
    EXPECT_EQ(to_json(parameters_from(to_json(parameters))), to_json(parameters));
  }
}

TEST(MulticlassTuning, ChoosesAmongEquals) {
  // Each class has a feature of its own: whatever is not empty has every held-out sample right.
  DenseMatrix<double> x(12, 3);
  std::vector<std::string> labels;
  for (Index i = 0; i < x.rows(); ++i) {
    x(i, i % 3) = 1.0;
    labels.emplace_back(1, static_cast<char>('a' + i % 3));
  }
  const Dataset data{
      .source = "three", .design = std::move(x), .labels = make_labels(labels), .feature_names = {}};
  const std::vector<Index> folds = folds_for(*data.labels, 2, 1);
  const Parameters chosen = choose_parameters(Method::newton, data, folds, small_grid(), {});
  EXPECT_EQ(chosen.lambda2, 1.0);
  EXPECT_EQ(chosen.lambda3, 1.0);
  EXPECT_EQ(chosen.held_out, 100.0);
  const double largest =
      fit_path({.data = data},
               {.lambda2 = 1.0, .lambda3 = 1.0, .margins = Margins::absolute, .standardize = false},
               {.nlambda = 1})
          .lambda1_max;
  EXPECT_NEAR(chosen.lambda1, largest * std::pow(0.01, 0.75), 1e-12);
  Grid sparsest = small_grid();
  sparsest.of_equals = OfEquals::sparsest;
  EXPECT_NEAR(choose_parameters(Method::newton, data, folds, sparsest, {}).lambda1,
              largest * std::pow(0.01, 0.25), 1e-12);
}

}  // namespace
}  // namespace hsvm::lab
