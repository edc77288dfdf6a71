#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "hsvm/api.hpp"
#include "hsvm/core/error.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm {
namespace {

using testing::HasSubstr;

Dataset sample_data() {
  Dataset data = generate(GaussianDesign{.n = 60, .p = 100, .s = 8, .rho = 0.4, .seed = 4});
  for (std::size_t i = 0; i < 60; i += 6) data.labels->of_sample[i] = 0;  // uneven classes
  return data;
}
Dataset four_classes() {
  return generate(FourClassDesign{.n = 60, .p = 30, .s = 6, .seed = 2});
}

TEST(FitPath, HasItsEndsAndCertificates) {
  const Dataset data = sample_data();
  for (const Solver solver : {Solver::pg, Solver::pg2}) {
    const PathModel path = fit_path({.data = data}, {.solver = solver}, {.nlambda = 20, .full_path = true});
    ASSERT_EQ(path.points.size(), 20U);
    EXPECT_EQ(path.status, Status::converged);
    EXPECT_EQ(path.solver, solver);
    EXPECT_EQ(path.kind, ModelKind::binary);
    EXPECT_EQ(path.n_samples, 60);
    EXPECT_EQ(path.n_features, 100);
    EXPECT_EQ(path.lambda1_max, fit({.data = data}, {}).report->lambda1_max);
    EXPECT_EQ(path.points.front().lambda1, path.lambda1_max);
    EXPECT_EQ(path.points.back().lambda1, 0.01 * path.lambda1_max);  // fewer samples than features
    EXPECT_TRUE(path.points.front().features.empty());
    EXPECT_FALSE(path.points[1].features.empty());
    double passes = 0.0;
    double seconds = 0.0;
    for (const PathPoint& point : path.points) {
      EXPECT_EQ(point.report->status, Status::converged);
      EXPECT_LE(point.report->relative_gap, 1e-6);
      EXPECT_EQ(point.report->lambda1_max, path.lambda1_max);
      EXPECT_EQ(point.report->stopping, Stopping::gap);
      EXPECT_EQ(point.lambda2, 0.01);
      EXPECT_EQ(point.lambda3, 0.0);
      passes += point.report->passes;
      seconds += point.report->seconds;
    }
    EXPECT_DOUBLE_EQ(path.passes, passes);
    EXPECT_GE(path.seconds, 0.999 * seconds);
    EXPECT_FALSE(path.pass_seconds.has_value());
  }
}

TEST(FitPath, EqualsSeparateFitsWithinTheirGaps) {
  for (const bool four : {false, true}) {
    const Dataset data = four ? four_classes() : sample_data();
    for (const Solver solver : {Solver::pg, Solver::pg2}) {
      const FitOptions options{.lambda2 = 0.1, .solver = solver};
      const PathModel path = fit_path({.data = data}, options, {.nlambda = 8, .full_path = true});
      EXPECT_EQ(path.kind, four ? ModelKind::multiclass : ModelKind::binary);
      for (const PathPoint& point : path.points) {
        FitOptions single = options;
        single.lambda1 = point.lambda1;
        const FitReport report = *fit({.data = data}, single).report;
        EXPECT_LE(point.report->dual_objective, report.objective + 1e-15);
        EXPECT_LE(report.dual_objective, point.report->objective + 1e-15);
      }
    }
  }
}

TEST(FitPath, TakesAlphaAlone) {
  const Dataset data = sample_data();
  const PathModel path = fit_path({.data = data}, {.alpha = 0.8}, {.nlambda = 6, .full_path = true});
  EXPECT_EQ(path.points.front().lambda1, path.lambda1_max);
  EXPECT_TRUE(path.points.front().features.empty());
  for (const PathPoint& point : path.points) {
    EXPECT_DOUBLE_EQ(point.lambda2, 0.25 * point.lambda1);
    EXPECT_EQ(point.lambda3, 0.0);
    EXPECT_EQ(point.report->status, Status::converged);
  }
  const PathPoint& middle = path.points[3];
  const LinearModel single = fit({.data = data}, {.lambda = middle.lambda1 / 0.8, .alpha = 0.8});
  EXPECT_NEAR(single.report->objective, middle.report->objective, 1e-6);
  // lambda1_max is where fit becomes empty, too.
  const auto nonzeros_at = [&](double lambda1) {
    FitOptions options{.lambda = lambda1 / 0.8, .alpha = 0.8};
    options.tolerance = 1e-10;
    return fit({.data = data}, options).features.size();
  };
  EXPECT_EQ(nonzeros_at(path.lambda1_max * (1.0 + 1e-9)), 0U);
  EXPECT_GT(nonzeros_at(path.lambda1_max * 0.999), 0U);

  const PathModel pure = fit_path({.data = data}, {.alpha = 1.0}, {.nlambda = 4, .full_path = true});
  EXPECT_EQ(pure.points.back().lambda2, 0.0);
  EXPECT_EQ(pure.status, Status::converged);
  const PathModel own =
      fit_path({.data = data}, {.lambda3 = 0.5, .alpha = 0.5}, {.nlambda = 3, .full_path = true});
  EXPECT_EQ(own.points.back().lambda3, 0.5);
}

TEST(FitPath, TakesAGridInAnyOrder) {
  const Dataset data = sample_data();
  const PathModel path = fit_path({.data = data}, {}, {.lambda_grid = {0.1, 0.4, 0.0, 0.2}});
  ASSERT_EQ(path.points.size(), 4U);
  EXPECT_EQ(path.points[0].lambda1, 0.4);
  EXPECT_EQ(path.points[1].lambda1, 0.2);
  EXPECT_EQ(path.points[2].lambda1, 0.1);
  EXPECT_EQ(path.points[3].lambda1, 0.0);
  EXPECT_EQ(path.points[3].features.size(), 100U);  // no l1 penalty, no zeros
  EXPECT_EQ(path.status, Status::converged);
}

TEST(FitPath, FollowsTheModelOptions) {
  Dataset data = sample_data();
  data.feature_names.assign(100, "same");
  std::vector<double> factors(100, 1.0);
  factors[7] = 0.0;
  std::vector<double> weights(60, 1.0);
  weights[0] = 5.0;
  FitOptions options;
  options.class_weight.balanced = true;
  options.measure_pass = true;
  options.delta = 0.5;
  const FitInput input{.data = data, .sample_weights = weights, .penalty_factors = factors};
  const PathModel path = fit_path(input, options, {.nlambda = 5, .full_path = true});
  EXPECT_EQ(path.points.front().features, std::vector<Index>{7});  // in the model at any lambda1
  EXPECT_EQ(path.feature_names, data.feature_names);
  EXPECT_EQ(path.delta, 0.5);
  EXPECT_GT(path.pass_seconds.value(), 0.0);
  EXPECT_EQ(path.status, Status::converged);
  EXPECT_EQ(path.lambda1_max, fit(input, options).report->lambda1_max);

  FitOptions no_intercept;
  no_intercept.no_intercept = true;
  const PathModel without = fit_path({.data = data}, no_intercept, {.nlambda = 3, .full_path = true});
  EXPECT_EQ(without.points.back().intercept, std::vector<double>{0.0});
  EXPECT_EQ(without.points.back().lambda3, 0.0);
}

TEST(FitPath, EveryDesignAndNumberOfThreadsAgrees) {
  Dataset data = sample_data();
  const DenseMatrix<double> x = *data.design.get_if<DenseMatrix<double>>();
  const PathModel one = fit_path({.data = data}, {.threads = 1}, {.nlambda = 5, .full_path = true});
  const PathModel two = fit_path({.data = data}, {.threads = 2}, {.nlambda = 5, .full_path = true});
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(one.points[k].coefficients, two.points[k].coefficients);
  for (const SharedDesign& design :
       {SharedDesign(test::to_csc<double>(x)), SharedDesign(test::to_csc<float>(x)),
        SharedDesign(test::to_dense<float>(x))}) {
    data.design = design;
    const PathModel other = fit_path({.data = data}, {}, {.nlambda = 5, .full_path = true});
    for (std::size_t k = 0; k < 5; ++k)
      EXPECT_NEAR(other.points[k].report->objective, one.points[k].report->objective, 2e-6);
  }
}

TEST(FitPath, EndsAtALimitOfNonzeros) {
  const Dataset data = sample_data();
  const PathModel path = fit_path({.data = data}, {}, {.max_nonzeros = 10});
  EXPECT_EQ(path.status, Status::converged);
  EXPECT_EQ(path.ended, PathEnd::max_nonzeros);
  EXPECT_LT(path.points.size(), 100U);
  EXPECT_GT(path.points.back().features.size(), 10U);
  for (std::size_t k = 0; k + 1 < path.points.size(); ++k) EXPECT_LE(path.points[k].features.size(), 10U);
}

// Separable data: almost all of the loss is explained long before the grid ends.
TEST(FitPath, EndsWhereNothingIsLeftToLearn) {
  const Dataset data = generate(GaussianDesign{.n = 60, .p = 100, .s = 20, .rho = 0.0, .seed = 4});
  const FitOptions options{.lambda2 = 1e-4};
  const PathModel whole = fit_path({.data = data}, options, {.full_path = true});
  const PathModel path = fit_path({.data = data}, options);
  EXPECT_EQ(whole.points.size(), 100U);
  EXPECT_EQ(whole.ended, PathEnd::grid);
  EXPECT_EQ(path.ended, PathEnd::explained);
  EXPECT_LT(path.points.size(), 100U);
  EXPECT_GT(path.explained, 0.999);
  for (std::size_t k = 0; k < path.points.size(); ++k)
    EXPECT_EQ(path.points[k].coefficients, whole.points[k].coefficients);  // the same path, but shorter
  const LinearModel last = at(path, path.points.back().lambda1);
  const double loss =
      score(Score::loss, {.truth = data.labels->of_sample, .scores = predict(last, data.design).scores})
          .value();
  const double null_loss = whole.points.front().report->objective;  // of the empty model, which has no penalty
  EXPECT_NEAR(path.explained, 1.0 - loss / null_loss, 1e-9);
  EXPECT_LT(loss, 1e-3);
  EXPECT_EQ(path_from_json(path_to_json(path), "p").ended, PathEnd::explained);
}

// Noise under a ridge: the loss stops moving although it is far from explained.
TEST(FitPath, EndsWhereNothingMoves) {
  Dataset data = sample_data();
  for (std::size_t i = 0; i < 60; i += 4) data.labels->of_sample[i] = 1 - data.labels->of_sample[i];
  const FitOptions options{.lambda2 = 10.0};
  const PathModel path = fit_path({.data = data}, options, {.lambda_min_ratio = 1e-8});
  EXPECT_EQ(path.ended, PathEnd::flat);
  EXPECT_LT(path.points.size(), 100U);
  EXPECT_LT(path.explained, 0.999);
  const PathModel whole = fit_path({.data = data}, options, {.lambda_min_ratio = 1e-8, .full_path = true});
  EXPECT_NEAR(path.explained, whole.explained, 1e-3 * whole.explained);
  // What was given is fitted whole.
  std::vector<double> grid;
  for (const PathPoint& point : whole.points) grid.push_back(point.lambda1);
  EXPECT_EQ(fit_path({.data = data}, options, {.lambda_grid = grid}).points.size(), grid.size());
}

TEST(FitPath, AnEarlyStopIsAStatusNotAnError) {
  const Dataset data = sample_data();
  FitOptions options{.lambda2 = 1e-5};
  options.max_iterations = 3;
  options.solver = Solver::pg;
  const PathModel limited = fit_path({.data = data}, options, {.nlambda = 6, .full_path = true});
  EXPECT_EQ(limited.points.size(), 6U);  // all are there
  EXPECT_EQ(limited.status, Status::iteration_limit);
  EXPECT_EQ(limited.points.front().report->status, Status::converged);
  EXPECT_EQ(limited.points.back().report->status, Status::iteration_limit);
  EXPECT_LE(limited.points.back().report->dual_objective, limited.points.back().report->objective);

  options.max_iterations = 100000;
  options.time_limit = 1e-9;
  const PathModel timed = fit_path({.data = data}, options, {.nlambda = 6, .full_path = true});
  EXPECT_EQ(timed.points.size(), 1U);
  EXPECT_EQ(timed.status, Status::time_limit);
  const PathModel cut_short = fit_path({.data = data}, options, {.lambda_grid = {1e-3, 1e-4}});
  ASSERT_EQ(cut_short.points.size(), 1U);  // the only point, unfinished as it is
  EXPECT_EQ(cut_short.points[0].report->status, Status::time_limit);

  options.time_limit = kNoLimit;
  int asked = 0;
  const SolveMonitor monitor{.interrupted = [&] { return ++asked > 40; }, .progress = {}};
  const PathModel interrupted = fit_path({.data = data}, options, {.nlambda = 50, .full_path = true}, monitor);
  EXPECT_EQ(interrupted.status, Status::interrupted);
  EXPECT_EQ(interrupted.ended, PathEnd::stopped);
  EXPECT_LT(interrupted.points.size(), 50U);
  for (const PathPoint& point : interrupted.points) EXPECT_EQ(point.report->status, Status::converged);
}

TEST(FitPath, OfDataWithoutAnythingIsOnePoint) {
  Dataset data;
  data.source = "toy";
  data.labels = make_labels(std::vector<std::string>{"1", "2", "1"});
  for (const Index n_features : {0, 2}) {
    data.design = DenseMatrix<double>(3, n_features);
    const PathModel path = fit_path({.data = data}, {});
    ASSERT_EQ(path.points.size(), 1U);
    EXPECT_EQ(path.points[0].lambda1, 0.0);
    EXPECT_EQ(path.status, Status::converged);
    EXPECT_NO_THROW(static_cast<void>(path_from_json(path_to_json(path), "p")));
    EXPECT_THROW(static_cast<void>(fit_path({.data = data}, {.alpha = 0.5})), OptionError);
  }
}

TEST(FitPath, InterpolatesCloseToTheSolution) {
  const Dataset data = sample_data();
  FitOptions options{.lambda2 = 0.1};
  options.tolerance = 1e-9;
  const PathModel path = fit_path({.data = data}, options, {.nlambda = 200, .full_path = true});
  const double lambda1 = 0.5 * (path.points[100].lambda1 + path.points[101].lambda1);
  const LinearModel between = at(path, lambda1);
  options.lambda1 = lambda1;
  const LinearModel solved = fit({.data = data}, options);
  const std::vector<double> a = predict(between, data.design).scores;
  const std::vector<double> b = predict(solved, data.design).scores;
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 2e-3);
}

