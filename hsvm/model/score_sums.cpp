#include "hsvm/model/score_sums.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "hsvm/core/vector_sums.hpp"
#include "hsvm/data/labels.hpp"
#include "hsvm/model/predict.hpp"

namespace hsvm::detail {
namespace {

double loss_at(const HuberizedHinge& loss, std::span<const double> scores, std::size_t truth) {
  if (scores.size() == 1) return loss.value(truth == 1 ? scores[0] : -scores[0]);
  double sum = 0.0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (k != truth) sum += loss.value(-scores[k]);
  }
  return sum;
}

void judge_probabilities(JudgedSamples& judged) {
  const auto size = static_cast<std::size_t>(judged.samples.n_classes);
  for (std::size_t i = 0; i < judged.samples.truth.size(); ++i) {
    const std::span<const double> p = judged.samples.probabilities.subspan(i * size, size);
    const Index truth = judged.samples.truth[i];
    const bool known = truth != kUnknownClass;
    const double own = known ? p[static_cast<std::size_t>(truth)] : 1.0;
    judged.log_losses.push_back(-std::log(std::max(own, std::numeric_limits<double>::min())));
    judged.brier_scores.push_back(known ? brier_score_of(p, truth) : 0.0);
  }
}

double or_zero(const std::vector<double>& values, std::size_t i) {
  return values.empty() ? 0.0 : values[i];
}

}  // namespace

void ScoreSums::add(const ScoreSums& other, int sign) {
  weight += sign * other.weight;
  unknown += sign * other.unknown;
  correct += sign * other.correct;
  loss += sign * other.loss;
  log_loss += sign * other.log_loss;
  brier_score += sign * other.brier_score;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    classes[k].n_there += sign * other.classes[k].n_there;
    classes[k].n_predicted += sign * other.classes[k].n_predicted;
    classes[k].weight += sign * other.classes[k].weight;
    classes[k].predicted += sign * other.classes[k].predicted;
    classes[k].correct += sign * other.classes[k].correct;
  }
}

Index ScoreSums::n_classes_there() const {
  return static_cast<Index>(
      std::count_if(classes.begin(), classes.end(), [](const ClassSums& sums) { return sums.n_there > 0; }));
}

JudgedSamples judge(const ScoredSamples& samples, const HuberizedHinge& loss) {
  const std::size_t n = samples.truth.size();
  assert(samples.weights.empty() || samples.weights.size() == n);
  assert(samples.scores.empty() || samples.scores.size() == n * static_cast<std::size_t>(samples.n_outputs));
  JudgedSamples judged{samples, {samples.predicted.begin(), samples.predicted.end()}, {}, {}, {}, {}};
  for (std::size_t i = 0; i < n && !samples.scores.empty(); ++i) {
    const std::span<const double> scores = samples.scores_of(i);
    if (samples.predicted.empty()) judged.predicted.push_back(predicted_class(scores));
    judged.losses.push_back(loss_at(loss, scores, static_cast<std::size_t>(samples.truth[i])));
    if (samples.n_classes == 2)
      judged.margins.push_back(scores.size() == 1 ? scores[0] : scores[1] - scores[0]);
  }
  if (!samples.probabilities.empty()) judge_probabilities(judged);
  return judged;
}

double share_pairs(const JudgedSamples& judged, std::vector<Index> samples, std::vector<double>* shares) {
  const auto positive = [&](Index i) { return judged.samples.truth[static_cast<std::size_t>(i)] == 1; };
  const auto margin = [&](Index i) { return judged.margins[static_cast<std::size_t>(i)]; };
  const auto weight = [&](Index i) { return judged.samples.weight_of(static_cast<std::size_t>(i)); };
  std::sort(samples.begin(), samples.end(), [&](Index a, Index b) { return margin(a) < margin(b); });
  double above = 0.0;  // weight of class 1 that is still to come, and of class 0 that was there
  double below = 0.0;
  for (const Index i : samples) above += positive(i) ? weight(i) : 0.0;
  double ordered = 0.0;
  for (std::size_t begin = 0, end = 0; begin < samples.size(); begin = end) {
    double tied[2] = {0.0, 0.0};
    for (; end < samples.size() && margin(samples[end]) == margin(samples[begin]); ++end)
      tied[positive(samples[end]) ? 1 : 0] += weight(samples[end]);
    above -= tied[1];
    ordered += tied[1] * (below + 0.5 * tied[0]);
    for (std::size_t t = begin; shares && t < end; ++t) {
      const Index i = samples[t];
      (*shares)[static_cast<std::size_t>(i)] =
          weight(i) * (positive(i) ? below + 0.5 * tied[0] : above + 0.5 * tied[1]);
    }
    below += tied[0];
  }
  return ordered;
}

