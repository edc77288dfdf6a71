// Real data, where there is any: every solver certifies its answer, and all of them agree. `make bench-data` runs the
// whole grid on larger sets, too; here are those on which it takes a moment.

#include "datasets/real_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hsvm/api.hpp"
#ifdef HSVM_HAS_LIBLINEAR
#include "baselines/liblinear.hpp"
#endif

namespace hsvm::test {
namespace {

using datasets::ManifestEntry;

std::vector<LinearModel> solve_by_each(const Dataset& data, FitOptions options) {
  std::vector<LinearModel> models;
  for (const Solver solver : {Solver::newton, Solver::pg, Solver::pg2}) {
    options.solver = solver;
    models.push_back(fit({data}, options));
    EXPECT_EQ(models.back().report->solver, solver);
  }
  return models;
}

void expect_certified_and_equal(const std::vector<LinearModel>& models) {
  constexpr double kRounding = 1e-14;  // of sums around 1: an answer may be exact, its gap zero but for that
  for (const LinearModel& model : models) {
    const FitReport& one = *model.report;
    SCOPED_TRACE(to_string(one.solver));
    EXPECT_EQ(one.status, Status::converged);
    EXPECT_LE(one.relative_gap, 1e-6);
    for (const LinearModel& rival : models) {
      const FitReport& other = *rival.report;
      EXPECT_LE(std::abs(one.objective - other.objective), std::max(one.gap, other.gap) + kRounding)
          << to_string(other.solver);
      EXPECT_LE(one.dual_objective, other.objective + kRounding) << to_string(other.solver);
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
        expect(set, solve_by_each(data, {.lambda1_ratio = ratio,
                                         .lambda2 = lambda2,
                                         .lambda3 = lambda2,
                                         .standardize = false}));  // the harder problems
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

// lambda1 times |w|_1 + C sum_i max(0, 1 - t_i)^2 with C = 1/(2 n lambda1), LIBLINEAR's -s 5, is our objective. Where
// LIBLINEAR has used up its iterations it is above the minimum, and ours is proved to be no higher.
void expect_the_objective_of_liblinear(const Dataset& data, FitOptions options) {
#ifdef HSVM_HAS_LIBLINEAR
  constexpr int kAllIterations = 1000;
  options.tolerance = 1e-9;
  const LinearModel model = fit({data}, options);
  const baselines::LiblinearResult rival = baselines::Liblinear(data.design, *data.labels)
                                               .train({.kind = baselines::LiblinearKind::l1_squared_hinge,
                                                       .cost = 1.0 / (2.0 * data.n_samples() * model.lambda1),
                                                       .tolerance = 1e-7});
  const double theirs = model.lambda1 * rival.problems.front().objective;
  EXPECT_LE(model.report->objective, theirs * (1.0 + 1e-6));
  if (rival.iterations < kAllIterations) {
    EXPECT_GE(model.report->objective, theirs * (1.0 - 1e-6));
  }
  EXPECT_LE(model.report->dual_objective, theirs * (1.0 + 1e-12)) << "a bound for everyone";
#else
  static_cast<void>(data);
  static_cast<void>(options);
#endif
}

TEST(RealData, HasOneOptimumOfTheSquaredHingeForNewtonPgPg2AndLiblinear) {
  const std::vector<ManifestEntry> all = datasets::real_data("binary");
  int n_sets = 0;
  for (const char* name :
       {"heart_scale", "australian_scale", "german.numer", "breast-cancer_scale", "colon-cancer", "rcv1_vw"}) {
    const auto set = datasets::find_entry(all, name);
    if (!set) continue;
    ++n_sets;
    const Dataset data = read_dataset(set->path, {});
    for (const double ratio : {0.5, 0.1, 0.02}) {
      SCOPED_TRACE(set->name + " " + std::to_string(ratio));
      const FitOptions options{.lambda1_ratio = ratio,
                               .lambda2 = 0.0,
                               .loss = Loss::squared_hinge,
                               .no_intercept = true,
                               .standardize = false};
      expect_certified_and_equal(solve_by_each(data, options));
      expect_the_objective_of_liblinear(data, options);
    }
  }
  if (n_sets == 0) GTEST_SKIP() << "no real data here (HSVM_DATA)";
}

}  // namespace
}  // namespace hsvm::test