TEST(FitPath, ShowsWhichPointItIsAt) {
  const Dataset data = sample_data();
  std::vector<Progress> trace;
  SolveMonitor monitor;
  monitor.trace = [&](const Progress& p) { trace.push_back(p); };
  const PathModel path = fit_path({.data = data}, {}, {.nlambda = 4, .full_path = true}, monitor);
  int iterations = 0;
  for (const PathPoint& point : path.points) iterations += std::max(1, point.report->iterations);
  ASSERT_EQ(std::ssize(trace), iterations);
  EXPECT_EQ(trace.front().lambda1, path.lambda1_max);
  EXPECT_EQ(trace.back().point, 4);
  EXPECT_EQ(trace.back().lambda1, path.points.back().lambda1);
}

TEST(SaveLoadPath, RoundTripPredictsTheSame) {
  const test::TemporaryFolder folder;
  const Dataset data = sample_data();
  const PathModel path = fit_path({.data = data}, {}, {.nlambda = 5, .full_path = true});
  for (const char* name : {"path.json", "path.json.gz"}) {
    save_path(path, folder.path(name));
    EXPECT_EQ(path_to_json(load_path(folder.path(name))), path_to_json(path));
    const AnyModel any = load_any_model(folder.path(name));
    ASSERT_TRUE(std::holds_alternative<PathModel>(any));
    EXPECT_THROW(static_cast<void>(load_model(folder.path(name))), InputError);
  }
  const LinearModel model = fit({.data = data}, {});
  save_model(model, folder.path("model.json"));
  EXPECT_TRUE(std::holds_alternative<LinearModel>(load_any_model(folder.path("model.json"))));
  EXPECT_THROW(static_cast<void>(load_path(folder.path("model.json"))), InputError);
  EXPECT_THROW(save_path(path, folder.path("no/such/folder/p.json")), InputError);
}

