#ifdef HSVM_HAS_LIBSVM
#include "baselines/ddag.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "datasets/accuracy.hpp"
#include "hsvm/core/error.hpp"
#include "tests/baselines/labelled.hpp"
#include "tests/support/problems.hpp"

namespace hsvm::test {
namespace {

using baselines::Ddag;
using baselines::DdagGrid;
using baselines::DdagOptions;
using baselines::DdagTuning;
using baselines::tune_ddag;
using datasets::accuracy_of;

std::vector<Index> folds_in_turn(const Labels& labels, Index n_folds) {
  std::vector<Index> folds;
  for (std::size_t i = 0; i < labels.of_sample.size(); ++i) {
    folds.push_back(static_cast<Index>(i) / labels.classes.size() % n_folds);
  }
  return folds;
}

TEST(Ddag, SeparatesWhatCanBeSeparated) {
  for (const Index n_classes : {2, 3, 5}) {
    const Labelled data = clouds(30, 3, n_classes, 0.2, 1);
    const Ddag ddag(data.x, data.labels, {.cost = 10.0, .gamma = 0.5});
    EXPECT_EQ(accuracy_of(ddag.predict(data.x), data.labels), 100.0);
    const Labelled fresh = clouds(30, 3, n_classes, 0.2, 2);
    EXPECT_EQ(accuracy_of(ddag.predict(fresh.x), fresh.labels), 100.0);
    EXPECT_EQ(ddag.predict(fresh.x), ddag.predict_by_votes(fresh.x));
    EXPECT_GT(ddag.n_support_vectors(), 1);
  }
}

// A ring around a cloud: no linear classifier does it.
TEST(Ddag, BendsItsBoundaries) {
  Labelled data = clouds(40, 2, 2, 0.2, 3);
  for (Index i = 0; i < 40; ++i) {
    const double radius = i % 2 == 0 ? 0.3 : 3.0;
    data.x(i, 0) = radius * std::cos(0.7 * i);
    data.x(i, 1) = radius * std::sin(0.7 * i);
  }
  EXPECT_EQ(accuracy_of(Ddag(data.x, data.labels, {.cost = 10.0, .gamma = 0.5}).predict(data.x), data.labels),
            100.0);
}

// One sample a class at 0, 1, 2 on a line: 0 against 2 comes first and decides at 1, the next at 1/2 or 3/2.
TEST(Ddag, AsksTheFirstAgainstTheLast) {
  const DenseMatrix<double> x = matrix({{0.0}, {1.0}, {2.0}});
  const Ddag ddag(x, labels_of({0, 1, 2}, 3), {.cost = 1.0, .gamma = 1.0});
  EXPECT_EQ(ddag.predict(matrix({{-0.1}, {0.4}, {0.6}, {1.4}, {1.6}, {2.1}})),
            (std::vector<Index>{0, 0, 1, 1, 2, 2}));
}

// Two samples (LIBSVM's kernel is in single precision): K(x, z) = k, and by symmetry both duals are a with rho
// = 0: |w|^2 = 2 a^2 (1 - k), least at a = min(C, 1/(1 - k)).
TEST(Ddag, SolvesTwoPointsByHand) {
  const DenseMatrix<double> x = matrix({{0.0}, {1.0}});
  const double k = std::exp(-1.0);
  for (const double cost : {1.0, 10.0}) {
    const Ddag ddag(x, labels_of({1, 0}, 2), {.cost = cost, .gamma = 1.0, .tolerance = 1e-10});
    const double a = std::min(cost, 1.0 / (1.0 - k));
    const double loss = 2.0 * (1.0 - a * (1.0 - k));
    ASSERT_EQ(ddag.measure().size(), 1U);
    EXPECT_NEAR(ddag.measure()[0].objective, a * a * (1.0 - k) + cost * loss, 1e-6);
    EXPECT_NEAR(ddag.measure()[0].gap, 0.0, 1e-6);
  }
}

TEST(Ddag, ClosesTheGapOfEveryPair) {
  const Labelled data = clouds(40, 4, 4, 1.0, 6);
  const Ddag ddag(data.x, data.labels, {.cost = 2.0, .gamma = 0.3, .tolerance = 1e-8});
  const auto pairs = ddag.measure();
  ASSERT_EQ(pairs.size(), 6U);
  EXPECT_EQ(pairs[1].first, 0);
  EXPECT_EQ(pairs[1].second, 2);
  for (const Ddag::Pair& pair : pairs) {
    EXPECT_GT(pair.objective, 0.0);
    EXPECT_GE(pair.gap, -1e-9);
    EXPECT_LT(pair.gap, 1e-5 * pair.objective);
  }
}

TEST(Ddag, IsTheSameForSparseDataAndTwice) {
  Labelled data = clouds(30, 4, 3, 1.0, 9);
  for (Index i = 0; i < 30; i += 2) data.x(i, i % 4) = 0.0;
  const DdagOptions options{.cost = 2.0, .gamma = 0.3};
  const Labelled fresh = clouds(60, 4, 3, 1.5, 10);
  const std::vector<Index> classes = Ddag(data.x, data.labels, options).predict(fresh.x);
  EXPECT_EQ(Ddag(data.x, data.labels, options).predict(fresh.x), classes);
  EXPECT_EQ(Ddag(to_csc<double>(data.x), data.labels, options).predict(to_csc<double>(fresh.x)), classes);
}

// The order of the samples does not matter to the answer, so LIBSVM's order of classes does not either.
TEST(Ddag, DoesNotDependOnTheOrderOfSamples) {
  const Labelled data = clouds(30, 3, 3, 0.8, 4);
  Labelled turned = data;
  for (Index i = 0; i < 30; ++i) {
    for (Index j = 0; j < 3; ++j) turned.x(i, j) = data.x(29 - i, j);
    turned.labels.of_sample[static_cast<std::size_t>(i)] =
        data.labels.of_sample[static_cast<std::size_t>(29 - i)];
  }
  const DdagOptions options{.cost = 2.0, .gamma = 0.3, .tolerance = 1e-8};
  const Labelled fresh = clouds(60, 3, 3, 1.5, 5);
  EXPECT_EQ(Ddag(data.x, data.labels, options).predict(fresh.x),
            Ddag(turned.x, turned.labels, options).predict(fresh.x));
}

// Each point's accuracy is that of training without each fold on the data itself.
TEST(TuneDdag, CrossValidates) {
  const Labelled data = clouds(24, 3, 3, 1.0, 12);
  const std::vector<Index> folds = folds_in_turn(data.labels, 4);
  const DdagGrid grid{.costs = {0.5, 8.0}, .relative_gammas = {0.3, 3.0}};
  const DdagTuning tuning = tune_ddag(data.x, data.labels, folds, grid);
  ASSERT_EQ(tuning.points.size(), 4U);
  for (const DdagTuning::Point& point : tuning.points) {
    double right = 0.0;
    for (Index fold = 0; fold < 4; ++fold) {
      std::vector<std::vector<double>> train, held_out;
      std::vector<Index> train_classes, held_out_classes;
      for (Index i = 0; i < 24; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const std::vector<double> row = {data.x(i, 0), data.x(i, 1), data.x(i, 2)};
        (folds[at] == fold ? held_out : train).push_back(row);
        (folds[at] == fold ? held_out_classes : train_classes).push_back(data.labels.of_sample[at]);
      }
      const Ddag ddag(matrix(train), labels_of(train_classes, 3), {.cost = point.cost, .gamma = point.gamma});
      const std::vector<Index> classes = ddag.predict(matrix(held_out));
      for (std::size_t i = 0; i < classes.size(); ++i) right += classes[i] == held_out_classes[i];
    }
    EXPECT_NEAR(point.accuracy, right / 24.0, 1e-12);
    EXPECT_LE(point.accuracy, tuning.best.accuracy);
  }
  EXPECT_EQ(tune_ddag(to_csc<double>(data.x), data.labels, folds, grid).best.accuracy, tuning.best.accuracy);
}

// The grid goes by the data's own scale.
TEST(TuneDdag, FindsTheScaleOfTheData) {
  for (const double scale : {0.01, 1.0, 100.0}) {
    Labelled data = clouds(30, 20, 3, 0.5, 2);
    for (Index j = 0; j < 20; ++j) {
      for (Index i = 0; i < 30; ++i) data.x(i, j) *= scale;
    }
    const DdagTuning tuning = tune_ddag(data.x, data.labels, folds_in_turn(data.labels, 3),
                                        {.costs = {1.0, 16.0}, .relative_gammas = {0.25, 1.0, 4.0}});
    EXPECT_GT(tuning.best.accuracy, 0.9);
  }
}

TEST(TuneDdag, KeepsToItsLimits) {
  const Labelled data = clouds(12, 2, 3, 1.0, 1);
  const DdagTuning tuning =
      tune_ddag(data.x, data.labels, folds_in_turn(data.labels, 2), {}, {.interrupted = [] { return true; }});
  EXPECT_EQ(tuning.status, Status::interrupted);
  EXPECT_EQ(tuning.points.size(), 1U);
}

TEST(Ddag, RefusesWhatItCannotDo) {
  const Labelled data = clouds(12, 2, 3, 1.0, 1);
  const auto refused = [&](const DdagOptions& options) {
    return message_of<OptionError>([&] { Ddag(data.x, data.labels, options); });
  };
  EXPECT_EQ(refused({.cost = 0.0}), "ddag: cost must be greater than 0");
  EXPECT_EQ(refused({.gamma = 0.0}), "ddag: gamma must be greater than 0");
  EXPECT_EQ(refused({.tolerance = 0.0}), "ddag: tolerance must be greater than 0");
  EXPECT_EQ(message_of<InputError>([&] {
              Ddag(data.x, labels_of({0, 1}, 2), {});
            }),
            "ddag: 2 labels for 12 samples");

  const std::vector<Index> folds = folds_in_turn(data.labels, 2);
  EXPECT_EQ(message_of<InputError>([&] {
              (void)tune_ddag(data.x, data.labels, std::vector<Index>{0, 1});
            }),
            "tune_ddag: 2 folds for 12 samples");
  EXPECT_EQ(message_of<InputError>([&] { (void)tune_ddag(data.x, data.labels, std::vector<Index>(12, 0)); }),
            "tune_ddag: fold 0 leaves fewer than two classes to train on");
  EXPECT_EQ(message_of<OptionError>([&] { (void)tune_ddag(data.x, data.labels, folds, {.costs = {}}); }),
            "tune_ddag: costs must be given and greater than 0");
  EXPECT_EQ(message_of<OptionError>(
                [&] { (void)tune_ddag(data.x, data.labels, folds, {.relative_gammas = {-1.0}}); }),
            "tune_ddag: relative_gammas must be given and greater than 0");
}

}  // namespace
}  // namespace hsvm::test

#else
#include <gtest/gtest.h>

TEST(Ddag, IsInThisBuild) {
  GTEST_SKIP() << "no libsvm-dev when this was built";
}
#endif
