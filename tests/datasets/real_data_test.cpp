// Real data, where there is any: every solver certifies its answer, and all of them agree. `make bench-data` runs the
// whole grid on larger sets, too; here are those on which it takes a moment.

#include "datasets/real_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hsvm/api.hpp"

namespace hsvm::test {
namespace {

using datasets::ManifestEntry;

std::vector<LinearModel> solve_by_each(const Dataset& data, double ratio, double lambda2) {
  std::vector<LinearModel> models;
  for (const Solver solver : {Solver::newton, Solver::pg, Solver::pg2}) {
    FitOptions options;
    options.lambda1_ratio = ratio;
    options.lambda2 = lambda2;
    options.solver = solver;
    models.push_back(fit({data}, options));
    EXPECT_EQ(models.back().report->solver, to_string(solver));
  }
  return models;
}

void expect_certified_and_equal(const std::vector<LinearModel>& models) {
  for (const LinearModel& model : models) {
    const FitReport& one = *model.report;
    SCOPED_TRACE(one.solver);
    EXPECT_EQ(one.status, to_string(Status::converged));
    EXPECT_LE(one.relative_gap, 1e-6);
    for (const LinearModel& rival : models) {
      const FitReport& other = *rival.report;
      EXPECT_LE(std::abs(one.objective - other.objective), std::max(one.gap, other.gap)) << other.solver;
      EXPECT_LE(one.dual_objective, other.objective) << other.solver;
    }
  }
}

// The intercepts, and the rows of W to a part of their size.
void expect_sums_of_zero(const LinearModel& model) {
  const auto n_classes = static_cast<std::ptrdiff_t>(model.n_outputs());
  EXPECT_NEAR(std::accumulate(model.intercept.begin(), model.intercept.end(), 0.0), 0.0, 1e-12);
  for (auto row = model.coefficients.begin(); row != model.coefficients.end(); row += n_classes) {
    const double size =
        std::accumulate(row, row + n_classes, 0.0, [](double sum, double w) { return sum + std::abs(w); });
    EXPECT_LE(std::abs(std::accumulate(row, row + n_classes, 0.0)), 1e-12 * size);
  }
}

// expect(set, models) at each point of the grid, for the sets of a task that have no more entries, times their outputs.
template <class Expect>
void for_each_set(const std::string& task, Count max_entries, const Expect& expect) {
  std::vector<ManifestEntry> sets = datasets::real_data(task);
  std::erase_if(sets, [&](const ManifestEntry& set) {
    return Count{set.n_samples} * set.n_features * (set.n_classes > 2 ? set.n_classes : 1) > max_entries;
  });
  if (sets.empty()) GTEST_SKIP() << "no real data here (HSVM_DATA)";
  for (const ManifestEntry& set : sets) {
    const Dataset data = read_dataset(set.path, {});
    EXPECT_EQ(data.n_samples(), set.n_samples) << set.name;
    EXPECT_EQ(data.labels->classes.size(), set.n_classes) << set.name;
    for (const double ratio : {0.5, 0.1, 0.02}) {
      for (const double lambda2 : {1.0, 0.01, 0.0001}) {
        SCOPED_TRACE(set.name + " " + std::to_string(ratio) + " " + std::to_string(lambda2));
        expect(set, solve_by_each(data, ratio, lambda2));
      }
    }
  }
}

TEST(RealData, OfTwoClassesIsSolvedWithProofByNewtonPgAndPg2) {
  for_each_set("binary", 150'000, [](const ManifestEntry& /*unused*/, const std::vector<LinearModel>& models) {
    expect_certified_and_equal(models);
  });
}

TEST(RealData, OfSeveralClassesIsSolvedWithProofByNewtonPgAndPg2) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
  constexpr Count kMaxEntries = 65'000;
#else
  constexpr Count kMaxEntries = 900'000;
#endif
  for_each_set("multiclass", kMaxEntries, [](const ManifestEntry& set, const std::vector<LinearModel>& models) {
    expect_certified_and_equal(models);
    for (const LinearModel& model : models) {
      EXPECT_LE(model.report->objective, 0.5 * (set.n_classes - 1) + 1e-12);  // F(0), at delta = 1
      expect_sums_of_zero(model);
    }
  });
}

}  // namespace
}  // namespace hsvm::test
