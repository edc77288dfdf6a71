// Defaults that do not depend on units: multiply a feature by any number, shift it, and fit, path and cross-validation predict
// the same.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "hsvm/api.hpp"
#include "hsvm/core/random.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

struct Change {
  std::string name;
  double (*factor)(Index j, Random& random);
  double shift = 0.0;  // in deviations, about 1
};

double power_of_ten(double low, double high, Random& random) {
  return std::pow(10.0, low + (high - low) * random.uniform());
}

const std::vector<Change> kChanges = {
    {"times 1e-20", [](Index, Random&) { return 1e-20; }},
    {"times 1e-3", [](Index, Random&) { return 1e-3; }},
    {"times 1e3", [](Index, Random&) { return 1e3; }},
    {"times 1e20", [](Index, Random&) { return 1e20; }},
    {"each by its own", [](Index, Random& random) { return power_of_ten(-20.0, 20.0, random); }},
    {"each by its own, some reversed",
     [](Index j, Random& random) { return (j % 3 == 0 ? -1.0 : 1.0) * power_of_ten(-3.0, 3.0, random); }},
    {"time stamps", [](Index, Random&) { return 86400.0; }, 20'000.0},
};

Dataset binary_data() {
  Dataset data = generate(GaussianDesign{.n = 50, .p = 20, .s = 4, .rho = 0.5, .seed = 3});
  for (std::size_t i = 0; i < 50; i += 7) data.labels->of_sample[i] = 1 - data.labels->of_sample[i];
  return data;
}
Dataset four_even_classes() {
  return generate(FourClassDesign{.n = 48, .p = 16, .s = 6, .rho = 0.5, .seed = 2});
}

Dataset changed(const Dataset& data, const Change& change, bool sparse) {
  Random random(5);
  DenseMatrix<double> x = *data.design.get_if<DenseMatrix<double>>();
  for (Index j = 0; j < x.cols(); ++j) {
    const double factor = change.factor(j, random);
    for (Index i = 0; i < x.rows(); ++i) x(i, j) = factor * (x(i, j) + change.shift);
  }
  Dataset result = data;
  if (sparse) {
    result.design = test::to_csc<double>(x);
  } else {
    result.design = x;
  }
  return result;
}

void expect_same_scores(const std::vector<double>& a, const std::vector<double>& b, double error) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], error) << i;
}

// Calls check(original, changed) for every data and change.
template <class Check>
void for_all_changes(const Check& check) {
  for (const Dataset& data : {binary_data(), four_even_classes()}) {
    for (const Change& change : kChanges) {
      for (const bool sparse : {false, true}) {
        SCOPED_TRACE(change.name + (sparse ? ", sparse" : ", dense") +
                     (data.labels->classes.size() > 2 ? ", four" : ""));
        check(data, changed(data, change, sparse));
      }
    }
  }
}

// Solved to a gap of 1e-10, scores agree to about its root.
constexpr double kError = 1e-4;

TEST(ScaleFree, Fits) {
  for_all_changes([](const Dataset& data, const Dataset& other) {
    const FitOptions options{.tolerance = 1e-10};
    const LinearModel one = fit({data}, options);
    const LinearModel two = fit({other}, options);
    EXPECT_EQ(one.report->status, Status::converged);
    EXPECT_EQ(two.report->status, Status::converged);
    EXPECT_EQ(one.features, two.features);
    EXPECT_NEAR(one.report->lambda1_max, two.report->lambda1_max, 1e-9 * one.report->lambda1_max);
    expect_same_scores(predict(one, data.design).scores, predict(two, other.design).scores, kError);
  });
}

TEST(ScaleFree, Paths) {
  for_all_changes([](const Dataset& data, const Dataset& other) {
    const FitOptions options{.tolerance = 1e-10};
    const PathModel one = fit_path({data}, options, {.nlambda = 12});
    const PathModel two = fit_path({other}, options, {.nlambda = 12});
    ASSERT_EQ(one.points.size(), two.points.size());
    EXPECT_EQ(one.ended, two.ended);
    for (std::size_t k = 0; k < one.points.size(); ++k) {
      EXPECT_EQ(two.points[k].report->status, Status::converged);
      expect_same_scores(predict(at(one, one.points[k].lambda1), data.design).scores,
                         predict(at(two, two.points[k].lambda1), other.design).scores, kError);
    }
  });
}

TEST(ScaleFree, CrossValidation) {
  for_all_changes([](const Dataset& data, const Dataset& other) {
    const FitOptions options{.tolerance = 1e-9};
    const TunedModel one = tune({data}, options, {.nlambda = 8, .lambda_min_ratio = 0.02}, {.folds = 4});
    const TunedModel two = tune({other}, options, {.nlambda = 8, .lambda_min_ratio = 0.02}, {.folds = 4});
    ASSERT_EQ(one.tuning.grid.size(), two.tuning.grid.size());
    EXPECT_EQ(one.tuning.best, two.tuning.best);
    EXPECT_EQ(one.tuning.one_se, two.tuning.one_se);
    EXPECT_EQ(one.tuning.notes, two.tuning.notes);
    for (std::size_t k = 0; k < one.tuning.grid.size(); ++k) {
      EXPECT_EQ(one.tuning.grid[k].score(Score::accuracy)->mean,
                two.tuning.grid[k].score(Score::accuracy)->mean);
      EXPECT_NEAR(one.tuning.grid[k].score(Score::loss)->mean, two.tuning.grid[k].score(Score::loss)->mean,
                  kError);
    }
    EXPECT_EQ(predict(one.best, data.design).classes, predict(two.best, other.design).classes);
  });
}

// A constant feature, and one whose values differ by rounding alone, stay out of the model whatever their size.
TEST(ScaleFree, NoiseOfRoundingIsNoFeature) {
  const Dataset data = binary_data();
  const LinearModel without = fit({data}, {.lambda1_ratio = 0.01, .tolerance = 1e-10});
  for (const double size : {1e-20, 0.1, 1.7e9, 1e20}) {
    const DenseMatrix<double>& x = *data.design.get_if<DenseMatrix<double>>();
    DenseMatrix<double> more(50, 22);
    for (Index i = 0; i < 50; ++i) {
      for (Index j = 0; j < 20; ++j) more(i, j) = x(i, j);
      more(i, 20) = size;
      // As the label says: what would be taken up at once if it were a feature.
      const bool first = data.labels->of_sample[static_cast<std::size_t>(i)] == 0;
      more(i, 21) = first ? size : size * (1.0 + 5e-13);
    }
    for (const bool sparse : {false, true}) {
      Dataset wider = data;
      if (sparse) {
        wider.design = test::to_csc<double>(more);
      } else {
        wider.design = more;
      }
      const LinearModel with = fit({wider}, {.lambda1_ratio = 0.01, .tolerance = 1e-10});
      EXPECT_EQ(with.features, without.features) << size;
      expect_same_scores(predict(without, data.design).scores, predict(with, wider.design).scores, 1e-2);
    }
  }
}

}  // namespace
}  // namespace hsvm
