// Real data of several classes, where there is any: everything is certified, and the solvers agree.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hsvm/api.hpp"
#include "tests/support/real_data.hpp"

namespace hsvm::test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
constexpr Count kMaxEntries = 65'000;  // times the number of classes
#else
constexpr Count kMaxEntries = 900'000;
#endif

TEST(MulticlassData, IsSolvedWithProofByBothSolvers) {
  std::vector<RealData> sets = real_data("multiclass");
  std::erase_if(sets, [](const RealData& set) {
    return Count{set.n_samples} * set.n_features * set.n_classes > kMaxEntries;
  });
  if (sets.empty()) GTEST_SKIP() << "no real data here (HSVM_DATA)";
  for (const RealData& set : sets) {
    const Dataset data = read_dataset(set.path, {});
    EXPECT_EQ(data.n_samples(), set.n_samples) << set.name;
    EXPECT_EQ(data.labels->classes.size(), set.n_classes) << set.name;
    for (const double ratio : {0.5, 0.1, 0.02}) {
      for (const double lambda2 : {1.0, 0.01, 0.0001}) {
        SCOPED_TRACE(set.name + " " + std::to_string(ratio) + " " + std::to_string(lambda2));
        FitOptions options;
        options.lambda1_ratio = ratio;
        options.lambda2 = lambda2;
        const LinearModel one = fit({data}, options);
        const FitReport& pg = *one.report;
        options.solver = Solver::pg2;
        const FitReport pg2 = *fit({data}, options).report;
        EXPECT_EQ(pg.status, Status::converged);
        EXPECT_EQ(pg2.status, Status::converged);
        EXPECT_LE(std::max(pg.relative_gap, pg2.relative_gap), 1e-6);
        EXPECT_LE(std::abs(pg.objective - pg2.objective), std::max(pg.gap, pg2.gap));
        EXPECT_LE(pg.dual_objective, pg2.objective);
        EXPECT_LE(pg2.dual_objective, pg.objective);
        EXPECT_LE(pg.objective, 0.5 * (set.n_classes - 1) + 1e-12);  // F(0), at delta = 1

        double sum = 0.0;
        for (const double b : one.intercept) sum += b;
        EXPECT_NEAR(sum, 0.0, 1e-12);
        const auto n_classes = static_cast<std::size_t>(set.n_classes);
        for (std::size_t c = 0; c < one.features.size(); ++c) {
          double row = 0.0;
          double size = 0.0;
          for (std::size_t k = 0; k < n_classes; ++k) {
            row += one.coefficients[c * n_classes + k];
            size += std::abs(one.coefficients[c * n_classes + k]);
          }
          EXPECT_LE(std::abs(row), 1e-12 * size);
        }
      }
    }
  }
}

}  // namespace
}  // namespace hsvm::test