// What is refused, and how.
template <class Thrown>
std::string refusal(const FitOptions& options, const PathOptions& path_options) {
  static const Dataset data = sample_data();
  try {
    static_cast<void>(fit_path({.data = data}, options, path_options));
  } catch (const Thrown& error) {
    return error.what();
  }
  return "accepted";
}

TEST(PathOptions, RefusesWhatMakesNoSenseForAPath) {
  EXPECT_THAT(refusal<OptionError>({.lambda1 = 0.1}, {}), HasSubstr("lambda1 makes no sense for a path"));
  EXPECT_THAT(refusal<OptionError>({.lambda1_ratio = 0.1}, {}),
              HasSubstr("lambda1_ratio makes no sense for a path"));
  EXPECT_THAT(refusal<OptionError>({.lambda = 0.1}, {}), HasSubstr("lambda makes no sense for a path"));
  EXPECT_EQ(refusal<OptionError>({.stopping = Stopping::paper}, {}),
            "stopping paper: must be gap for a path, each point of which is certified");
  EXPECT_EQ(refusal<OptionError>({.alpha = 0.0}, {}),
            "alpha 0: must be greater than 0 and at most 1 for a path");
  EXPECT_EQ(refusal<OptionError>({.alpha = 1.5}, {}),
            "alpha 1.5: must be greater than 0 and at most 1 for a path");
  EXPECT_EQ(refusal<OptionError>({.lambda2 = 0.1, .alpha = 0.5}, {}),
            "alpha and lambda2 exclude each other: give one of them");
  EXPECT_EQ(refusal<OptionError>({.lambda2 = -1.0}, {}), "lambda2 -1: must be at least 0");
  EXPECT_EQ(refusal<OptionError>({.lambda3 = 1.0, .no_intercept = true}, {}),
            "lambda3 and no_intercept exclude each other: give one of them");
}

