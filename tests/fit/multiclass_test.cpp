// fit, predict, save and load with more than two classes, and with two by the same model.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hsvm/api.hpp"
#include "hsvm/core/error.hpp"
#include "tests/support/multiclass.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm {
namespace {

using testing::HasSubstr;

Dataset four_classes(std::uint64_t seed = 4) {
  return generate(FourClassDesign{.n = 80, .p = 40, .s = 8, .rho = 0.2, .seed = seed});
}

// The problem a model claims to have solved, for the referee; s is scaled to mean 1.
test::MulticlassData problem_of(const Dataset& data, const LinearModel& model, std::vector<double> s = {},
                                const std::vector<double>& factors = {}) {
  test::MulticlassData result;
  result.x = *data.design.get_if<DenseMatrix<double>>();
  result.y = data.labels->of_sample;
  if (s.empty()) s.assign(result.y.size(), 1.0);
  const double sum = std::accumulate(s.begin(), s.end(), 0.0);
  for (double& weight : s) weight *= static_cast<double>(result.y.size()) / sum;
  result.s = std::move(s);
  result.parameters = {{model.delta}, {model.lambda1, model.lambda2, factors},
                       model.lambda3, true,
                       false,         data.labels->classes.size(),
                       model.margins};
  return result;
}

test::Rows rows_of(const LinearModel& model) {
  const auto J = static_cast<std::size_t>(model.n_outputs());
  test::Rows rows(static_cast<std::size_t>(model.n_features), std::vector<double>(J, 0.0));
  for (std::size_t c = 0; c < model.features.size(); ++c) {
    for (std::size_t k = 0; k < J; ++k)
      rows[static_cast<std::size_t>(model.features[c])][k] = model.coefficients[c * J + k];
  }
  return rows;
}

// The report is of the coefficients in the model, its bounds hold, and all sums are zero.
void expect_certified(const test::MulticlassData& problem, const LinearModel& model) {
  ASSERT_TRUE(model.report.has_value());
  EXPECT_EQ(model.kind, ModelKind::multiclass);
  EXPECT_EQ(model.report->status, Status::converged);
  EXPECT_LE(model.report->relative_gap, model.report->tolerance);
  ASSERT_EQ(model.intercept.size(), problem.n_classes());
  const test::Rows w = rows_of(model);
  EXPECT_NEAR(model.report->objective, test::reference_objective(problem, model.intercept, w), 1e-12);
  EXPECT_LE(test::reference_dual(problem, model.intercept, w), model.report->objective + 1e-12);
  EXPECT_LE(test::reference_violation(problem, model.intercept, w), 0.02);
  EXPECT_LE(test::largest_sum(model.intercept, w), 1e-12);
  for (const Index j : model.features) {
    EXPECT_NE(w[static_cast<std::size_t>(j)], std::vector<double>(problem.n_classes(), 0.0)) << j;
  }
}

void expect_close(const LinearModel& a, const LinearModel& b, double error) {
  const test::Rows w = rows_of(a);
  const test::Rows v = rows_of(b);
  ASSERT_EQ(w.size(), v.size());
  for (std::size_t j = 0; j < w.size(); ++j) {
    for (std::size_t k = 0; k < w[j].size(); ++k) EXPECT_NEAR(w[j][k], v[j][k], error) << j << ", " << k;
  }
  for (std::size_t k = 0; k < a.intercept.size(); ++k) EXPECT_NEAR(a.intercept[k], b.intercept[k], error) << k;
}

TEST(FitMulticlass, DefaultsAreThoseOfTheContract) {
  const Dataset data = four_classes();
  const LinearModel model = fit({.data = data}, {});
  EXPECT_EQ(model.lambda1, 0.1 * model.report->lambda1_max);
  EXPECT_EQ(model.lambda2, 0.01);
  EXPECT_EQ(model.lambda3, 0.0);
  EXPECT_TRUE(model.report->standardized);
  EXPECT_EQ(model.classes, data.labels->classes);
  EXPECT_EQ(model.n_outputs(), 4);
  EXPECT_EQ(model.coefficients.size(), 4 * model.features.size());
  EXPECT_NEAR(model.report->relative_gap, model.report->gap / 1.5, 1e-15);  // F(0) = 3 phi(0)
}

TEST(FitMulticlass, SolvesTheProblemItNames) {
  const Dataset data = four_classes();
  for (const double lambda3 : {0.0, 0.01}) {
    const LinearModel model = fit({.data = data}, {.lambda3 = lambda3, .standardize = false});
    expect_certified(problem_of(data, model), model);
  }
}

TEST(FitMulticlass, Lambda1MaxIsTheLargestHalfRange) {
  const Dataset data = four_classes();
  for (const Solver solver : {Solver::pg, Solver::pg2}) {
    const LinearModel empty =
        fit({.data = data}, {.lambda1_ratio = 1.0, .standardize = false, .solver = solver});
    EXPECT_TRUE(empty.features.empty());
    EXPECT_FALSE(fit({.data = data},
                     {.lambda1_ratio = 0.999, .standardize = false, .solver = solver, .tolerance = 1e-11})
                     .features.empty());
    const test::MulticlassData problem = problem_of(data, empty);
    const test::MulticlassGradient gradient =
        test::reference_gradient(problem, empty.intercept, rows_of(empty));
    double largest = 0.0;
    for (const std::vector<double>& row : gradient.w) {
      const auto [low, high] = std::minmax_element(row.begin(), row.end());
      largest = std::max(largest, 0.5 * (*high - *low));
    }
    EXPECT_NEAR(empty.report->lambda1_max, largest, 1e-6 * largest);
  }
}

TEST(FitMulticlass, SolversAndStoppingRulesAgree) {
  const Dataset data = four_classes();
  const LinearModel reference = fit({.data = data}, {.tolerance = 1e-9});
  for (const Solver solver : {Solver::pg, Solver::pg2}) {
    for (const Stopping stopping : {Stopping::gap, Stopping::paper}) {
      const LinearModel model =
          fit({.data = data},
              {.margins = Margins::relative, .solver = solver, .tolerance = 1e-9, .stopping = stopping});
      EXPECT_EQ(model.report->status, Status::converged);
      EXPECT_LE(test::largest_sum(model.intercept, rows_of(model)), 1e-12);
      EXPECT_LE(reference.report->dual_objective, model.report->objective + 1e-13);
      EXPECT_LE(model.report->dual_objective, reference.report->objective + 1e-13);
      expect_close(model, reference, 2e-3);
    }
  }
}

TEST(FitMulticlass, OfTwoClassesIsTheBinaryModelAtTwiceThePenalties) {
  Dataset data = generate(GaussianDesign{.n = 60, .p = 30, .s = 5, .rho = 0.2, .seed = 4});
  for (std::size_t i = 0; i < 60; i += 6) data.labels->of_sample[i] = 0;
  for (const Solver solver : {Solver::pg, Solver::pg2}) {
    for (const double lambda3 : {0.0, 0.01}) {
      FitOptions options{
          .lambda1 = 0.1, .lambda2 = 0.2, .lambda3 = 2.0 * lambda3, .solver = solver, .tolerance = 1e-13};
      const LinearModel binary = fit({.data = data}, options);
      options = {.lambda1 = 0.05,
                 .lambda2 = 0.1,
                 .lambda3 = lambda3,
                 .multiclass = true,
                 .solver = solver,
                 .tolerance = 1e-13};
      const LinearModel model = fit({.data = data}, options);
      EXPECT_EQ(binary.kind, ModelKind::binary);
      EXPECT_EQ(model.kind, ModelKind::multiclass);
      EXPECT_NEAR(model.report->objective, binary.report->objective, 1e-8);
      EXPECT_NEAR(2.0 * model.report->lambda1_max, binary.report->lambda1_max, 1e-8);
      const Prediction one = predict(binary, data.design);
      const Prediction two = predict(model, data.design);
      ASSERT_EQ(two.n_outputs, 2);
      EXPECT_EQ(two.classes, one.classes);
      for (std::size_t i = 0; i < 60; ++i) {
        EXPECT_NEAR(two.scores[2 * i + 1], one.scores[i], 1e-6);
        EXPECT_NEAR(two.scores[2 * i], -two.scores[2 * i + 1], 1e-12);
      }
    }
  }
}

TEST(FitMulticlass, OfTwoClassesWithRelativeMarginsIsTheBinaryModelAtHalfTheSquares) {
  Dataset data = generate(GaussianDesign{.n = 60, .p = 30, .s = 5, .rho = 0.2, .seed = 4});
  for (std::size_t i = 0; i < 60; i += 6) data.labels->of_sample[i] = 0;
  for (const Solver solver : {Solver::newton, Solver::pg, Solver::pg2}) {
    for (const double lambda3 : {0.0, 0.01}) {
      FitOptions options{
          .lambda1 = 0.05, .lambda2 = 0.1, .lambda3 = lambda3, .solver = solver, .tolerance = 1e-12};
      const LinearModel binary = fit({.data = data}, options);
      options.lambda2 = 0.2;
      options.lambda3 = 2.0 * lambda3;
      options.multiclass = true;
      options.margins = Margins::relative;
      const LinearModel model = fit({.data = data}, options);
      EXPECT_EQ(model.margins, Margins::relative);
      EXPECT_NEAR(model.report->objective, binary.report->objective, 1e-8);
      EXPECT_NEAR(model.report->lambda1_max, binary.report->lambda1_max, 1e-8);
      const Prediction one = predict(binary, data.design);
      const Prediction two = predict(model, data.design);
      EXPECT_EQ(two.classes, one.classes);
      for (std::size_t i = 0; i < 60; ++i)
        EXPECT_NEAR(two.scores[2 * i + 1] - two.scores[2 * i], one.scores[i], 1e-5);
    }
  }
}

TEST(FitMulticlass, MarginsAreRelativeUnlessThePaperIsAskedFor) {
  const Dataset data = four_classes();
  EXPECT_EQ(fit({.data = data}, {}).margins, Margins::relative);
  EXPECT_EQ(fit({.data = data}, {.margins = Margins::absolute}).margins, Margins::absolute);
  EXPECT_EQ(fit({.data = data}, {.stopping = Stopping::paper}).margins, Margins::absolute);
  EXPECT_EQ(fit({.data = data}, {.margins = Margins::relative, .stopping = Stopping::paper}).margins,
            Margins::relative);
  const Dataset two = generate(GaussianDesign{.n = 30, .p = 5, .s = 2});
  EXPECT_EQ(fit({.data = two}, {.multiclass = true}).margins, Margins::absolute);
  // Weights, standardising and the squared hinge with either.
  for (const Margins margins : {Margins::relative, Margins::absolute}) {
    const LinearModel model = fit({.data = data}, {.loss = Loss::squared_hinge,
                                                   .class_weight = {.balanced = true},
                                                   .margins = margins,
                                                   .standardize = true});
    EXPECT_EQ(model.report->status, Status::converged);
    EXPECT_FALSE(model.features.empty());
  }
}

TEST(FitMulticlass, FindsTheFeaturesThatMatter) {
  const Dataset train = generate(FourClassDesign{.n = 200, .p = 100, .s = 10, .seed = 5});
  const LinearModel model = fit({.data = train}, {.lambda1_ratio = 0.3});
  EXPECT_GE(model.features.size(), 8U);
  EXPECT_LE(std::count_if(model.features.begin(), model.features.end(), [](Index j) { return j >= 15; }), 3);
  const Dataset test = generate(FourClassDesign{.n = 200, .p = 100, .s = 10, .seed = 6});
  const Prediction prediction = predict(model, test.design);
  Index right = 0;
  for (std::size_t i = 0; i < 200; ++i) right += prediction.classes[i] == test.labels->of_sample[i];
  EXPECT_GE(right, 180);
}

TEST(FitMulticlass, ClassAndSampleWeightsMultiply) {
  const Dataset data = four_classes();
  FitOptions options{.lambda1 = 0.02, .lambda2 = 0.1, .standardize = false, .tolerance = 1e-10};
  options.class_weight.by_label = {{"2", 3.0}, {"4", 0.5}};
  std::vector<double> s(80);
  for (std::size_t i = 0; i < 80; ++i) s[i] = 1.0 + static_cast<double>(i % 3);
  const LinearModel both = fit({.data = data, .sample_weights = s}, options);
  options.class_weight = {};
  for (std::size_t i = 0; i < 80; ++i) {
    const Index k = data.labels->of_sample[i];
    s[i] *= k == 1 ? 3.0 : k == 3 ? 0.5 : 1.0;
  }
  expect_close(fit({.data = data, .sample_weights = s}, options), both, 1e-4);
  expect_certified(problem_of(data, both, s), both);
  EXPECT_GT(both.intercept[1], both.intercept[3]);  // they do matter
}

TEST(FitMulticlass, BalancedClassesWeighAsMuch) {
  Dataset data = four_classes();
  for (std::size_t i = 0; i < 60; ++i) {
    if (data.labels->of_sample[i] == 3) data.labels->of_sample[i] = 0;
  }
  FitOptions options{.lambda1 = 0.02, .lambda2 = 0.1, .standardize = false, .tolerance = 1e-10};
  options.class_weight.balanced = true;
  const LinearModel balanced = fit({.data = data}, options);
  std::vector<double> counts(4, 0.0);
  for (const Index k : data.labels->of_sample) counts[static_cast<std::size_t>(k)] += 1.0;
  ASSERT_EQ(counts[3], 5.0);
  std::vector<double> s;
  for (const Index k : data.labels->of_sample) s.push_back(1.0 / counts[static_cast<std::size_t>(k)]);
  expect_certified(problem_of(data, balanced, s), balanced);
}

TEST(FitMulticlass, PenaltyFactorsScaleLambda1ByRow) {
  const Dataset data = four_classes();
  std::vector<double> factors(40, 1.0);
  factors[20] = 0.0;  // noise, but free to enter
  factors[0] = 1000.0;
  const LinearModel model =
      fit({.data = data, .penalty_factors = factors}, {.lambda1_ratio = 0.3, .standardize = false});
  expect_certified(problem_of(data, model, {}, factors), model);
  EXPECT_EQ(std::count(model.features.begin(), model.features.end(), 20), 1);
  EXPECT_EQ(std::count(model.features.begin(), model.features.end(), 0), 0);
  EXPECT_THROW(static_cast<void>(fit({.data = data, .penalty_factors = factors}, {.lambda2 = 0.0})),
               OptionError);
}

TEST(FitMulticlass, NoInterceptIsZero) {
  FitOptions options;
  options.no_intercept = true;
  const LinearModel model = fit({.data = four_classes()}, options);
  EXPECT_EQ(model.intercept, std::vector<double>(4, 0.0));
  EXPECT_EQ(model.report->status, Status::converged);
}

TEST(FitMulticlass, PureL1AndFreeIntercepts) {
  const Dataset data = four_classes();
  const LinearModel pure = fit({.data = data}, {.lambda = 0.02});
  EXPECT_EQ(pure.lambda2, 0.0);
  EXPECT_EQ(pure.lambda3, 0.0);
  EXPECT_EQ(pure.report->status, Status::converged);
  EXPECT_LE(test::largest_sum(pure.intercept, rows_of(pure)), 1e-12);
}

TEST(FitMulticlass, EveryDesignAndNumberOfThreadsGivesTheSameModel) {
  Dataset data = four_classes();
  const DenseMatrix<double> x = *data.design.get_if<DenseMatrix<double>>();
  const FitOptions options{.lambda1 = 0.03, .tolerance = 1e-9, .threads = 1};
  const LinearModel reference = fit({.data = data}, options);
  FitOptions threads = options;
  threads.threads = 4;
  const LinearModel four = fit({.data = data}, threads);
  EXPECT_EQ(four.coefficients, reference.coefficients);
  EXPECT_EQ(four.intercept, reference.intercept);
  data.design = test::to_csc<double>(x);
  expect_close(fit({.data = data}, options), reference, 1e-3);
  data.design = test::to_csc<float>(x);
  expect_close(fit({.data = data}, options), reference, 1e-3);
  data.design = test::to_dense<float>(x);
  expect_close(fit({.data = data}, options), reference, 1e-3);
}

TEST(FitMulticlass, TakesAClassOfOneSample) {
  Dataset data = four_classes();
  for (std::size_t i = 0; i < 79; ++i) {
    if (data.labels->of_sample[i] == 3) data.labels->of_sample[i] = 0;
  }
  const LinearModel model = fit({.data = data}, {.standardize = false});
  EXPECT_EQ(model.classes.size(), 4);
  expect_certified(problem_of(data, model), model);
}

TEST(FitMulticlass, AnEarlyStopIsNoError) {
  const LinearModel model = fit({.data = four_classes()}, {.max_iterations = 2});
  EXPECT_EQ(model.report->status, Status::iteration_limit);
  EXPECT_EQ(model.report->iterations, 2);
  EXPECT_GT(model.report->relative_gap, 1e-6);
}

TEST(FitMulticlass, RefusesWhatIsNotFinite) {
  Dataset data = four_classes();
  DenseMatrix<double> x = *data.design.get_if<DenseMatrix<double>>();
  x(2, 3) = std::nan("");
  data.design = std::move(x);
  try {
    static_cast<void>(fit({.data = data}, {}));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("sample 3, feature 4 is nan: must be a finite number"));
  }
}

