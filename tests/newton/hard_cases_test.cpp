// Data and settings that break solvers, each once for two classes and, where it makes sense, for three.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hsvm/newton/newton.hpp"
#include "tests/newton/fit_support.hpp"

namespace hsvm {
namespace {

using test::expect_certified;
using test::FitData;
using test::random_fit_data;

class HardCase : public testing::TestWithParam<test::ModelCase> {
 protected:
  [[nodiscard]] Index n_classes() const { return GetParam().n_classes; }
  [[nodiscard]] Margins margins() const { return GetParam().margins; }
  [[nodiscard]] FitData data(std::uint64_t seed, Index n = 40, Index p = 15) const {
    return random_fit_data({.seed = seed, .n = n, .p = p, .n_classes = n_classes(), .margins = margins()});
  }
};

FitOptions with(double ratio, double lambda2, double delta = 1.0) {
  FitOptions options{.lambda1_ratio = ratio, .lambda2 = lambda2, .delta = delta};
  options.max_iterations = 2000;  // far more than it should take
  return options;
}

TEST_P(HardCase, NarrowElbow) {
  for (const double lambda2 : {1e-4, 0.01}) {
    for (const double ratio : {0.5, 0.05}) {
      SCOPED_TRACE(testing::Message() << lambda2 << " " << ratio);
      expect_certified(data(1), with(ratio, lambda2, 0.01));
      expect_certified(data(2, 16, 60), with(ratio, lambda2, 0.01));
    }
  }
}

TEST_P(HardCase, NarrowElbowWithoutL1) {
  for (const double delta : {0.1, 0.01}) {
    SCOPED_TRACE(delta);
    FitOptions options = with(0.0, 1e-4, delta);
    // With three classes and nothing but a trace of lambda2 the narrowest elbow may take thousands of steps.
    const bool is_hardest = n_classes() > 2 && delta <= 0.01;
    options.max_iterations = is_hardest ? test::unless_sanitized(100, 10) : 400;
    const test::Referees referees{.must_converge = !is_hardest};
    expect_certified(data(3, 16, 40), options, referees);
    expect_certified(data(4, 40, 8), options, referees);
  }
}

TEST_P(HardCase, NoLambda2) {
  for (const double ratio : {0.5, 0.1, 0.01}) {
    SCOPED_TRACE(ratio);
    expect_certified(data(5), with(ratio, 0.0));
    expect_certified(data(6, 16, 60), with(ratio, 0.0));
    FitOptions free = with(ratio, 0.0, 0.1);
    free.lambda3 = 0.0;
    expect_certified(data(7), free);
  }
}

TEST_P(HardCase, HardlyAnyLambda2) {
  for (const double ratio : {0.5, 0.1, 0.01}) {
    SCOPED_TRACE(ratio);
    expect_certified(data(8), with(ratio, 1e-8));
    expect_certified(data(9, 16, 60), with(ratio, 1e-8));
  }
}

TEST_P(HardCase, CopiesOfAColumn) {
  for (const Index copies : {2, 300}) {
    for (const double lambda2 : {0.0, 1e-8, 0.01}) {
      SCOPED_TRACE(testing::Message() << copies << " " << lambda2);
      FitData wide = data(10, 40, 5);
      const FitData narrow = wide;
      wide.x = DenseMatrix<double>(40, 5 + copies);
      for (Index i = 0; i < 40; ++i) {
        for (Index j = 0; j < 5 + copies; ++j) wide.x(i, j) = narrow.x(i, j < 5 ? j : 0);
      }
      const LinearModel model = expect_certified(wide, with(0.1, lambda2), {.max_iterations = 100});
      FitOptions same = with(0.1, lambda2);
      same.lambda1_ratio.reset();
      same.lambda1 = model.lambda1;
      const LinearModel single = narrow.fit(same);
      if (lambda2 == 0.0) {  // copies change nothing
        test::expect_compatible(*model.report, *single.report);
      }
    }
  }
}

TEST_P(HardCase, AConstantColumn) {
  for (const bool no_intercept : {false, true}) {
    FitData constant = data(11);
    for (Index i = 0; i < 40; ++i) constant.x(i, 3) = 2.0;
    FitOptions options = with(0.1, 0.01);
    options.no_intercept = no_intercept;
    expect_certified(constant, options);
    options.lambda2 = 0.0;
    expect_certified(constant, options);
  }
}

TEST_P(HardCase, AColumnOfZeros) {
  for (const test::Storage storage : test::kStorages) {
    FitData zeros = data(12);
    zeros.storage = storage;
    for (Index i = 0; i < 40; ++i) zeros.x(i, 0) = zeros.x(i, 14) = 0.0;
    for (const double lambda2 : {0.0, 0.01}) {
      const LinearModel model = expect_certified(zeros, with(0.05, lambda2));
      EXPECT_EQ(std::ranges::count(model.features, 0), 0);
      EXPECT_EQ(std::ranges::count(model.features, 14), 0);
    }
    expect_certified(zeros, with(0.0, 0.01));
  }
}

TEST_P(HardCase, NothingButZeros) {
  FitData zeros = data(13);
  zeros.x = DenseMatrix<double>(40, 15);
  const LinearModel model = expect_certified(zeros, {.lambda1 = 0.1});
  EXPECT_TRUE(model.features.empty());
  EXPECT_EQ(model.report->lambda1_max, 0.0);
}

TEST_P(HardCase, OneSampleOfEachClass) {
  const FitData few = data(14, n_classes(), 10);
  for (const double lambda2 : {0.0, 1e-4, 0.1}) {
    for (const double delta : {1.0, 0.01}) {
      SCOPED_TRACE(testing::Message() << lambda2 << " " << delta);
      expect_certified(few, with(0.1, lambda2, delta));
      FitOptions free = with(0.1, lambda2, delta);
      free.lambda3 = 0.0;
      expect_certified(few, free);
    }
  }
}

TEST_P(HardCase, OneFeature) {
  for (const double lambda2 : {0.0, 0.01}) {
    for (const double ratio : {0.9, 0.1, 1e-4}) {
      SCOPED_TRACE(testing::Message() << lambda2 << " " << ratio);
      expect_certified(data(15, 40, 1), with(ratio, lambda2));
      expect_certified(data(16, 40, 1), with(ratio, lambda2, 0.01));
    }
  }
}

TEST_P(HardCase, SeparableData) {
  const FitData far = random_fit_data(
      {.seed = 17, .n = 40, .p = 15, .n_classes = n_classes(), .margins = margins(), .signal = 20.0});
  for (const double lambda2 : {0.0, 1e-8, 0.01}) {
    for (const double ratio : {0.5, 0.01, 1e-5}) {
      for (const double delta : {1.0, 0.01}) {
        SCOPED_TRACE(testing::Message() << lambda2 << " " << ratio << " " << delta);
        FitOptions options = with(ratio, lambda2, delta);
        // The loss all but vanishes in the last case; with three classes its steps get short.
        const bool hardest = n_classes() > 2 && ratio < 0.01 && delta < 1.0;
        options.max_iterations = hardest ? test::unless_sanitized(300, 10) : 300;
        expect_certified(far, options, {.max_iterations = 10, .must_converge = !hardest});
      }
    }
  }
}

TEST_P(HardCase, AllWeightOnOneClass) {
  for (const double lambda3 : {0.0, 0.01}) {
    FitData one_sided = data(18);
    for (const Index k : one_sided.y) one_sided.weights.push_back(k == 0 ? 1.0 : 0.0);
    FitOptions options{.lambda1 = 0.01, .lambda2 = 0.01, .lambda3 = lambda3};
    options.max_iterations = 2000;
    expect_certified(one_sided, options);
  }
}

TEST_P(HardCase, ColumnsOfVeryDifferentSizes) {
  for (const double lambda2 : {0.0, 1e-4, 0.01}) {
    FitData mixed = data(19);
    for (Index i = 0; i < 40; ++i) {
      mixed.x(i, 0) *= 1e8;
      mixed.x(i, 1) *= 1e-8;
      mixed.x(i, 2) *= 1e4;
      mixed.x(i, 3) *= 1e-4;
    }
    SCOPED_TRACE(lambda2);
    // A gradient summed from numbers near 1e8 is off by some 1e-8, a share of lambda1 that without lambda2 the
    // dual point has to be scaled down by.
    const double tolerance = lambda2 == 0.0 ? 1e-4 : 1e-6;
    expect_certified(mixed,
                     {.lambda1 = 0.05, .lambda2 = lambda2, .tolerance = tolerance, .max_iterations = 2000},
                     {.max_iterations = 100});
  }
}

TEST_P(HardCase, OneHugeOutlier) {
  for (const double size : {1e3, 1e4, 1e6}) {
    FitData outlier = data(20);
    for (Index j = 0; j < 15; ++j) outlier.x(5, j) *= size;
    SCOPED_TRACE(size);
    // The largest is beyond what rounding leaves of the other samples: honest bounds are all that can be asked
    // for.
    const test::Referees referees{.max_iterations = 100, .must_converge = size < 1e6};
    const int most = referees.must_converge ? 2000 : test::unless_sanitized(2000, 20);
    expect_certified(outlier, {.lambda1 = 0.05, .lambda2 = 0.01, .max_iterations = most}, referees);
    expect_certified(outlier, {.lambda1 = 0.05, .lambda2 = 0.0, .max_iterations = most}, referees);
  }
}

// As a rule: where a sample far outside decides when steps end, now and then they are many.
TEST_P(HardCase, AnOutlierTakesFewSteps) {
  constexpr int kFewSteps = 100;  // hundreds to thousands with a damping that the outlier makes strong
  int n_fits = 0;
  int n_few = 0;
  for (std::uint64_t seed = 20; seed < 32; ++seed) {
    for (const double lambda2 : {0.0, 0.01}) {
      FitData outlier = data(seed);
      for (Index j = 0; j < 15; ++j) outlier.x(5, j) *= 1e4;
      const LinearModel model = outlier.fit({.lambda1 = 0.05, .lambda2 = lambda2, .max_iterations = kFewSteps});
      ++n_fits;
      n_few += model.report->status == Status::converged ? 1 : 0;
    }
  }
  EXPECT_GE(6 * n_few, 5 * n_fits);
}

TEST_P(HardCase, AFeatureThatIsTheLabel) {
  FitData known = data(21);
  for (std::size_t i = 0; i < known.y.size(); ++i)
    known.x(static_cast<Index>(i), 4) = 2.0 * known.y[i] - (known.n_classes - 1);
  for (const double lambda2 : {0.0, 0.01}) {
    for (const double ratio : {0.9, 0.1, 1e-3}) {
      SCOPED_TRACE(testing::Message() << lambda2 << " " << ratio);
      const LinearModel model = expect_certified(known, with(ratio, lambda2));
      EXPECT_EQ(std::ranges::count(model.features, 4), 1);
    }
  }
}

TEST_P(HardCase, AToleranceNearRounding) {
  for (const double lambda2 : {1e-4, 0.01, 1.0}) {
    for (const double delta : {1.0, 0.1}) {
      SCOPED_TRACE(testing::Message() << lambda2 << " " << delta);
      FitOptions options = with(0.1, lambda2, delta);
      options.tolerance = 1e-12;
      expect_certified(data(22), options);
      expect_certified(data(23, 16, 60), options);
    }
  }
}

TEST_P(HardCase, FarMoreFeaturesThanSamples) {
  for (const bool sparse : {false, true}) {
    const FitData wide =
        random_fit_data({.seed = 24,
                         .n = 10,
                         .p = 20'000,
                         .n_classes = n_classes(),
                         .margins = margins(),
                         .density = sparse ? 0.1 : 1.0,
                         .storage = sparse ? test::Storage::sparse_double : test::Storage::dense_single});
    for (const double ratio : {0.5, 0.05}) {
      SCOPED_TRACE(testing::Message() << sparse << " " << ratio);
      expect_certified(wide, with(ratio, 0.01), {.pg = true, .pg2 = false, .max_iterations = 20});
    }
    // Without l1 all of them matter.
    const FitData narrower = random_fit_data({.seed = 24,
                                              .n = 10,
                                              .p = 2000,
                                              .n_classes = n_classes(),
                                              .margins = margins(),
                                              .density = sparse ? 0.1 : 1.0,
                                              .storage = wide.storage});
    expect_certified(narrower, with(0.0, 0.1), {.pg = true, .pg2 = false, .max_iterations = 20});
  }
}

INSTANTIATE_TEST_SUITE_P(EveryModel, HardCase, testing::ValuesIn(test::kModelCases), test::name_of_case);

// Seven classes, of which some have a sample or two.
TEST(HardCaseOfSevenClasses, NarrowElbow) {
  for (const double lambda2 : {1e-8, 1e-4, 0.01, 1.0}) {
    SCOPED_TRACE(lambda2);
    const FitData data = random_fit_data({.seed = 25, .n = 16, .p = 40, .n_classes = 7});
    const LinearModel model = expect_certified(data, with(0.3, lambda2, 0.01));
    EXPECT_EQ(model.report->fallback, std::nullopt);
  }
}

TEST(HardCaseOfSevenClasses, IsEmptyAtLambda1Max) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const FitData data = random_fit_data({.seed = seed, .n = 16, .p = 40, .n_classes = 7});
    for (const double delta : {1.0, 0.1, 0.01}) {
      for (const double lambda3 : {0.0, 0.1}) {
        FitOptions options = with(1.0, 1.0, delta);
        options.lambda3 = lambda3;
        EXPECT_TRUE(data.fit(options).features.empty()) << seed << " " << delta << " " << lambda3;
      }
    }
  }
}

