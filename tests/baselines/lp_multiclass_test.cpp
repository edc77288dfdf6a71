#ifdef HSVM_HAS_CLP
#include "baselines/lp_multiclass.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "baselines/admm.hpp"
#include "hsvm/core/error.hpp"
#include "hsvm/model/predict.hpp"
#include "tests/baselines/labelled.hpp"
#include "tests/support/problems.hpp"

namespace hsvm::test {
namespace {

using baselines::lp_multiclass;
using baselines::LpMulticlassOptions;
using baselines::LpMulticlassResult;
using baselines::RowNorm;
using testing::ElementsAreArray;

constexpr RowNorm kNorms[] = {RowNorm::l1, RowNorm::sup};

// P(b, W) straight from its formula, W by rows.
double objective(const Labelled& data, const LpMulticlassOptions& options, const std::vector<double>& b,
                 const std::vector<std::vector<double>>& w) {
  double losses = 0.0;
  for (Index i = 0; i < data.x.rows(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) {
      if (data.labels.of_sample[static_cast<std::size_t>(i)] == static_cast<Index>(k)) continue;
      double score = b[k];
      for (std::size_t j = 0; j < w.size(); ++j) score += data.x(i, static_cast<Index>(j)) * w[j][k];
      losses += std::max(0.0, 1.0 + score);
    }
  }
  double norms = 0.0;
  for (const std::vector<double>& row : w) {
    double sum = 0.0;
    double largest = 0.0;
    for (const double value : row) {
      sum += std::abs(value);
      largest = std::max(largest, std::abs(value));
    }
    norms += options.norm == RowNorm::l1 ? sum : largest;
  }
  return losses / data.x.rows() + options.lambda * norms;
}

std::vector<std::vector<double>> rows_of(const LinearModel& model) {
  const auto J = static_cast<std::size_t>(model.n_outputs());
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(model.n_features),
                                        std::vector<double>(J, 0.0));
  for (std::size_t c = 0; c < model.features.size(); ++c) {
    std::copy_n(model.coefficients.begin() + static_cast<std::ptrdiff_t>(c * J), J,
                rows[static_cast<std::size_t>(model.features[c])].begin());
  }
  return rows;
}

double sum_of(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0);
}

// A change of W's rows or b that keeps their sums.
std::vector<double> balanced(std::uint64_t seed, std::size_t size) {
  std::vector<double> change = random_vector(seed, size, 0.02);
  const double mean = sum_of(change) / static_cast<double>(size);
  for (double& value : change) value -= mean;
  return change;
}

TEST(LpMulticlass, IsOptimal) {
  for (const Index n_classes : {2, 3, 4, 5}) {
    const Labelled data = clouds(20, 8, n_classes, 0.7, static_cast<std::uint64_t>(n_classes));
    for (const RowNorm norm : kNorms) {
      for (const bool generate : {true, false}) {
        const LpMulticlassOptions options{.norm = norm, .lambda = 0.05, .generate_columns = generate};
        const LpMulticlassResult result = lp_multiclass(data.x, data.labels, options);
        EXPECT_EQ(result.status, Status::converged);
        EXPECT_LT(std::abs(result.gap), 1e-7);
        const std::vector<double>& b = result.model.intercept;
        const auto w = rows_of(result.model);
        EXPECT_NEAR(sum_of(b), 0.0, 1e-9);
        for (const auto& row : w) EXPECT_NEAR(sum_of(row), 0.0, 1e-9);
        EXPECT_NEAR(result.objective, objective(data, options, b, w), 1e-10);
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
          auto other_w = w;
          std::vector<double> other_b = b;
          for (std::size_t j = 0; j <= w.size(); ++j) {
            const std::vector<double> change = balanced(100 * seed + j, b.size());
            std::vector<double>& changed = j < w.size() ? other_w[j] : other_b;
            for (std::size_t k = 0; k < b.size(); ++k) changed[k] += change[k];
          }
          EXPECT_GE(objective(data, options, other_b, other_w), result.objective - 1e-7);
        }
      }
    }
  }
}

TEST(LpMulticlass, GeneratesColumnsToTheSameOptimum) {
  const Labelled data = clouds(16, 30, 4, 1.0, 8);
  for (const RowNorm norm : kNorms) {
    for (const double lambda : {0.2, 0.05}) {
      const LpMulticlassResult some =
          lp_multiclass(data.x, data.labels, {.norm = norm, .lambda = lambda, .generate_columns = true});
      const LpMulticlassResult all =
          lp_multiclass(data.x, data.labels, {.norm = norm, .lambda = lambda, .generate_columns = false});
      EXPECT_NEAR(some.objective, all.objective, 1e-6 * all.objective);
      const LpMulticlassResult sparse =
          lp_multiclass(to_csc<double>(data.x), data.labels, {.norm = norm, .lambda = lambda});
      EXPECT_NEAR(sparse.objective, some.objective, 1e-9);
    }
  }
}

