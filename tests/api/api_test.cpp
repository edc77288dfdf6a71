#include "hsvm/api.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "hsvm/core/error.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm {
namespace {

using testing::HasSubstr;

Dataset dataset(DenseMatrix<double> x, const std::vector<std::string>& labels) {
  Dataset data;
  data.source = "toy";
  data.design = std::move(x);
  data.labels = make_labels(labels);
  return data;
}

// Sixty samples, two thirds of them in the class -1.
Dataset unbalanced() {
  Dataset data = generate(GaussianDesign{.n = 60, .p = 30, .s = 5, .rho = 0.2, .seed = 4});
  for (std::size_t i = 0; i < 60; i += 6) data.labels->of_sample[i] = 0;
  return data;
}

// The problem a model claims to have solved, for the referee.
test::ProblemData problem_of(const Dataset& data, const LinearModel& model, std::vector<double> s = {}) {
  test::ProblemData result;
  result.x = *data.design.get_if<DenseMatrix<double>>();
  for (const Index k : data.labels->of_sample) result.y.push_back(k == 1 ? 1.0 : -1.0);
  const double sum = std::accumulate(s.begin(), s.end(), 0.0);
  for (double& weight : s) weight *= static_cast<double>(result.y.size()) / sum;
  result.s = s.empty() ? std::vector<double>(result.y.size(), 1.0) : std::move(s);
  result.parameters = {
      .loss = {model.delta}, .penalty = {model.lambda1, model.lambda2, {}}, .lambda3 = model.lambda3};
  return result;
}
std::vector<double> coefficients(const LinearModel& model) {
  std::vector<double> w(static_cast<std::size_t>(model.n_features));
  for (std::size_t c = 0; c < model.features.size(); ++c) {
    w[static_cast<std::size_t>(model.features[c])] = model.coefficients[c];
  }
  return w;
}

void expect_close(const LinearModel& a, const LinearModel& b, double error) {
  const std::vector<double> w = coefficients(a);
  const std::vector<double> v = coefficients(b);
  ASSERT_EQ(w.size(), v.size());
  for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(w[j], v[j], error) << j;
  EXPECT_NEAR(a.intercept[0], b.intercept[0], error);
}

void expect_same_bits(const LinearModel& a, const LinearModel& b) {
  EXPECT_EQ(a.features, b.features);
  EXPECT_EQ(a.coefficients, b.coefficients);
  EXPECT_EQ(a.intercept, b.intercept);
  EXPECT_EQ(a.lambda1, b.lambda1);
  EXPECT_EQ(a.report->objective, b.report->objective);
  EXPECT_EQ(a.report->dual_objective, b.report->dual_objective);
  EXPECT_EQ(a.report->iterations, b.report->iterations);
}

template <class Thrown>
std::string refusal(const FitInput& input, const FitOptions& options) {
  try {
    static_cast<void>(fit(input, options));
  } catch (const Thrown& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Fit, DefaultsAreThoseOfTheContract) {
  const Dataset data = unbalanced();
  const LinearModel model = fit({.data = data}, {});
  ASSERT_TRUE(model.report.has_value());
  EXPECT_EQ(model.report->status, Status::converged);
  EXPECT_EQ(model.report->solver, Solver::newton);
  EXPECT_EQ(fit({.data = data}, {.stopping = Stopping::paper}).report->solver,
            Solver::pg);  // the paper's rule, its solver
  EXPECT_EQ(model.report->stopping, Stopping::gap);
  EXPECT_EQ(model.report->n_samples, 60);
  EXPECT_EQ(model.report->tolerance, 1e-6);
  EXPECT_FALSE(model.report->pass_seconds.has_value());
  EXPECT_EQ(model.lambda1, 0.1 * model.report->lambda1_max);
  EXPECT_EQ(model.lambda2, 0.01);
  EXPECT_EQ(model.lambda3, 0.0);
  EXPECT_TRUE(model.report->standardized);
  EXPECT_EQ(model.delta, 1.0);
  EXPECT_EQ(model.n_features, 30);
  EXPECT_EQ(model.classes, data.labels->classes);
  EXPECT_LE(model.report->relative_gap, 1e-6);
  EXPECT_NEAR(model.report->gap, model.report->objective - model.report->dual_objective, 1e-18);
}

TEST(Fit, SolvesTheProblemItNames) {
  const Dataset data = unbalanced();
  const LinearModel model = fit({.data = data}, {.lambda3 = 0.01, .standardize = false});
  const test::ProblemData problem = problem_of(data, model);
  const std::vector<double> w = coefficients(model);
  const double b = model.intercept[0];
  EXPECT_NEAR(model.report->objective, test::reference_objective(problem, b, w), 1e-13);
  EXPECT_LE(test::reference_dual(problem, b, w), model.report->objective * (1.0 + 1e-14));  // rounding
  EXPECT_LE(test::reference_violation(problem, b, w), 0.01);
}

TEST(Fit, TheInterceptIsFreeUnlessLambda3SaysOtherwise) {
  const Dataset data = unbalanced();
  EXPECT_EQ(fit({.data = data}, {.lambda2 = 0.5}).lambda3, 0.0);
  EXPECT_EQ(fit({.data = data}, {.lambda = 0.2, .alpha = 0.5}).lambda3, 0.0);
  EXPECT_EQ(fit({.data = data}, {.lambda2 = 0.5, .lambda3 = 2.0}).lambda3, 2.0);
}

TEST(Fit, LambdaAndAlphaShareThePenalty) {
  const Dataset data = unbalanced();
  const LinearModel model = fit({.data = data}, {.lambda = 0.2, .alpha = 0.75});
  EXPECT_DOUBLE_EQ(model.lambda1, 0.15);
  EXPECT_DOUBLE_EQ(model.lambda2, 0.05);
  expect_same_bits(model, fit({.data = data}, {.lambda1 = model.lambda1, .lambda2 = model.lambda2}));
  const LinearModel pure = fit({.data = data}, {.lambda = 0.2});  // alpha = 1
  EXPECT_EQ(pure.lambda1, 0.2);
  EXPECT_EQ(pure.lambda2, 0.0);
  EXPECT_EQ(pure.lambda3, 0.0);
  EXPECT_EQ(pure.report->status, Status::converged);
  const LinearModel ridge = fit({.data = data}, {.lambda = 0.2, .alpha = 0.0});
  EXPECT_EQ(ridge.lambda1, 0.0);
  EXPECT_EQ(ridge.lambda2, 0.2);
  EXPECT_EQ(ridge.features.size(), 30U);
}

TEST(Fit, TheRatioIsOfLambda1Max) {
  const Dataset data = unbalanced();
  const double most = fit({.data = data}, {}).report->lambda1_max;
  EXPECT_EQ(fit({.data = data}, {.lambda1_ratio = 0.5}).lambda1, 0.5 * most);
  for (const Solver solver : {Solver::pg, Solver::pg2}) {
    EXPECT_TRUE(fit({.data = data}, {.lambda1_ratio = 1.0, .solver = solver}).features.empty());
    EXPECT_FALSE(
        fit({.data = data}, {.lambda1_ratio = 0.99, .solver = solver, .tolerance = 1e-9}).features.empty());
  }
}

TEST(Fit, SolversAndStoppingRulesAgree) {
  const Dataset data = unbalanced();
  FitOptions options;
  options.tolerance = 1e-9;
  const LinearModel reference = fit({.data = data}, options);
  for (const Solver solver : {Solver::pg, Solver::pg2}) {
    for (const Stopping stopping : {Stopping::gap, Stopping::paper}) {
      options.solver = solver;
      options.stopping = stopping;
      const LinearModel model = fit({.data = data}, options);
      EXPECT_EQ(model.report->status, Status::converged);
      EXPECT_EQ(model.report->solver, solver);
      EXPECT_EQ(model.report->stopping, stopping);
      expect_close(model, reference, 2e-3);
    }
  }
}

TEST(Fit, NoInterceptIsZero) {
  const Dataset data = unbalanced();
  FitOptions options;
  options.no_intercept = true;
  const LinearModel model = fit({.data = data}, options);
  EXPECT_EQ(model.intercept, std::vector<double>{0.0});
  EXPECT_EQ(model.lambda3, 0.0);
  EXPECT_EQ(model.report->status, Status::converged);
}

TEST(Fit, EveryDesignGivesTheSameModel) {
  Dataset data = unbalanced();
  const DenseMatrix<double> x = *data.design.get_if<DenseMatrix<double>>();
  const FitOptions options{.lambda1 = 0.03, .tolerance = 1e-9};
  const LinearModel reference = fit({.data = data}, options);
  data.design = test::to_csc<double>(x);
  expect_close(fit({.data = data}, options), reference, 1e-4);
  data.design = test::to_csc<float>(x);
  expect_close(fit({.data = data}, options), reference, 2e-4);
  data.design = test::to_dense<float>(x);
  expect_close(fit({.data = data}, options), reference, 2e-4);
}

TEST(Fit, TheNumberOfThreadsChangesNoBit) {
  const Dataset data = generate(GaussianDesign{.n = 100, .p = 700, .s = 10, .rho = 0.5, .seed = 2});
  for (const Solver solver : {Solver::pg, Solver::pg2}) {
    const LinearModel one = fit({.data = data}, {.solver = solver, .threads = 1});
    EXPECT_FALSE(one.features.empty());
    for (const int threads : {2, 4, 0}) {
      expect_same_bits(fit({.data = data}, {.solver = solver, .threads = threads}), one);
    }
  }
}

TEST(Fit, FindsTheFeaturesThatMatter) {
  const Dataset train = generate(GaussianDesign{.n = 200, .p = 300, .s = 10, .seed = 5});
  const LinearModel model = fit({.data = train}, {.lambda1_ratio = 0.3});
  EXPECT_GE(model.features.size(), 5U);
  Index noise = 0;
  for (std::size_t c = 0; c < model.features.size(); ++c) {
    if (model.features[c] >= 10)
      ++noise;
    else
      EXPECT_GT(model.coefficients[c], 0.0);  // the class +1 has the larger mean
  }
  EXPECT_LE(noise, 3);
  const Dataset test = generate(GaussianDesign{.n = 200, .p = 300, .s = 10, .seed = 6});
  const Prediction prediction = predict(model, test.design);
  Index right = 0;
  for (std::size_t i = 0; i < 200; ++i) right += prediction.classes[i] == test.labels->of_sample[i];
  EXPECT_GE(right, 190);
}

TEST(Fit, BalancedClassWeightsAreExplicitOnesAndSampleWeights) {
  const Dataset data = unbalanced();
  FitOptions options;
  options.standardize = false;  // sample weights have a part in that, class weights have none
  options.tolerance = 1e-10;
  options.lambda1 = 0.05;
  options.class_weight.balanced = true;
  const LinearModel balanced = fit({.data = data}, options);

  std::vector<double> counts(2, 0.0);
  for (const Index k : data.labels->of_sample) counts[static_cast<std::size_t>(k)] += 1.0;
  ASSERT_NE(counts[0], counts[1]);
  FitOptions explicit_weights = options;
  explicit_weights.class_weight = {
      .by_label = {{"-1", 60.0 / (2.0 * counts[0])}, {"+1.0", 60.0 / (2.0 * counts[1])}}};
  expect_close(fit({.data = data}, explicit_weights), balanced, 1e-4);

  options.class_weight = {};
  std::vector<double> s;
  for (const Index k : data.labels->of_sample) s.push_back(17.0 / counts[static_cast<std::size_t>(k)]);
  expect_close(fit({.data = data, .sample_weights = s}, options), balanced, 1e-5);
  EXPECT_LE(
      test::reference_violation(problem_of(data, balanced, s), balanced.intercept[0], coefficients(balanced)),
      1e-3);

  const LinearModel plain = fit({.data = data}, options);
  EXPECT_GT(std::abs(plain.intercept[0] - balanced.intercept[0]), 0.01);  // they do matter
}

TEST(Fit, ClassAndSampleWeightsMultiply) {
  const Dataset data = unbalanced();
  FitOptions options{.lambda1 = 0.05};
  options.standardize = false;  // as above
  options.tolerance = 1e-10;
  std::vector<double> s(60);
  for (std::size_t i = 0; i < 60; ++i) s[i] = 1.0 + static_cast<double>(i % 3);
  options.class_weight.by_label = {{"1", 2.5}};
  const LinearModel both = fit({.data = data, .sample_weights = s}, options);
  options.class_weight = {};
  for (std::size_t i = 0; i < 60; ++i) s[i] *= data.labels->of_sample[i] == 1 ? 2.5 : 1.0;
  expect_close(fit({.data = data, .sample_weights = s}, options), both, 1e-5);
}

TEST(Fit, OnlyTheRatioOfWeightsMatters) {
  const Dataset data = unbalanced();
  const std::vector<double> ones(60, 1.0);
  const std::vector<double> fours(60, 4.0);
  const LinearModel plain = fit({.data = data}, {});
  expect_same_bits(fit({.data = data, .sample_weights = ones}, {}), plain);
  expect_same_bits(fit({.data = data, .sample_weights = fours}, {}), plain);
}

TEST(Fit, WordsAreClassesToo) {
  Dataset data = unbalanced();
  FitOptions options;
  options.class_weight.by_label = {{"a=b", 2.0}};
  const LinearModel numbers = fit({.data = data}, {.class_weight = {.by_label = {{"1", 2.0}}}});
  data.labels->classes = {false, {"a", "a=b"}};
  const LinearModel words = fit({.data = data}, options);
  expect_same_bits(words, numbers);
  EXPECT_EQ(words.classes.names[1], "a=b");
}

TEST(Fit, RefusesDataWithoutTwoClasses) {
  const DenseMatrix<double> x = test::matrix({{1}, {2}, {3}});
  EXPECT_EQ(refusal<InputError>({.data = dataset(x, {"1", "1", "+1"})}, {}),
            "toy: all samples have the label 1: a fit needs two classes");
  EXPECT_EQ(refusal<InputError>({.data = dataset(x, {"1", "2", "3"})}, {}), "accepted");
  Dataset unlabelled = dataset(x, {"1", "2", "1"});
  unlabelled.labels.reset();
  EXPECT_EQ(refusal<InputError>({.data = unlabelled}, {}), "toy: the data has no labels: a fit needs them");
}

TEST(Fit, RefusesWeightsThatDoNotFit) {
  const Dataset data = dataset(test::matrix({{1, 0}, {2, 1}, {3, 0}}), {"1", "2", "1"});
  const auto samples = [&](const std::vector<double>& s) {
    return refusal<InputError>({.data = data, .sample_weights = s}, {});
  };
  EXPECT_EQ(samples({1, 2}), "2 sample weights for 3 samples: there must be one for each");
  EXPECT_EQ(samples({1, 2, 3, 4}), "4 sample weights for 3 samples: there must be one for each");
  EXPECT_EQ(samples({1, -2, 3}), "sample weights number 2 is -2: must be at least 0");
  EXPECT_EQ(samples({1, 2, std::nan("")}), "sample weights number 3 is nan: must be at least 0");
  EXPECT_EQ(samples({std::numeric_limits<double>::infinity(), 2, 3}),
            "sample weights number 1 is inf: must be at least 0");
  EXPECT_EQ(samples({0, 0, 0}), "the sample weights must have a positive, finite sum");
  EXPECT_EQ(samples({1e308, 1e308, 1e308}), "the sample weights must have a positive, finite sum");
  EXPECT_EQ(samples({0, 1, 2}), "accepted");

  const auto factors = [&](const std::vector<double>& v) {
    return refusal<InputError>({.data = data, .penalty_factors = v}, {});
  };
  EXPECT_EQ(factors({1}), "1 penalty factors for 2 features: there must be one for each");
  EXPECT_EQ(factors({1, -1}), "penalty factors number 2 is -1: must be at least 0");
  EXPECT_EQ(factors({1, 0}), "accepted");
}

TEST(Fit, RefusesCoefficientsWithoutAnyPenalty) {
  const Dataset data = unbalanced();
  EXPECT_EQ(refusal<OptionError>({.data = data}, {.lambda1 = 0.0, .lambda2 = 0.0}),
            "lambda1 and lambda2 are both 0: one of them must be positive");
  EXPECT_EQ(refusal<OptionError>({.data = data}, {.lambda = 0.0}),
            "lambda1 and lambda2 are both 0: one of them must be positive");
  std::vector<double> factors(30, 1.0);
  factors[3] = 0.0;
  EXPECT_EQ(refusal<OptionError>({.data = data, .penalty_factors = factors}, {.lambda2 = 0.0}),
            "a penalty factor of 0 leaves its feature without any penalty: lambda2 must be positive");
}

TEST(Fit, RefusesClassWeightsThatMakeNoSense) {
  const Dataset data = unbalanced();
  const auto weights = [&](const std::map<std::string, double>& by_label) {
    FitOptions options;
    options.class_weight.by_label = by_label;
    return refusal<OptionError>({.data = data}, options);
  };
  for (const double weight :
       {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_THAT(weights({{"1", weight}}), HasSubstr("the weight of '1' must be at least 0 and finite"))
        << weight;
  EXPECT_EQ(weights({{"2", 1.0}}), "class_weight 2=1: no sample has the label '2'");
  EXPECT_EQ(weights({{"-1", 0.5}, {"one", 1.0}}), "class_weight -1=0.5,one=1: no sample has the label 'one'");
  EXPECT_EQ(weights({{"", 1.0}}), "class_weight =1: no sample has the label ''");
  EXPECT_EQ(weights({{"{}", 1.0}}), "class_weight {}=1: no sample has the label '{}'");
  EXPECT_EQ(weights({{"1", 2.0}, {"-1", 0.5}}), "accepted");
  EXPECT_EQ(weights({{"+1.0", 0.0}}), "accepted");
  const FitOptions both{.class_weight = {.balanced = true, .by_label = {{"1", 2.0}}}};
  EXPECT_EQ(refusal<OptionError>({.data = data}, both),
            "class_weight 1=2: must not be given beside balanced weights");
  FitOptions none;
  none.class_weight.by_label = {{"1", 0.0}, {"-1", 0.0}};
  EXPECT_EQ(refusal<InputError>({.data = data}, none), "the sample weights must have a positive, finite sum");
}

TEST(Fit, ChecksItsOptions) {
  const Dataset data = unbalanced();
  EXPECT_EQ(refusal<OptionError>({.data = data}, {.lambda1 = -1.0}), "lambda1 -1: must be at least 0");
  EXPECT_THAT(refusal<OptionError>({.data = data}, {.lambda1 = 1.0, .lambda1_ratio = 0.1}),
              HasSubstr("exclude each other"));
}

TEST(Fit, PenaltyFactorsScaleLambda1) {
  const Dataset data = unbalanced();
  FitOptions options{.lambda1 = 0.02};
  options.tolerance = 1e-10;
  const std::vector<double> twos(30, 2.0);
  const LinearModel doubled = fit({.data = data, .penalty_factors = twos}, options);
  options.lambda1 = 0.04;
  expect_close(doubled, fit({.data = data}, options), 1e-5);

  std::vector<double> factors(30, 1.0);
  factors[29] = 0.0;    // never penalised: in the model however large lambda1
  factors[0] = 1000.0;  // never in it
  const LinearModel model = fit({.data = data, .penalty_factors = factors}, {.lambda1_ratio = 1.001});
  EXPECT_EQ(model.features, std::vector<Index>{29});
}

TEST(Fit, RefusesValuesWhoseSquaresOverflow) {
  for (const Solver solver : {Solver::pg, Solver::pg2}) {
    for (const double huge : {1e160, -1e200, 1e308}) {
      const Dataset data = dataset(test::matrix({{1, 0}, {huge, 1}, {3, 0}}), {"1", "2", "1"});
      EXPECT_EQ(refusal<InputError>({.data = data}, {.standardize = false, .solver = solver}),
                "toy: the values are so large that their squares overflow: scale the features")
          << huge;
      EXPECT_EQ(refusal<InputError>({.data = data}, {.solver = solver}), "accepted") << huge;
    }
    const Dataset large = dataset(test::matrix({{1, 0}, {1e100, 1}, {3, 0}}), {"1", "2", "1"});
    EXPECT_EQ(
        refusal<InputError>({.data = large}, {.standardize = false, .solver = solver, .max_iterations = 20}),
        "accepted");
  }
}

TEST(Fit, RefusesValuesThatAreNotNumbers) {
  for (const Solver solver : {Solver::pg, Solver::pg2}) {
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
      const DenseMatrix<double> x = test::matrix({{1, 0}, {2, bad}, {3, 0}});
      Dataset data = dataset(x, {"1", "2", "1"});
      for (const bool sparse : {false, true}) {
        if (sparse) data.design = test::to_csc<double>(x);
        const std::string said = refusal<InputError>({.data = data}, {.solver = solver});
        EXPECT_THAT(said, HasSubstr("sample 2"));
        EXPECT_THAT(said, HasSubstr("feature 2"));
      }
    }
  }
}

TEST(Fit, TwoSamplesOfOneFeatureAreEnough) {
  // tests/support: two_point_problem. lambda1_max = 1, w = 1/2, objective 5/16.
  const Dataset data = dataset(test::matrix({{1}, {-1}}), {"+1", "-1"});
  for (const Solver solver : {Solver::pg, Solver::pg2}) {
    FitOptions options{.lambda1 = 0.25, .lambda2 = 0.5, .solver = solver};
    options.tolerance = 1e-12;
    const LinearModel model = fit({.data = data}, options);
    EXPECT_NEAR(model.report->lambda1_max, 1.0, 1e-12);
    ASSERT_EQ(model.features, std::vector<Index>{0});
    EXPECT_NEAR(model.coefficients[0], 0.5, 1e-6);
    EXPECT_NEAR(model.intercept[0], 0.0, 1e-6);
    EXPECT_NEAR(model.report->objective, 5.0 / 16.0, 1e-11);
  }
}

TEST(Fit, ConstantFeaturesDoNoHarm) {
  DenseMatrix<double> x = (*unbalanced().design.get_if<DenseMatrix<double>>());
  for (Index i = 0; i < 60; ++i) {
    x(i, 10) = 0.0;
    x(i, 11) = 5.0;
  }
  Dataset data = unbalanced();
  data.design = x;
  const LinearModel model = fit({.data = data}, {.standardize = false});
  EXPECT_EQ(model.report->status, Status::converged);
  // The free intercept does what a constant could do, at no cost.
  EXPECT_EQ(std::count(model.features.begin(), model.features.end(), 10), 0);
  EXPECT_EQ(std::count(model.features.begin(), model.features.end(), 11), 0);
  const Dataset nothing = dataset(DenseMatrix<double>(3, 2), {"1", "2", "1"});
  for (const Solver solver : {Solver::pg, Solver::pg2}) {
    const LinearModel empty = fit({.data = nothing}, {.solver = solver});
    EXPECT_EQ(empty.report->status, Status::converged);
    EXPECT_EQ(empty.report->lambda1_max, 0.0);
    EXPECT_TRUE(empty.features.empty());
  }
}

TEST(Fit, DataWithoutFeaturesGivesAnIntercept) {
  const Dataset data = dataset(DenseMatrix<double>(3, 0), {"1", "2", "1"});
  for (const Solver solver : {Solver::pg, Solver::pg2}) {
    const LinearModel model = fit({.data = data}, {.solver = solver});
    EXPECT_EQ(model.report->status, Status::converged);
    EXPECT_LT(model.intercept[0], 0.0);  // most samples are of the first class
    EXPECT_NO_THROW(static_cast<void>(model_from_json(model_to_json(model), "m")));
  }
}

TEST(Fit, AnEarlyStopIsAStatusNotAnError) {
  const Dataset data = unbalanced();
  for (const Solver solver : {Solver::pg, Solver::pg2}) {
    FitOptions options{.solver = solver};
    options.tolerance = 1e-13;
    options.max_iterations = 3;
    const LinearModel limited = fit({.data = data}, options);
    EXPECT_EQ(limited.report->status, Status::iteration_limit);
    EXPECT_LE(limited.report->iterations, 3);
    EXPECT_LE(limited.report->dual_objective, limited.report->objective);
    options.max_iterations = 100000;
    options.time_limit = 1e-9;
    EXPECT_EQ(fit({.data = data}, options).report->status, Status::time_limit);
    options.time_limit = kNoLimit;
    const SolveMonitor monitor{.interrupted = [] { return true; }, .progress = {}};
    EXPECT_EQ(fit({.data = data}, options, monitor).report->status, Status::interrupted);
  }
}

TEST(Fit, MeasuresAPassWhereAsked) {
  const Dataset data = unbalanced();
  FitOptions options;
  options.measure_pass = true;
  EXPECT_GT(fit({.data = data}, options).report->pass_seconds.value(), 0.0);
}

TEST(Fit, NamesFeaturesAsTheDataDoes) {
  Dataset data = unbalanced();
  for (int j = 0; j < 30; ++j) data.feature_names.push_back("gene \"" + std::to_string(j) + "\"");
  EXPECT_EQ(fit({.data = data}, {}).feature_names, data.feature_names);
}

TEST(SaveLoad, RoundTripPredictsTheSame) {
  const test::TemporaryFolder folder;
  const Dataset data = unbalanced();
  for (const bool measured : {false, true}) {
    FitOptions options;
    options.measure_pass = measured;
    const LinearModel model = fit({.data = data}, options);
    for (const char* name : {"model.json", "model.json.gz"}) {
      save_model(model, folder.path(name));
      const LinearModel loaded = load_model(folder.path(name));
      expect_same_bits(loaded, model);
      EXPECT_EQ(model_to_json(loaded), model_to_json(model));
      EXPECT_EQ(predict(loaded, data.design).scores, predict(model, data.design).scores);
    }
  }
}

TEST(SaveLoad, SaysWhichFileIsWrong) {
  const test::TemporaryFolder folder;
  const auto refusal_to_load = [](const std::string& path) -> std::string {
    try {
      static_cast<void>(load_model(path));
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal_to_load(folder.path("absent.json")), HasSubstr("absent.json"));
  EXPECT_THAT(refusal_to_load(folder.write("broken.json", "{")), HasSubstr("broken.json: not a model file"));
  EXPECT_THAT(refusal_to_load(folder.write("empty.json", "")), HasSubstr("empty.json"));
  EXPECT_THROW(save_model(fit({.data = unbalanced()}, {}), folder.path("no/such/folder/model.json")),
               InputError);
}

}  // namespace
}  // namespace hsvm