// However many steps there were, and however long.
TEST(HardCaseOfThreeClasses, RowsSumToZeroAfterManySteps) {
  for (const std::uint64_t seed : {568U, 569U}) {
    const FitData data = random_fit_data({.seed = seed, .n = 16, .p = 40, .n_classes = 3, .weights = true});
    for (const int limit : {10, 30, 100}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << limit << " iterations");
      FitOptions options = with(0.0, 1e-4, 0.01);
      options.max_iterations = limit;
      test::expect_honest(data, data.fit(options));
    }
  }
}

// Stops before the end: whatever comes back is certified for what it is.
class EarlyStop : public HardCase {
 protected:
  // The minimum lies within the bounds of the run that was cut short.
  void expect_bounds(const FitData& data, FitOptions options, const LinearModel& stopped) const {
    test::expect_honest(data, stopped);
    options.max_iterations = 100'000;
    options.time_limit = kNoLimit;
    options.tolerance = 1e-9;
    const LinearModel whole = data.fit(options);
    EXPECT_EQ(whole.report->status, Status::converged);
    test::expect_compatible(*stopped.report, *whole.report);
  }
};

TEST_P(EarlyStop, AfterAnyNumberOfIterations) {
  for (const double delta : {1.0, 0.01}) {
    for (const double lambda2 : {0.0, 0.01}) {
      for (const int limit : {1, 2, 3, 5}) {
        SCOPED_TRACE(testing::Message() << delta << " " << lambda2 << " " << limit);
        FitOptions options = with(0.05, lambda2, delta);
        options.max_iterations = limit;
        options.tolerance = 1e-13;
        const FitData problem = data(26);
        const LinearModel model = problem.fit(options);
        if (model.report->status != Status::converged) {  // a few steps may be enough
          EXPECT_EQ(model.report->status, Status::iteration_limit);
          EXPECT_EQ(model.report->iterations, limit);
          EXPECT_GT(model.report->gap, 0.0);
        }
        expect_bounds(problem, options, model);
      }
    }
  }
}

TEST_P(EarlyStop, AtTheTimeLimit) {
  FitOptions options = with(0.05, 0.01, 0.1);
  options.time_limit = 1e-9;
  options.tolerance = 1e-14;
  const FitData problem = data(27);
  const LinearModel model = problem.fit(options);
  EXPECT_EQ(model.report->status, Status::time_limit);
  EXPECT_LE(model.report->iterations, 1);
  expect_bounds(problem, options, model);
}

TEST_P(EarlyStop, WhenInterrupted) {
  for (const int calls : {1, 2, 4}) {
    FitOptions options = with(0.05, 0.01, 0.1);
    options.tolerance = 1e-14;
    const FitData problem = data(28);
    int asked = 0;
    const LinearModel model =
        problem.fit(options, {.interrupted = [&] { return ++asked >= calls; }, .progress = {}});
    EXPECT_EQ(model.report->status, Status::interrupted);
    expect_bounds(problem, options, model);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryModel, EarlyStop, testing::ValuesIn(test::kModelCases), test::name_of_case);

}  // namespace
}  // namespace hsvm
