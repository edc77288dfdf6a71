#include "baselines/pg_settings.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/problems.hpp"
#include "tests/support/reference.hpp"

namespace hsvm::test {
namespace {

using baselines::kPgSettings;
using baselines::PgSetting;

ProblemData example() {
  return random_problem({.seed = 5, .n = 60, .p = 20, .intercept = InterceptKind::by_gradient});
}

TEST(PgSettings, AllReachOneOptimum) {
  const ProblemData data = example();
  ProximalGradientOptions exact;
  exact.tolerance = 1e-12;
  const double optimum = proximal_gradient(data.problem(), data.problem().zero(), exact).report.objective;
  for (const PgSetting& setting : kPgSettings) {
    ProximalGradientOptions options = setting.options();
    EXPECT_EQ(options.stopping, Stopping::paper);
    EXPECT_EQ(options.tolerance, 1e-6);
    options.stopping = Stopping::gap;
    options.tolerance = 1e-9;
    const SolveReport report = proximal_gradient(data.problem(), data.problem().zero(), options).report;
    EXPECT_EQ(report.status, Status::converged) << setting.name;
    EXPECT_NEAR(report.objective, optimum, 1e-8) << setting.name;
  }
}

// The objectives after each iteration, the paper's rule never fulfilled.
std::vector<double> objectives(const PgSetting& setting, int iterations) {
  const ProblemData data = example();
  ProximalGradientOptions options = setting.options();
  options.tolerance = 1e-300;
  options.max_iterations = iterations;
  std::vector<double> result;
  SolveMonitor monitor;
  monitor.trace = [&](const Progress& progress) { result.push_back(progress.objective); };
  static_cast<void>(proximal_gradient(data.problem(), data.problem().zero(), options, monitor));
  return result;
}

TEST(PgSettings, OnlyThePapersIsMonotone) {
  const auto rises = [](const std::vector<double>& values) {
    for (std::size_t k = 1; k < values.size(); ++k) {
      if (values[k] > values[k - 1] + 1e-12) return true;
    }
    return false;
  };
  EXPECT_FALSE(rises(objectives(kPgSettings[0], 300)));
  EXPECT_TRUE(rises(objectives(kPgSettings[1], 300)));
  EXPECT_TRUE(rises(objectives(kPgSettings[2], 300)));
}

// With L_k = L_f the first step is L_0/L_f times as long.
TEST(PgSettings, ThePapersBeginsWithLongerSteps) {
  EXPECT_LT(objectives(kPgSettings[0], 1)[0], objectives(kPgSettings[2], 1)[0]);
  EXPECT_EQ(objectives(kPgSettings[0], 1)[0], objectives(kPgSettings[1], 1)[0]);
}

}  // namespace
}  // namespace hsvm::test
