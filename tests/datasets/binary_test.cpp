// Real binary data, where there is any: everything is certified, and the solvers agree. `make bench-data` runs
// the whole grid; here are the sets on which it takes a moment.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hsvm/api.hpp"
#include "tests/support/real_data.hpp"

namespace hsvm::test {
namespace {

constexpr Count kMaxEntries = 150'000;

TEST(BinaryData, IsSolvedWithProofByBothSolvers) {
  std::vector<RealData> sets = real_data("binary");
  std::erase_if(sets, [](const RealData& set) { return Count{set.n_samples} * set.n_features > kMaxEntries; });
  if (sets.empty()) GTEST_SKIP() << "no real data here (HSVM_DATA)";
  for (const RealData& set : sets) {
    const Dataset data = read_dataset(set.path, {});
    EXPECT_EQ(data.n_samples(), set.n_samples) << set.name;
    for (const double ratio : {0.5, 0.1, 0.02}) {
      for (const double lambda2 : {1.0, 0.01, 0.0001}) {
        FitOptions options;
        options.lambda1_ratio = ratio;
        options.lambda2 = lambda2;
        const FitReport pg = *fit({data}, options).report;
        options.solver = Solver::pg2;
        const FitReport pg2 = *fit({data}, options).report;
        EXPECT_EQ(pg.status, Status::converged) << set.name << ' ' << ratio << ' ' << lambda2;
        EXPECT_EQ(pg2.status, Status::converged) << set.name << ' ' << ratio << ' ' << lambda2;
        EXPECT_LE(std::max(pg.relative_gap, pg2.relative_gap), 1e-6) << set.name;
        EXPECT_LE(std::abs(pg.objective - pg2.objective), std::max(pg.gap, pg2.gap)) << set.name;
      }
    }
  }
}

}  // namespace
}  // namespace hsvm::test