TEST(PathOptions, NamesWhatIsOutOfRange) {
  EXPECT_EQ(refusal<OptionError>({}, {.nlambda = 0}), "nlambda 0: must be at least 1 and at most 1000000");
  EXPECT_EQ(refusal<OptionError>({}, {.nlambda = -3}), "nlambda -3: must be at least 1 and at most 1000000");
  for (const double ratio : {0.0, 1.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT(refusal<OptionError>({}, {.lambda_min_ratio = ratio}),
                HasSubstr("must be greater than 0 and less than 1"));
  }
  EXPECT_EQ(refusal<OptionError>({}, {.max_nonzeros = -1}), "max_nonzeros -1: must be at least 0");
}

TEST(PathOptions, RefusesGridsThatAreNone) {
  EXPECT_EQ(refusal<InputError>({}, {.lambda_grid = {0.1, -0.2}}),
            "the lambda grid's number 2 is -0.2: must be at least 0 and finite");
  EXPECT_EQ(refusal<InputError>({}, {.lambda_grid = {std::nan("")}}),
            "the lambda grid's number 1 is nan: must be at least 0 and finite");
  EXPECT_EQ(refusal<InputError>({}, {.lambda_grid = {0.1, 0.2, 0.1}}),
            "the lambda grid holds 0.1 more than once: each value must be there once");
  EXPECT_EQ(refusal<OptionError>({}, {.nlambda = 5, .lambda_grid = {0.1}}),
            "lambda_grid and nlambda exclude each other: give one of them");
  EXPECT_EQ(refusal<OptionError>({}, {.lambda_min_ratio = 0.5, .lambda_grid = {0.1}}),
            "lambda_grid and lambda_min_ratio exclude each other: give one of them");
  EXPECT_EQ(refusal<OptionError>({.lambda2 = 0.0}, {.lambda_grid = {0.1, 0.0}}),
            "lambda1 and lambda2 are both 0: one of them must be positive");
  EXPECT_EQ(refusal<OptionError>({.alpha = 0.5}, {.lambda_grid = {0.1, 0.0}}),
            "lambda1 and lambda2 are both 0: one of them must be positive");
}

TEST(PathOptions, RefusesAFactorOfZeroWithoutLambda2) {
  const Dataset data = sample_data();
  std::vector<double> factors(100, 1.0);
  factors[0] = 0.0;
  const FitInput input{.data = data, .penalty_factors = factors};
  EXPECT_THROW(static_cast<void>(fit_path(input, {.lambda2 = 0.0}, {.nlambda = 2})), OptionError);
  EXPECT_THROW(static_cast<void>(fit_path(input, {.alpha = 1.0}, {.nlambda = 2})), OptionError);
  EXPECT_EQ(fit_path(input, {.alpha = 0.9}, {.nlambda = 3, .full_path = true}).status, Status::converged);
}

TEST(PathOptions, RefusesDataAsFitDoes) {
  Dataset data = sample_data();
  data.labels.reset();
  EXPECT_THROW(static_cast<void>(fit_path({.data = data}, {})), InputError);
  Dataset huge;
  huge.source = "toy";
  huge.design = test::matrix({{1, 0}, {1e200, 1}, {3, 0}});
  huge.labels = make_labels(std::vector<std::string>{"1", "2", "1"});
  for (const Solver solver : {Solver::pg, Solver::pg2})
    EXPECT_THROW(static_cast<void>(fit_path({.data = huge}, {.standardize = false, .solver = solver})),
                 InputError);
}

TEST(PathOptions, EveryOptionHasItsOwnNameAndHelp) {
  PathOptions options;
  std::set<std::string> names;
  describe_path(options, [&](const OptionInfo& info, auto&) {
    names.insert(info.name);
    EXPECT_FALSE(info.help.empty()) << info.name;
  });
  EXPECT_EQ(names, (std::set<std::string>{"nlambda", "lambda_min_ratio", "max_nonzeros", "full_path"}));
}

}  // namespace
}  // namespace hsvm
