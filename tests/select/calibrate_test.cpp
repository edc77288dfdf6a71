#include "hsvm/select/calibrate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/core/random.hpp"

namespace hsvm {
namespace {

using Numbers = std::vector<Index>;
using Values = std::vector<double>;

// What ScoredSamples refers to, owned.
struct Data {
  Index n_classes = 2;
  Index n_outputs = 1;
  Numbers truth;
  Values weights;
  Values scores;
  Numbers folds;

  [[nodiscard]] ScoredSamples samples() const { return {n_classes, n_outputs, truth, weights, scores}; }
  [[nodiscard]] std::size_t size() const { return truth.size(); }
  [[nodiscard]] Calibration calibrated() const {
    return calibrate(samples(), folds, *std::max_element(folds.begin(), folds.end()) + 1);
  }
  void add(Index k, double weight, const Values& row, Index fold = 0) {
    truth.push_back(k);
    weights.push_back(weight);
    scores.insert(scores.end(), row.begin(), row.end());
    folds.push_back(fold);
  }
  [[nodiscard]] Values row(std::size_t i) const {
    const std::span<const double> scores_of_i = samples().scores_of(i);
    return {scores_of_i.begin(), scores_of_i.end()};
  }
  [[nodiscard]] Data only(const std::function<bool(std::size_t)>& keep) const {
    Data part{n_classes, n_outputs, {}, {}, {}, {}};
    for (std::size_t i = 0; i < size(); ++i) {
      if (keep(i)) part.add(truth[i], weights[i], row(i), folds[i]);
    }
    return part;
  }
};

// Scores at random, and classes drawn with the probabilities of the model.
Data drawn_from(const Calibration& model, std::uint64_t seed, std::size_t n) {
  Random random(seed);
  const auto n_outputs = static_cast<Index>(model.offsets.size());
  Data data{std::max(n_outputs, 2), n_outputs, {}, {}, {}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    Values row;
    for (Index k = 0; k < n_outputs; ++k) row.push_back(1.5 * random.normal());
    const Values p = probabilities(model, row);
    double left = random.uniform();
    Index k = 0;
    while (k + 1 < data.n_classes && left >= p[static_cast<std::size_t>(k)]) {
      left -= p[static_cast<std::size_t>(k++)];
    }
    data.add(k, 1.0, row, static_cast<Index>(i % 5));
  }
  return data;
}

Data weighted(Data data) {
  for (std::size_t i = 0; i < data.size(); ++i) data.weights[i] = 0.25 * static_cast<double>(i % 7);
  return data;
}

// Minus the log likelihood with Platt's targets, from the headers' words alone.
double negative_log_likelihood(const Data& data, const Calibration& at) {
  const auto n_classes = static_cast<std::size_t>(data.n_classes);
  Values class_weights(n_classes, 0.0);
  for (std::size_t i = 0; i < data.size(); ++i) {
    class_weights[static_cast<std::size_t>(data.truth[i])] += data.weights[i];
  }
  const Values p = probabilities(at, data.scores);
  double sum = 0.0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto y = static_cast<std::size_t>(data.truth[i]);
    const double own = (class_weights[y] + 1.0) / (class_weights[y] + 2.0);
    for (std::size_t k = 0; k < n_classes; ++k) {
      const double target = k == y ? own : (1.0 - own) / static_cast<double>(n_classes - 1);
      sum -= data.weights[i] * target * std::log(p[i * n_classes + k]);
    }
  }
  return sum;
}

// The slope of that in each parameter, by differences.
Values differences(const Data& data, const Calibration& at) {
  const double h = 1e-5;
  const auto slope_along = [&](const std::function<void(Calibration&, double)>& move) {
    Calibration up = at;
    Calibration down = at;
    move(up, h);
    move(down, -h);
    return (negative_log_likelihood(data, up) - negative_log_likelihood(data, down)) / (2.0 * h);
  };
  Values result = {slope_along([](Calibration& moved, double by) { moved.slope += by; })};
  for (std::size_t k = 0; k < at.offsets.size(); ++k) {
    result.push_back(slope_along([k](Calibration& moved, double by) { moved.offsets[k] += by; }));
  }
  return result;
}

void expect_same_parameters(const Calibration& actual, const Calibration& expected, double tolerance) {
  EXPECT_NEAR(actual.slope, expected.slope, tolerance);
  ASSERT_EQ(actual.offsets.size(), expected.offsets.size());
  for (std::size_t k = 0; k < expected.offsets.size(); ++k) {
    EXPECT_NEAR(actual.offsets[k], expected.offsets[k], tolerance) << "class " << k;
  }
}

const Calibration kBinary{1.2, {-0.6}};
const Calibration kThree{0.8, {0.5, -0.8, 0.3}};

TEST(Calibrate, MaximisesTheLikelihood) {
  for (const Calibration& model : {kBinary, kThree}) {
    for (const std::size_t n : {12U, 150U}) {
      for (const Data& data : {drawn_from(model, n, n), weighted(drawn_from(model, n + 1, n))}) {
        const double per_sample = 1.0 / static_cast<double>(n);
        for (const double slope : differences(data, data.calibrated()))
          EXPECT_NEAR(slope * per_sample, 0.0, 1e-9);
      }
    }
  }
}

TEST(Calibrate, FindsTheModelThatTheClassesWereDrawnFrom) {
  for (const Calibration& model : {kBinary, kThree}) {
    Data data = drawn_from(model, 1, 10000);
    data.folds.assign(data.size(), 0);
    expect_same_parameters(data.calibrated(), model, 0.1);  // three standard errors or so
  }
}

TEST(Calibrate, GivesProbabilitiesThatComeTrue) {
  Data data = drawn_from({2.0, {0.4}}, 3, 10000);
  data.folds.assign(data.size(), 0);
  const Values p = probabilities(data.calibrated(), data.scores);
  constexpr std::size_t kBins = 10;
  Values said(kBins, 0.0);
  Values seen(kBins, 0.0);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::size_t bin = std::min(kBins - 1, static_cast<std::size_t>(p[2 * i + 1] * kBins));
    said[bin] += p[2 * i + 1];
    seen[bin] += static_cast<double>(data.truth[i]);
  }
  double error = 0.0;  // the expected calibration error
  for (std::size_t bin = 0; bin < kBins; ++bin) error += std::abs(said[bin] - seen[bin]);
  EXPECT_LT(error / static_cast<double>(data.size()), 0.02);
}

