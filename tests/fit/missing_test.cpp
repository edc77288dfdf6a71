// Fits to data with missing values, against fits to data that was filled by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "hsvm/api.hpp"
#include "hsvm/core/random.hpp"
#include "tests/io/io_support.hpp"

namespace hsvm::test {
namespace {

struct Gappy {
  Dataset data;                 // with gaps
  DenseMatrix<double> numbers;  // zeros in them
};

Gappy gappy(int n_classes, bool sparse, Fill fill) {
  constexpr Index kRows = 40;
  constexpr Index kCols = 6;
  Random random(3);
  Gappy result{{}, DenseMatrix<double>(kRows, kCols)};
  std::vector<std::string> labels;
  for (Index i = 0; i < kRows; ++i) {
    labels.push_back("c" + std::to_string(i % n_classes));
    for (Index j = 0; j < kCols; ++j)
      result.numbers(i, j) = 5.0 + random.normal() + (j == i % n_classes ? 2.0 : 0.0);
  }
  for (Index j = 0; j < kCols; j += 2) {
    MissingEntries::Column column{j};
    for (Index i = 0; i < kRows; ++i) {
      if (random.below(4) != 0) continue;
      column.rows.push_back(i);
      result.numbers(i, j) = 0.0;
    }
    result.data.missing.columns.push_back(column);
  }
  result.data.source = "gappy";
  result.data.labels = make_labels(labels);
  result.data.design = sparse ? SharedDesign(as_sparse(result.numbers)) : SharedDesign(result.numbers);
  result.data.fill = fill;
  return result;
}

// The same without gaps: what stands in them is learned from the samples with a weight, the plain way.
Dataset filled_by_hand(const Gappy& gappy, const std::vector<double>& weights) {
  DenseMatrix<double> x = gappy.numbers;
  for (const MissingEntries::Column& column : gappy.data.missing.columns) {
    std::vector<double> present;
    for (Index i = 0; i < x.rows(); ++i) {
      if (!std::ranges::binary_search(column.rows, i) && weights[static_cast<std::size_t>(i)] > 0.0)
        present.push_back(x(i, column.feature));
    }
    std::ranges::sort(present);
    double value = 0.0;
    for (const double p : present) value += p / static_cast<double>(present.size());
    if (gappy.data.fill == Fill::median)
      value = 0.5 * (present[present.size() / 2] + present[(present.size() - 1) / 2]);
    for (const Index i : column.rows) x(i, column.feature) = value;
  }
  Dataset data = gappy.data;
  data.missing = {};
  data.fill = Fill::none;
  data.design = x;
  return data;
}

void expect_same_model(const LinearModel& a, const LinearModel& b) {
  EXPECT_EQ(a.features, b.features);
  ASSERT_EQ(a.coefficients.size(), b.coefficients.size());
  for (std::size_t c = 0; c < a.coefficients.size(); ++c)
    EXPECT_NEAR(a.coefficients[c], b.coefficients[c], 1e-5);
  for (std::size_t k = 0; k < a.intercept.size(); ++k) EXPECT_NEAR(a.intercept[k], b.intercept[k], 1e-4);
}

TEST(MissingValues, AreFilledForTheFit) {
  for (const int n_classes : {2, 3}) {
    for (const Fill fill : {Fill::mean, Fill::median}) {
      for (const bool sparse : {false, true}) {
        for (const bool standardize : {false, true}) {
          const Gappy data = gappy(n_classes, sparse, fill);
          FitOptions options;
          options.standardize = standardize;
          options.tolerance = 1e-10;
          const std::vector<double> all(40, 1.0);
          const Dataset by_hand = filled_by_hand(data, all);
          const LinearModel model = fit({.data = data.data}, options);
          expect_same_model(model, fit({.data = by_hand}, options));
          EXPECT_EQ(model.preparation.fill, fill);
          // What the model says of the data with gaps is what it says of the filled data.
          const Prediction with_gaps = predict(model, data.data);
          const Prediction without = predict(model, *by_hand.design);
          ASSERT_EQ(with_gaps.scores.size(), without.scores.size());
          for (std::size_t i = 0; i < without.scores.size(); ++i)
            EXPECT_NEAR(with_gaps.scores[i], without.scores[i], 1e-9);
        }
      }
    }
  }
}

// Cross-validation gives the samples it holds out a weight of zero: they must have no part in the values.
TEST(MissingValues, AreLearnedWithoutTheSamplesHeldOut) {
  for (const Fill fill : {Fill::mean, Fill::median}) {
    Gappy data = gappy(2, false, fill);
    std::vector<double> weights(40, 1.0);
    for (std::size_t i = 0; i < 13; ++i) weights[i] = 0.0;
    FitOptions options;
    options.tolerance = 1e-10;
    const LinearModel model = fit({.data = data.data, .sample_weights = weights}, options);
    expect_same_model(model, fit({.data = filled_by_hand(data, weights), .sample_weights = weights}, options));
    for (Index i = 0; i < 13; ++i) {
      for (Index j = 0; j < 6; ++j) data.numbers(i, j) *= 1e6;
    }
    for (const MissingEntries::Column& column : data.data.missing.columns) {
      for (const Index i : column.rows) data.numbers(i, column.feature) = 0.0;
    }
    data.data.design = data.numbers;
    const LinearModel other = fit({.data = data.data, .sample_weights = weights}, options);
    EXPECT_EQ(other.preparation.values, model.preparation.values);
    expect_same_model(other, model);
  }
}

TEST(MissingValues, NeedARule) {
  const Gappy data = gappy(2, false, Fill::none);
  EXPECT_THAT([&] { (void)fit({.data = data.data}, {}); },
              testing::ThrowsMessage<InputError>(
                  testing::HasSubstr("missing values, the first of feature 1 in sample ")));
}

TEST(MissingValues, AreTheSameForAnyNumberOfThreads) {
  const Gappy data = gappy(3, false, Fill::median);
  FitOptions options;
  TuneOptions tuning;
  tuning.folds = 4;
  std::vector<std::string> models;
  for (const int threads : {1, 3}) {
    options.threads = threads;
    TunedModel model = tune({.data = data.data}, options, {.nlambda = 8}, tuning);
    model.best.report.reset();
    models.push_back(model_to_json(model.best));
  }
  EXPECT_EQ(models[0], models[1]);
}

}  // namespace
}  // namespace hsvm::test