ScoreSums sum_up(const JudgedSamples& judged, std::span<const Index> samples) {
  ScoreSums sums;
  sums.classes.resize(static_cast<std::size_t>(judged.samples.n_classes));
  std::vector<Index> known;
  for (const Index sample : samples) {
    const auto i = static_cast<std::size_t>(sample);
    const double weight = judged.samples.weight_of(i);
    const Index truth = judged.samples.truth[i];
    if (truth == kUnknownClass) {
      sums.unknown += weight;
      continue;
    }
    known.push_back(sample);
    sums.weight += weight;
    sums.loss += weight * or_zero(judged.losses, i);
    sums.log_loss += weight * or_zero(judged.log_losses, i);
    sums.brier_score += weight * or_zero(judged.brier_scores, i);
    ClassSums& own = sums.classes[static_cast<std::size_t>(truth)];
    ++own.n_there;
    own.weight += weight;
    if (judged.predicted.empty()) continue;
    ClassSums& said = sums.classes[static_cast<std::size_t>(judged.predicted[i])];
    ++said.n_predicted;
    said.predicted += weight;
    if (&own == &said) {
      own.correct += weight;
      sums.correct += weight;
    }
  }
  if (!judged.margins.empty()) sums.ordered = share_pairs(judged, std::move(known), nullptr);
  return sums;
}

std::optional<double> accuracy_of(const ScoreSums& sums) {
  const double weight = sums.weight + sums.unknown;
  return weight > 0.0 ? std::optional(sums.correct / weight) : std::nullopt;
}

std::optional<double> balanced_accuracy_of(const ScoreSums& sums) {
  const Index n_there = sums.n_classes_there();
  if (n_there == 0) return std::nullopt;
  double recalls = 0.0;
  for (const ClassSums& sum : sums.classes) {
    if (sum.n_there > 0) recalls += sum.correct / sum.weight;
  }
  return recalls / n_there;
}

std::optional<double> macro_f1_of(const ScoreSums& sums) {
  double f1 = 0.0;
  Index n_met = 0;  // classes that are there or predicted
  for (const ClassSums& sum : sums.classes) {
    if (sum.n_there == 0 && sum.n_predicted == 0) continue;
    f1 += 2.0 * sum.correct / (sum.weight + sum.predicted);
    ++n_met;
  }
  return n_met > 0 ? std::optional(f1 / n_met) : std::nullopt;
}

std::optional<double> auc_of(const ScoreSums& sums) {
  if (sums.classes.size() != 2 || sums.n_classes_there() != 2) return std::nullopt;
  const double pairs = sums.classes[0].weight * sums.classes[1].weight;
  return std::clamp(sums.ordered / pairs, 0.0, 1.0);  // rounding aside it is there
}

namespace {
std::optional<double> mean_of(const ScoreSums& sums, double sum) {
  return sums.n_classes_there() > 0 ? std::optional(sum / sums.weight) : std::nullopt;
}
}  // namespace
std::optional<double> loss_of(const ScoreSums& sums) {
  return mean_of(sums, sums.loss);
}
std::optional<double> log_loss_of(const ScoreSums& sums) {
  return mean_of(sums, sums.log_loss);
}
std::optional<double> brier_score_of(const ScoreSums& sums) {
  return mean_of(sums, sums.brier_score);
}

double brier_score_of(std::span<const double> p, Index truth) {
  std::vector<double> target(p.size(), 0.0);
  target[static_cast<std::size_t>(truth)] = 1.0;
  return squared_distance_of(p, target);
}

Scores scores_of(const JudgedSamples& judged, const ScoreSums& sums) {
  Scores scores;
  for (std::size_t which = 0; which < scores.size(); ++which) {
    const ScoreInput input = kScoreTable[which].input;
    const bool known = input == ScoreInput::predicted_classes ? !judged.predicted.empty()
                       : input == ScoreInput::decision_values ? !judged.losses.empty()
                                                              : !judged.log_losses.empty();
    if (known) scores[which] = kScoreTable[which].function(sums);
  }
  return scores;
}

}  // namespace hsvm::detail