TEST(Calibrate, OfTwoClassesIsOneModelHoweverWritten) {
  const Data one = weighted(drawn_from(kBinary, 4, 80));
  Data two{2, 2, {}, {}, {}, {}};
  for (std::size_t i = 0; i < one.size(); ++i) {
    two.add(one.truth[i], one.weights[i], {-0.5 * one.scores[i], 0.5 * one.scores[i]}, one.folds[i]);
  }
  const Calibration binary = one.calibrated();
  const Calibration several = two.calibrated();
  expect_same_parameters(several, {binary.slope, {-0.5 * binary.offsets[0], 0.5 * binary.offsets[0]}}, 1e-9);
  EXPECT_NEAR(several.log_loss, binary.log_loss, 1e-10);
  EXPECT_NEAR(several.brier_score, binary.brier_score, 1e-10);
}

TEST(Calibrate, AWeightOfTwoIsASampleTwiceAndZeroIsNone) {
  Data once = drawn_from(kThree, 5, 60);
  Data copied{3, 3, {}, {}, {}, {}};
  for (std::size_t i = 0; i < once.size(); ++i) {
    once.weights[i] = static_cast<double>(i % 3);
    if (i % 3 == 0) once.scores[3 * i] = 1e9;  // nor does its score matter
    for (std::size_t c = 0; c < i % 3; ++c) copied.add(once.truth[i], 1.0, once.row(i), once.folds[i]);
  }
  const Calibration expected = copied.calibrated();
  const Calibration actual = once.calibrated();
  expect_same_parameters(actual, expected, 1e-9);
  EXPECT_NEAR(actual.log_loss, expected.log_loss, 1e-10);
  EXPECT_NEAR(actual.brier_score, expected.brier_score, 1e-10);
}

TEST(Calibrate, TheSlopeTakesTheUnitOfTheScores) {
  for (const Calibration& model : {kBinary, kThree}) {
    Data data = drawn_from(model, 6, 70);
    const Calibration before = data.calibrated();
    for (const double unit : {1e-9, 3.0, 1e9}) {
      Data scaled = data;
      for (double& value : scaled.scores) value *= unit;
      Calibration after = scaled.calibrated();
      after.slope *= unit;
      expect_same_parameters(after, before, 1e-9);
      EXPECT_NEAR(after.log_loss, before.log_loss, 1e-10);
    }
  }
}