// x_i = e_i in class i, three of each. By symmetry b = 0 and row i is t (2 for class i, -1 for the others):
// P = 2 (1 - t) + 3 lambda N, N = 4 t or 2 t, so t = 1 below lambda = 1/6 or 1/3 and t = 0 above.
// On these data Clp's answer is optimal for its scaled rows and columns alone: an atom stayed wanted although
// it was there, and was added for ever.
TEST(LpMulticlass, AddsNoColumnTwice) {
  const Labelled data = clouds(20, 1000, 3, 1.0, 2);
  for (const RowNorm norm : kNorms) {
    LpMulticlassOptions options{.norm = norm, .lambda = 0.005};
    options.limits.time_limit = 60.0;
    const LpMulticlassResult result = lp_multiclass(data.x, data.labels, options);
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_LT(result.rounds, 100);
    EXPECT_LT(result.gap, 1e-6 * result.objective);
  }
}

TEST(LpMulticlass, SolvesThreeCornersByHand) {
  const Labelled data{matrix({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), labels_of({0, 1, 2}, 3)};
  for (const RowNorm norm : kNorms) {
    const double scale = norm == RowNorm::l1 ? 1.0 : 2.0;
    const auto solve = [&](double lambda) {
      return lp_multiclass(data.x, data.labels, {.norm = norm, .lambda = scale * lambda});
    };
    EXPECT_NEAR(solve(0.1).objective, 1.2, 1e-9);
    EXPECT_NEAR(solve(0.16).objective, 1.92, 1e-9);
    EXPECT_NEAR(solve(0.17).objective, 2.0, 1e-9);
    EXPECT_TRUE(solve(0.17).model.features.empty());
  }
}

TEST(LpMulticlass, NormsAreProportionalUpToThreeClasses) {
  for (const Index n_classes : {2, 3}) {
    const Labelled data = clouds(18, 10, n_classes, 1.0, 21);
    const double l1 = lp_multiclass(data.x, data.labels, {.norm = RowNorm::l1, .lambda = 0.04}).objective;
    const double sup = lp_multiclass(data.x, data.labels, {.norm = RowNorm::sup, .lambda = 0.08}).objective;
    EXPECT_NEAR(l1, sup, 1e-8);
  }
  const Labelled data = clouds(18, 10, 4, 1.0, 21);
  const double l1 = lp_multiclass(data.x, data.labels, {.norm = RowNorm::l1, .lambda = 0.04}).objective;
  const double sup = lp_multiclass(data.x, data.labels, {.norm = RowNorm::sup, .lambda = 0.08}).objective;
  EXPECT_GT(l1 - sup, 1e-4);
}

// Two classes have w_2 = -w_1: the binary hinge with lambda1 = 2 lambda. ADMM comes from the other side.
TEST(LpMulticlass, AgreesWithAdmmOnTwoClasses) {
  for (const Index p : {5, 15}) {
    const Labelled data = clouds(12, p, 2, 1.5, 4);
    std::vector<double> y;
    for (const Index k : data.labels.of_sample) y.push_back(k == 1 ? 1.0 : -1.0);
    for (const double lambda1 : {0.05, 0.2}) {
      const LpMulticlassResult lp = lp_multiclass(data.x, data.labels, {.lambda = lambda1 / 2.0});
      const baselines::HingeProblem problem{data.x, y, lambda1};
      const baselines::AdmmResult admm = baselines::admm(problem, {.tolerance = 1e-10, .mu1 = 0.5, .mu2 = 0.5});
      EXPECT_NEAR(lp.objective, admm.objective, 1e-6);
      EXPECT_LT(admm.gap, 1e-6);
    }
  }
}

TEST(LpMulticlass, Predicts) {
  const Labelled data = clouds(40, 6, 3, 0.3, 2);
  const Labelled fresh = clouds(40, 6, 3, 0.3, 3);
  for (const RowNorm norm : kNorms) {
    const LinearModel model = lp_multiclass(data.x, data.labels, {.norm = norm, .lambda = 0.05}).model;
    EXPECT_EQ(model.features, (std::vector<Index>{0, 1}));
    EXPECT_THAT(predict(model, fresh.x).classes, ElementsAreArray(fresh.labels.of_sample));
  }
}

TEST(LpMulticlass, StopsWhenAsked) {
  const Labelled data = clouds(20, 30, 3, 1.0, 2);
  LpMulticlassOptions options{.lambda = 0.01};
  int asked = 0;
  options.limits.interrupted = [&] { return ++asked > 5; };
  EXPECT_EQ(lp_multiclass(data.x, data.labels, options).status, Status::interrupted);
}

TEST(LpMulticlass, RefusesWhatItCannotDo) {
  const Labelled data = clouds(6, 2, 3, 1.0, 1);
  EXPECT_EQ(message_of<OptionError>([&] { (void)lp_multiclass(data.x, data.labels, {.lambda = 0.0}); }),
            "lp_multiclass: lambda must be greater than 0");
  EXPECT_EQ(message_of<InputError>([&] {
              (void)lp_multiclass(data.x, labels_of({0, 1}, 2));
            }),
            "lp_multiclass: 2 labels for 6 samples");
}

}  // namespace
}  // namespace hsvm::test

#else
#include <gtest/gtest.h>

TEST(LpMulticlass, IsInThisBuild) {
  GTEST_SKIP() << "no coinor-libclp-dev when this was built";
}
#endif