TEST(FitMulticlass, MeasuresAPassOverAllClasses) {
  FitOptions options;
  options.measure_pass = true;
  const LinearModel model = fit({.data = four_classes()}, options);
  ASSERT_TRUE(model.report->pass_seconds.has_value());
  EXPECT_GT(*model.report->pass_seconds, 0.0);
}

TEST(SaveLoadMulticlass, RoundTripPredictsTheSame) {
  const test::TemporaryFolder folder;
  const Dataset data = four_classes();
  const LinearModel model = fit({.data = data}, {});
  save_model(model, folder.path("model.json"));
  const LinearModel loaded = load_model(folder.path("model.json"));
  EXPECT_EQ(loaded.kind, ModelKind::multiclass);
  EXPECT_EQ(loaded.features, model.features);
  EXPECT_EQ(loaded.coefficients, model.coefficients);
  EXPECT_EQ(loaded.intercept, model.intercept);
  EXPECT_EQ(model_to_json(loaded), model_to_json(model));
  EXPECT_EQ(predict(loaded, data.design).classes, predict(model, data.design).classes);
}

TEST(PredictMulticlass, ScoresAreThoseOfTheCoefficientsAndTheLargestWins) {
  const Dataset data = four_classes();
  const LinearModel model = fit({.data = data}, {});
  const Prediction prediction = predict(model, data.design);
  const DenseMatrix<double>& x = *data.design.get_if<DenseMatrix<double>>();
  const test::Rows w = rows_of(model);
  ASSERT_EQ(prediction.n_outputs, 4);
  for (Index i = 0; i < 80; ++i) {
    std::vector<double> scores = model.intercept;
    for (Index j = 0; j < 40; ++j) {
      for (std::size_t k = 0; k < 4; ++k) scores[k] += x(i, j) * w[static_cast<std::size_t>(j)][k];
    }
    const auto row = static_cast<std::size_t>(i);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(prediction.scores[4 * row + k], scores[k], 1e-12);
    EXPECT_EQ(prediction.classes[row], std::max_element(scores.begin(), scores.end()) - scores.begin());
  }
}

}  // namespace
}  // namespace hsvm