TEST(Calibrate, AShiftOfTheScoresGoesIntoTheOffsets) {
  Data data = drawn_from(kBinary, 7, 70);
  const Calibration before = data.calibrated();
  for (double& value : data.scores) value += 100.0;
  expect_same_parameters(data.calibrated(), {before.slope, {before.offsets[0] - 100.0 * before.slope}}, 1e-7);

  Data three = drawn_from(kThree, 7, 70);
  const Calibration unshifted = three.calibrated();
  for (std::size_t i = 0; i < three.size(); ++i) {  // the same for all classes of a sample: no difference
    for (std::size_t k = 0; k < 3; ++k) three.scores[3 * i + k] += static_cast<double>(i % 4);
  }
  expect_same_parameters(three.calibrated(), unshifted, 1e-9);
}

TEST(Calibrate, SeparableScoresKeepItFinite) {
  for (const std::size_t n : {2U, 4U, 1000U}) {
    Data data;
    Data three{3, 3, {}, {}, {}, {}};
    for (std::size_t i = 0; i < n; ++i) {
      data.add(i % 2 == 0 ? 0 : 1, 1.0, {i % 2 == 0 ? -1.0 : 1.0}, static_cast<Index>(i / 2 % 2));
      Values row(3, -1.0);
      row[i % 3] = 2.0;
      three.add(static_cast<Index>(i % 3), 1.0, row, static_cast<Index>(i / 3 % 2));
    }
    // Two values of the score: the probabilities are the targets themselves.
    const double half = static_cast<double>(n) / 2.0;
    const Calibration calibration = data.calibrated();
    expect_same_parameters(calibration, {std::log(half + 1.0), {0.0}}, 1e-8);
    const Calibration several = three.calibrated();
    EXPECT_TRUE(std::isfinite(several.slope) && std::isfinite(several.log_loss));
    EXPECT_GT(several.slope, 0.0);
  }
}

TEST(Calibrate, MisleadingScoresHaveNoSay) {
  Data data = drawn_from(kBinary, 8, 200);
  EXPECT_GT(data.calibrated().slope, 0.0);
  for (double& value : data.scores) value = -value;
  const Calibration calibration = data.calibrated();
  EXPECT_EQ(calibration.slope, 0.0);
  // What is left is the best of all that take no notice of the scores.
  const double best = negative_log_likelihood(data, calibration);
  for (const double offset : {-1e-3, 1e-3}) {
    Calibration other = calibration;
    other.offsets[0] += offset;
    EXPECT_GT(negative_log_likelihood(data, other), best);
  }
}

TEST(Calibrate, ScoresThatTellNothingGiveTheSharesOfTheClasses) {
  Data data;
  for (std::size_t i = 0; i < 10; ++i) data.add(i < 3 ? 1 : 0, 0.7, {0.1}, static_cast<Index>(i % 2));
  const Calibration calibration = data.calibrated();
  EXPECT_EQ(calibration.slope, 0.0);
  const double positive = 2.1 * (3.1 / 4.1) + 4.9 * (1.0 / 6.9);
  EXPECT_NEAR(probabilities(calibration, Values{0.1})[1], positive / 7.0, 1e-14);

  Data one_class;
  for (std::size_t i = 0; i < 6; ++i)
    one_class.add(1, 1.0, {0.3 * static_cast<double>(i)}, static_cast<Index>(i % 2));
  EXPECT_NEAR(one_class.calibrated().slope, 0.0, 1e-12);
  EXPECT_NEAR(one_class.calibrated().offsets[0], std::log(7.0), 1e-12);  // P = (6 + 1)/(6 + 2)
}

// log_loss and brier_score as the header has them, by calibrating the other folds alone.
void expect_cross_fitted(const Data& data) {
  double log_loss = 0.0;
  double brier_score = 0.0;
  double total = 0.0;
  const auto n_classes = static_cast<std::size_t>(data.n_classes);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const Data others = data.only([&](std::size_t other) { return data.folds[other] != data.folds[i]; });
    const Values p = probabilities(others.calibrated(), data.row(i));
    total += data.weights[i];
    log_loss -= data.weights[i] * std::log(p[static_cast<std::size_t>(data.truth[i])]);
    for (std::size_t k = 0; k < n_classes; ++k) {
      const double is_there = static_cast<std::size_t>(data.truth[i]) == k ? 1.0 : 0.0;
      brier_score += data.weights[i] * std::pow(p[k] - is_there, 2);
    }
  }
  const Calibration calibration = data.calibrated();
  EXPECT_NEAR(calibration.log_loss, log_loss / total, 1e-9);
  EXPECT_NEAR(calibration.brier_score, brier_score / total, 1e-9);
}

TEST(Calibrate, JudgesSamplesWithoutTheirFold) {
  expect_cross_fitted(drawn_from(kBinary, 9, 30));
  expect_cross_fitted(weighted(drawn_from(kThree, 10, 40)));
}

