// A kind of matrix that the library knows nothing of, defined here in full: the library fits, follows paths and
// cross-validates with it through the same verbs. What docs/add_a_matrix.md quotes.
#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <vector>

#include "hsvm/api.hpp"
#include "hsvm/data/visit_matrix.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

// The first p columns of the Walsh-Hadamard matrix of order n, a power of 2: x_ij = +1 or -1 as the number of bits that i
// and j share is even or odd. Nothing is stored; a product with any number of columns takes n log2 n additions.
class HadamardDesign final : public Design {
 public:
  HadamardDesign(Index n, Index p) : n_(n), p_(p) {}

  [[nodiscard]] Index rows() const override { return n_; }
  [[nodiscard]] Index cols() const override { return p_; }
  [[nodiscard]] Count stored() const override { return 0; }
  using Design::multiply;
  using Design::multiply_transposed;
  void multiply(Columns columns, std::span<const double> w, std::span<double> out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t c = 0; c < columns.size(); ++c) out[static_cast<std::size_t>(columns[c])] += w[c];
    transform(out);
  }
  void multiply_transposed(Columns columns, std::span<const double> r, std::span<double> out) const override {
    std::vector<double> all(r.begin(), r.end());
    transform(all);
    for (std::size_t c = 0; c < columns.size(); ++c) out[c] = all[static_cast<std::size_t>(columns[c])];
  }

 private:
  static void transform(std::span<double> x) {
    for (std::size_t half = 1; half < x.size(); half *= 2) {
      for (std::size_t begin = 0; begin < x.size(); begin += 2 * half) {
        for (std::size_t k = begin; k < begin + half; ++k) {
          const double sum = x[k] + x[k + half];
          x[k + half] = x[k] - x[k + half];
          x[k] = sum;
        }
      }
    }
  }

  Index n_, p_;
};

constexpr Index kOwnSamples = 64;
constexpr Index kFeatures = 48;

DenseMatrix<double> same_numbers() {
  DenseMatrix<double> x(kOwnSamples, kFeatures);
  for (Index j = 0; j < kFeatures; ++j) {
    for (Index i = 0; i < kOwnSamples; ++i)
      x(i, j) = std::popcount(static_cast<unsigned>(i & j)) % 2 == 0 ? 1.0 : -1.0;
  }
  return x;
}

Dataset data_with(SharedDesign design, Index n_classes) {
  Dataset data;
  data.source = "hadamard";
  const std::vector<double> noise = test::random_vector(5, static_cast<std::size_t>(kOwnSamples));
  Labels labels;
  for (Index k = 0; k < n_classes; ++k)
    labels.classes.names.push_back(std::string(1, static_cast<char>('a' + k)));
  const DenseMatrix<double> x = same_numbers();
  for (Index i = 0; i < kOwnSamples; ++i) {
    const double score = x(i, 3) + 0.5 * x(i, 17) + noise[static_cast<std::size_t>(i)];
    labels.of_sample.push_back(n_classes == 2 ? (score > 0.0 ? 1 : 0)
                                              : (score < -0.7  ? 0
                                                 : score < 0.7 ? 1
                                                               : 2));
  }
  data.design = std::move(design);
  data.labels = std::move(labels);
  return data;
}

void expect_near(const LinearModel& ours, const LinearModel& dense) {
  EXPECT_EQ(ours.features, dense.features);
  ASSERT_EQ(ours.coefficients.size(), dense.coefficients.size());
  for (std::size_t k = 0; k < ours.coefficients.size(); ++k)
    EXPECT_NEAR(ours.coefficients[k], dense.coefficients[k], 1e-7);
}

class OwnDesign : public testing::TestWithParam<Index> {
 protected:
  Dataset own_ = data_with(HadamardDesign(kOwnSamples, kFeatures), GetParam());
  Dataset dense_ = data_with(same_numbers(), GetParam());
};

TEST_P(OwnDesign, FitsWithEverySolver) {
  for (const bool standardize : {false, true}) {
    for (const Solver solver : {Solver::newton, Solver::pg, Solver::pg2}) {
      FitOptions options;
      options.standardize = standardize;
      options.solver = solver;
      options.tolerance = 1e-12;
      const LinearModel model = fit({.data = own_}, options);
      EXPECT_LE(model.report->relative_gap, 1e-12);
      EXPECT_FALSE(model.features.empty());
      expect_near(model, fit({.data = dense_}, options));
    }
  }
}

TEST_P(OwnDesign, KeepsTheBestRankedFeatures) {
  FitOptions options;
  options.keep_top = 5;
  options.tolerance = 1e-12;
  expect_near(fit({.data = own_}, options), fit({.data = dense_}, options));
}

TEST_P(OwnDesign, FollowsAPath) {
  FitOptions options;
  options.tolerance = 1e-10;
  const PathModel ours = fit_path({.data = own_}, options, {.nlambda = 20});
  const PathModel dense = fit_path({.data = dense_}, options, {.nlambda = 20});
  ASSERT_EQ(ours.points.size(), dense.points.size());
  for (std::size_t k = 0; k < ours.points.size(); ++k) {
    EXPECT_LE(ours.points[k].report->relative_gap, 1e-10);
    EXPECT_NEAR(ours.points[k].report->objective, dense.points[k].report->objective, 1e-9);
  }
}

TEST_P(OwnDesign, IsCrossValidatedAndPredictedWith) {
  TuneOptions folds;
  folds.folds = 4;
  const PathOptions grid{.nlambda = test::unless_sanitized(20, 6)};
  FitOptions options;
  options.tolerance = 1e-12;  // the two may be solved in different ways
  const TunedModel ours = tune({.data = own_}, options, grid, folds);
  const TunedModel dense = tune({.data = dense_}, options, grid, folds);
  EXPECT_EQ(ours.tuning.best, dense.tuning.best);
  expect_near(ours.best, dense.best);
  EXPECT_EQ(predict(ours.best, own_.design).classes, predict(dense.best, dense_.design).classes);
}

TEST_P(OwnDesign, HasRowsTakenAsADenseMatrix) {
  const std::vector<Index> rows = {5, 0, 63};
  const Dataset part = take_rows(own_, rows);
  const auto* const x = part.design.get_if<DenseMatrix<double>>();
  ASSERT_NE(x, nullptr);
  for (Index j = 0; j < kFeatures; ++j) {
    for (Index k = 0; k < 3; ++k) EXPECT_EQ((*x)(k, j), same_numbers()(rows[static_cast<std::size_t>(k)], j));
  }
  EXPECT_EQ(visit_matrix(own_.design,
                         [](const Design& copy) { return copy.column_dot(7, std::vector<double>(64, 1.0)); }),
            0.0);
}

INSTANTIATE_TEST_SUITE_P(TwoAndThreeClasses, OwnDesign, testing::Values(2, 3));

}  // namespace
}  // namespace hsvm
