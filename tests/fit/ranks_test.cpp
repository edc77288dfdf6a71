// Fits whose samples are divided over ranks: the same answer as one process has, refereed by the certificate, and the same bits on all ranks
// and in every run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "hsvm/api.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/thread_ranks.hpp"

namespace hsvm {
namespace {

using test::part_of;
using test::run_ranks;

struct RankCase {
  std::string name;
  Dataset data;
  FitOptions options;
};

void PrintTo(const RankCase& one, std::ostream* stream) {
  *stream << one.name;
}

Dataset sparse_copy(Dataset data) {
  const auto* const x = data.design.get_if<DenseMatrix<double>>();
  DenseMatrix<double> thinned(x->rows(), x->cols());
  for (Index j = 0; j < x->cols(); ++j) {
    for (Index i = 0; i < x->rows(); ++i) thinned(i, j) = std::abs((*x)(i, j)) > 1.0 ? (*x)(i, j) : 0.0;
  }
  data.design = test::to_csc<double>(thinned);
  return data;
}

std::vector<RankCase> rank_cases() {
  const Dataset binary = generate(GaussianDesign{.n = 150, .p = 40, .s = 5, .rho = 0.3, .seed = 3});
  const Dataset wide = generate(GaussianDesign{.n = 60, .p = 300, .s = 10, .rho = 0.5, .seed = 4});
  const Dataset four = generate(FourClassDesign{.n = 120, .p = 30, .s = 8, .seed = 5});
  std::vector<RankCase> cases;
  for (const Solver solver : {Solver::newton, Solver::pg, Solver::pg2}) {
    const std::string suffix = "_" + std::string(to_string(solver));
    const auto options = [solver](auto change) {
      FitOptions result{.solver = solver, .threads = 1};
      change(result);
      return result;
    };
    cases.push_back({"dense" + suffix, binary, options([](FitOptions&) {})});
    cases.push_back({"sparse" + suffix, sparse_copy(binary), options([](FitOptions&) {})});
    cases.push_back({"as_it_is" + suffix, binary, options([](FitOptions& o) { o.standardize = false; })});
    cases.push_back({"no_intercept" + suffix, wide, options([](FitOptions& o) { o.no_intercept = true; })});
    cases.push_back(
        {"penalised_intercept" + suffix, sparse_copy(wide), options([](FitOptions& o) { o.lambda3 = 0.1; })});
    cases.push_back({"relative" + suffix, four, options([](FitOptions&) {})});
    cases.push_back({"relative_sparse" + suffix, sparse_copy(four), options([](FitOptions&) {})});
    cases.push_back({"absolute" + suffix, four, options([](FitOptions& o) { o.margins = Margins::absolute; })});
  }
  cases.push_back({"narrow_elbow", wide, FitOptions{.delta = 0.1, .threads = 1}});
  cases.push_back(
      {"narrow_elbow_absolute", four, FitOptions{.delta = 0.01, .margins = Margins::absolute, .threads = 1}});
  cases.push_back({"balanced", wide, FitOptions{.class_weight = {.balanced = true}, .threads = 1}});
  cases.push_back({"squared_hinge", binary, FitOptions{.loss = Loss::squared_hinge, .threads = 1}});
  cases.push_back({"keep_top", wide, FitOptions{.keep_top = 20, .threads = 1}});
  return cases;
}

class OverRanks : public ::testing::TestWithParam<RankCase> {};

// The models of all ranks.
std::vector<LinearModel> fit_over_ranks(const RankCase& one, Index size) {
  std::vector<LinearModel> models(static_cast<std::size_t>(size));
  run_ranks(size, [&](const Collective& ranks) {
    const Dataset part = part_of(one.data, ranks);
    models[static_cast<std::size_t>(ranks.rank())] = fit({.data = part, .ranks = ranks}, one.options);
  });
  return models;
}

void expect_same_model_bits(const LinearModel& a, const LinearModel& b) {
  EXPECT_EQ(a.features, b.features);
  EXPECT_EQ(a.coefficients, b.coefficients);
  EXPECT_EQ(a.intercept, b.intercept);
  EXPECT_EQ(a.report->objective, b.report->objective);
  EXPECT_EQ(a.report->dual_objective, b.report->dual_objective);
  EXPECT_EQ(a.report->iterations, b.report->iterations);
}

TEST_P(OverRanks, FindTheModelOfOneProcess) {
  const RankCase& one = GetParam();
  const LinearModel alone = fit({.data = one.data}, one.options);
  ASSERT_EQ(alone.report->status, Status::converged);
  for (const Index size : {2, 3, 4}) {
    const std::vector<LinearModel> models = fit_over_ranks(one, size);
    const FitReport& report = *models[0].report;
    EXPECT_EQ(report.status, Status::converged);
    EXPECT_EQ(report.n_samples, one.data.n_samples());
    EXPECT_NEAR(report.lambda1_max, alone.report->lambda1_max, 1e-10 * alone.report->lambda1_max);
    // Each objective is above the other's bound, and by no more than both gaps.
    EXPECT_GE(report.objective, alone.report->dual_objective * (1.0 - 1e-9));
    EXPECT_GE(alone.report->objective, report.dual_objective * (1.0 - 1e-9));
    EXPECT_LE(report.relative_gap, one.options.tolerance);
    // As many passes, but for a look or two where steps are many: rounding decides after which of them one is due.
    if (one.options.chosen_solver() == Solver::newton) {
      constexpr int kMany = 20;
      const double looks = alone.report->iterations > kMany ? 1.0 : 0.5;
      EXPECT_LE(report.passes, 1.1 * alone.report->passes + looks);
    }
    for (const LinearModel& model : models) expect_same_model_bits(model, models[0]);
    expect_same_model_bits(fit_over_ranks(one, size)[0], models[0]);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, OverRanks, ::testing::ValuesIn(rank_cases()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST(Ranks, TakePartsOfAnySizeAndWithoutAClass) {
  // The first rank has no sample at all, the second one class alone.
  Dataset data = generate(GaussianDesign{.n = 80, .p = 20, .s = 5, .seed = 8});
  const LinearModel alone = fit({.data = data}, {.threads = 1});
  run_ranks(3, [&](const Collective& ranks) {
    const test::RowRange rows[] = {{0, 0}, {0, 30}, {30, 80}};
    const Dataset part = part_of(data, rows[ranks.rank()]);
    const LinearModel model = fit({.data = part, .ranks = ranks}, {.threads = 1});
    EXPECT_EQ(model.report->status, Status::converged);
    EXPECT_NEAR(model.report->objective, alone.report->objective, 2e-6 * alone.report->objective);
  });
}

TEST(Ranks, WeighSamplesAsOneProcessDoes) {
  const Dataset data = generate(GaussianDesign{.n = 90, .p = 20, .s = 5, .seed = 9});
  std::vector<double> weights(90);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = i < 20 ? 0.0 : 1.0 + static_cast<double>(i % 3);
  const LinearModel alone = fit({.data = data, .sample_weights = weights}, {.threads = 1});
  run_ranks(2, [&](const Collective& ranks) {
    const Dataset part = part_of(data, ranks);
    const auto own = std::span(weights).subspan(ranks.rank() == 0 ? 0 : 45, 45);
    const LinearModel model = fit({.data = part, .sample_weights = own, .ranks = ranks}, {.threads = 1});
    EXPECT_NEAR(model.report->objective, alone.report->objective, 2e-6 * alone.report->objective);
    EXPECT_NEAR(model.report->lambda1_max, alone.report->lambda1_max, 1e-10);
  });
}

TEST(Ranks, RefuseWhatOneOfThemRefuses) {
  Dataset data = generate(GaussianDesign{.n = 40, .p = 5, .s = 2, .seed = 10});
  auto x = *data.design.get_if<DenseMatrix<double>>();
  x(30, 3) = std::nan("");
  data.design = std::move(x);
  std::vector<std::string> messages(2);
  run_ranks(2, [&](const Collective& ranks) {
    const Dataset part = part_of(data, ranks);
    try {
      static_cast<void>(fit({.data = part, .ranks = ranks}, {.standardize = false, .threads = 1}));
    } catch (const InputError& error) {
      messages[static_cast<std::size_t>(ranks.rank())] = error.what();
    }
  });
  EXPECT_THAT(messages, ::testing::Each(::testing::HasSubstr("sample 31, feature 4 is nan")));
}

TEST(Ranks, StopTogetherWhereOneIsAskedTo) {
  const Dataset data = generate(GaussianDesign{.n = 100, .p = 200, .s = 5, .seed = 11});
  run_ranks(3, [&](const Collective& ranks) {
    const Dataset part = part_of(data, ranks);
    SolveMonitor monitor;
    monitor.interrupted = [&] { return ranks.rank() == 1; };
    const LinearModel model = fit({.data = part, .ranks = ranks}, {.tolerance = 1e-12, .threads = 1}, monitor);
    EXPECT_EQ(model.report->status, Status::interrupted);
  });
}

TEST(Ranks, GoAlongTheSamePath) {
  for (const Dataset& data : {generate(GaussianDesign{.n = 120, .p = 200, .s = 10, .rho = 0.5, .seed = 12}),
                              generate(FourClassDesign{.n = 120, .p = 100, .seed = 13})}) {
    const PathOptions path_options{.nlambda = 20};
    const PathModel alone = fit_path({.data = data}, {.threads = 1}, path_options);
    run_ranks(3, [&](const Collective& ranks) {
      const Dataset part = part_of(data, ranks);
      const PathModel path = fit_path({.data = part, .ranks = ranks}, {.threads = 1}, path_options);
      ASSERT_EQ(path.points.size(), alone.points.size());
      EXPECT_EQ(path.n_samples, 120);
      EXPECT_LE(path.passes, 1.1 * alone.passes + 1.0);
      for (std::size_t k = 0; k < path.points.size(); ++k) {
        EXPECT_EQ(path.points[k].report->status, Status::converged);
        EXPECT_NEAR(path.points[k].report->objective, alone.points[k].report->objective,
                    2e-6 * alone.points[0].report->objective);
      }
    });
  }
}

}  // namespace
}  // namespace hsvm