TEST(Calibrate, AFoldMayHaveAllSamplesOfAClass) {
  Data data = drawn_from(kThree, 11, 40);
  for (std::size_t i = 0; i < data.size(); ++i)
    data.folds[i] = data.truth[i] == 2 ? 0 : static_cast<Index>(i % 2);
  expect_cross_fitted(data);
}

TEST(Calibrate, ScoresThatDifferByFoldAloneTellNothingWithoutIt) {
  Data data;  // what models without features give: one score a fold
  for (Index i = 0; i < 30; ++i) data.add(i % 3 == 0 ? 1 : 0, 0.7, {i % 2 == 0 ? 0.1 : 0.3}, i % 2);
  for (const double weight : {1.0, 1.3}) data.add(1, weight, {0.3}, 1);
  expect_cross_fitted(data);
}

TEST(Calibrate, OfLeaveOneOut) {
  Data data = drawn_from(kBinary, 12, 25);
  for (std::size_t i = 0; i < data.size(); ++i) data.folds[i] = static_cast<Index>(i);
  expect_cross_fitted(data);
}

TEST(Calibrate, OneFoldLeavesNothingToFitTo) {
  Data data = drawn_from(kThree, 13, 20);
  data.folds.assign(20, 0);
  EXPECT_NEAR(data.calibrated().log_loss, std::log(3.0), 1e-14);
  EXPECT_NEAR(data.calibrated().brier_score, 2.0 / 3.0, 1e-14);
}

TEST(Calibrate, AHeldOutSurpriseCostsMuchButNotInfinitelyMuch) {
  Data data;
  for (Index i = 0; i < 40; ++i) data.add(i % 2, 1.0, {i % 2 == 0 ? -1.0 : 1.0}, i / 20);
  data.add(0, 1.0, {1e4}, 0);
  const Calibration calibration = data.calibrated();
  EXPECT_TRUE(std::isfinite(calibration.log_loss));
  EXPECT_GT(calibration.log_loss, 100.0);
}

TEST(Calibrate, NeedsASample) {
  Data data;
  EXPECT_THROW((void)calibrate(data.samples(), data.folds, 2), InputError);
  data.add(1, 0.0, {1.0});
  try {
    (void)data.calibrated();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "class probabilities: there must be samples that were held out");
  }
  data.add(1, 2.0, {1.0});
  EXPECT_NEAR(data.calibrated().offsets[0], std::log(3.0), 1e-12);
}

TEST(Calibrate, ManyClasses) {
  constexpr Index kClasses = 1000;  // most of them with one sample or none
  Calibration model{1.0, Values(kClasses, 0.0)};
  Data data = drawn_from(model, 14, 120);
  for (std::size_t i = 0; i < data.size(); ++i) data.folds[i] = static_cast<Index>(i % 2);
  const Calibration calibration = data.calibrated();
  EXPECT_TRUE(std::isfinite(calibration.slope) && std::isfinite(calibration.log_loss));
  EXPECT_NEAR(std::accumulate(calibration.offsets.begin(), calibration.offsets.end(), 0.0), 0.0, 1e-9);
  // At the best offsets the probabilities of a class add up to its targets.
  Values excess(kClasses, 0.0);
  Values counts(kClasses, 0.0);
  for (const Index k : data.truth) counts[static_cast<std::size_t>(k)] += 1.0;
  const Values p = probabilities(calibration, data.scores);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto y = static_cast<std::size_t>(data.truth[i]);
    const double rest = 1.0 / (counts[y] + 2.0);
    for (std::size_t k = 0; k < kClasses; ++k) {
      excess[k] += p[i * kClasses + k] - (k == y ? 1.0 - rest : rest / (kClasses - 1));
    }
  }
  for (const double value : excess) EXPECT_NEAR(value, 0.0, 1e-12);
}

TEST(Calibrate, HasTheSameBitsForAnyNumberOfThreads) {
  Data data = drawn_from({0.8, Values(40, 0.0)}, 15, 2500);  // several blocks
  for (std::size_t i = 0; i < data.size(); ++i) data.folds[i] = i == 0 ? 0 : 1;
  Calibration one;
  with_threads(1, [&] { one = data.calibrated(); });
  with_threads(4, [&] {
    const Calibration four = data.calibrated();
    EXPECT_EQ(four.slope, one.slope);
    EXPECT_EQ(four.offsets, one.offsets);
    EXPECT_EQ(four.log_loss, one.log_loss);
    EXPECT_EQ(four.brier_score, one.brier_score);
  });
}

}  // namespace
}  // namespace hsvm
