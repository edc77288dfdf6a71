#include "hsvm/model/score.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "hsvm/core/vector_sums.hpp"
#include "hsvm/data/labels.hpp"
#include "hsvm/model/predict.hpp"
#include "hsvm/model/score_sums.hpp"

namespace hsvm {

using detail::ClassSums;
using detail::ScoreSums;

namespace {

using Value = std::optional<double>;

Value accuracy(const ScoreSums& sums) {
  const double weight = sums.weight + sums.unknown;
  return weight > 0.0 ? Value(sums.correct / weight) : std::nullopt;
}

Value balanced_accuracy(const ScoreSums& sums) {
  double recalls = 0.0;
  for (const ClassSums& sum : sums.classes) {
    if (sum.n_there > 0) recalls += sum.correct / sum.weight;
  }
  const Index n_there = sums.n_classes_there();
  return n_there > 0 ? Value(recalls / n_there) : std::nullopt;
}

Value macro_f1(const ScoreSums& sums) {
  double f1 = 0.0;
  Index n_met = 0;  // classes that are there or predicted
  for (const ClassSums& sum : sums.classes) {
    if (sum.n_there == 0 && sum.n_predicted == 0) continue;
    f1 += 2.0 * sum.correct / (sum.weight + sum.predicted);
    ++n_met;
  }
  return n_met > 0 ? Value(f1 / n_met) : std::nullopt;
}

// Over the classes that are there.
Value auc(const ScoreSums& sums) {
  if (sums.ordered.empty() || sums.n_classes_there() < 2) return std::nullopt;
  const std::size_t first = sums.classes.size() == 2 ? 1 : 0;
  double sum = 0.0;
  for (std::size_t c = 0; c < sums.ordered.size(); ++c) {
    const ClassSums& own = sums.classes[first + c];
    if (own.n_there == 0) continue;
    double others = 0.0;
    for (const ClassSums& other : sums.classes)
      others += &other != &own && other.n_there > 0 ? other.weight : 0.0;
    sum += std::clamp(sums.ordered[c] / (own.weight * others), 0.0, 1.0);  // rounding aside it is there
  }
  return sum / (sums.ordered.size() == 1 ? 1.0 : static_cast<double>(sums.n_classes_there()));
}

template <double ScoreSums::*sum>
Value mean(const ScoreSums& sums) {
  return sums.n_classes_there() > 0 ? Value(sums.*sum / sums.weight) : std::nullopt;
}

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr ScoreInput kClasses = ScoreInput::predicted_classes;
constexpr ScoreInput kValues = ScoreInput::decision_values;
constexpr ScoreInput kProbabilities = ScoreInput::probabilities;

struct Row {
  ScoreInfo info;
  Value (*function)(const ScoreSums&);
};

// In the order of Score. A new score is an enumerator, a row here and its function.
// clang-format off
constexpr std::array<Row, kNumScores> kTable = {{
    // name               larger is better  largest     by class  from             function
    {{"accuracy",          true,            1.0,        false,    kClasses},       accuracy},
    {{"balanced_accuracy", true,            1.0,        true,     kClasses},       balanced_accuracy},
    {{"loss",              false,           kUnbounded, false,    kValues},        mean<&ScoreSums::loss>},
    {{"auc",               true,            1.0,        true,     kValues},        auc},
    {{"macro_f1",          true,            1.0,        true,     kClasses},       macro_f1},
    {{"log_loss",          false,           kUnbounded, false,    kProbabilities}, mean<&ScoreSums::log_loss>},
    {{"brier_score",       false,           2.0,        false,    kProbabilities}, mean<&ScoreSums::brier_score>},
}};
// clang-format on

// Whether there is what the score is computed from.
bool can_compute(const ScoreInfo& info, const ScoredSamples& samples) {
  if (info.input == kProbabilities) return !samples.probabilities.empty();
  return !samples.scores.empty() || (info.input == kClasses && !samples.predicted.empty());
}

double loss_at(const MarginLoss& loss, Margins margins, std::span<const double> scores, std::size_t truth) {
  if (scores.size() == 1) return loss.value(truth == 1 ? scores[0] : -scores[0]);
  double sum = 0.0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (k != truth) sum += loss.value((margins == Margins::relative ? scores[truth] : 0.0) - scores[k]);
  }
  return sum;
}

}  // namespace

const ScoreInfo& info_of(Score score) {
  return kTable[static_cast<std::size_t>(score)].info;
}

std::vector<Score> tuning_scores() {
  std::vector<Score> scores;
  for (std::size_t which = 0; which < kNumScores; ++which) scores.push_back(static_cast<Score>(which));
  return scores;
}

std::string list_tuning_scores() {
  std::string text;
  for (const Score score : tuning_scores()) text += (text.empty() ? "" : ", ") + std::string(to_string(score));
  return text;
}

Scores all_scores(const ScoredSamples& samples, const MarginLoss& loss) {
  std::vector<Index> there;
  for (std::size_t i = 0; i < samples.truth.size(); ++i) {
    if (samples.weight_of(i) > 0.0) there.push_back(static_cast<Index>(i));
  }
  return detail::scores_of(samples, detail::sum_up(samples, there, loss));
}

std::optional<double> score(Score which, const ScoredSamples& samples, const MarginLoss& loss) {
  return all_scores(samples, loss)[static_cast<std::size_t>(which)];
}

void ScoreSums::add(const ScoreSums& other, int sign) {
  for (double ScoreSums::*const sum : {&ScoreSums::weight, &ScoreSums::unknown, &ScoreSums::correct,
                                       &ScoreSums::loss, &ScoreSums::log_loss, &ScoreSums::brier_score})
    this->*sum += sign * other.*sum;
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
      std::ranges::count_if(classes, [](const ClassSums& sums) { return sums.n_there > 0; }));
}

std::vector<Index> detail::classes_of_pairs(const ScoredSamples& samples) {
  std::vector<Index> classes;
  if (samples.scores.empty() || !samples.with_auc) return classes;
  for (Index k = samples.n_classes == 2 ? 1 : 0; k < samples.n_classes; ++k) classes.push_back(k);
  return classes;
}

double detail::share_pairs(const ScoredSamples& samples, Index k, std::span<const Index> some,
                           std::vector<double>* shares) {
  const auto positive = [&](Index i) { return samples.truth[static_cast<std::size_t>(i)] == k; };
  const auto weight = [&](Index i) { return samples.weight_of(static_cast<std::size_t>(i)); };
  const auto margin = [&](Index i) {  // the larger, the more it is class k
    const std::span<const double> scores = samples.scores_of(static_cast<std::size_t>(i));
    if (scores.size() == 1) return scores[0];
    return scores.size() == 2 ? scores[1] - scores[0] : scores[static_cast<std::size_t>(k)];
  };
  std::vector<std::pair<double, Index>> order;
  order.reserve(some.size());
  for (const Index i : some) order.emplace_back(margin(i), i);
  std::sort(order.begin(), order.end());
  double above = 0.0;  // weight of class k that is still to come, and of others that were there
  double below = 0.0;
  for (const Index i : some) above += positive(i) ? weight(i) : 0.0;
  double ordered = 0.0;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    double tied[2] = {0.0, 0.0};
    for (; end < order.size() && order[end].first == order[begin].first; ++end)
      tied[positive(order[end].second) ? 1 : 0] += weight(order[end].second);
    above -= tied[1];
    ordered += tied[1] * (below + 0.5 * tied[0]);
    for (std::size_t t = begin; shares && t < end; ++t) {
      const Index i = order[t].second;
      (*shares)[static_cast<std::size_t>(i)] =
          weight(i) * (positive(i) ? below + 0.5 * tied[0] : above + 0.5 * tied[1]);
    }
    below += tied[0];
  }
  return ordered;
}

double detail::brier_score_of(std::span<const double> p, Index truth) {
  std::vector<double> target(p.size(), 0.0);
  target[static_cast<std::size_t>(truth)] = 1.0;
  return squared_distance_of(p, target);
}

ScoreSums detail::sum_up(const ScoredSamples& samples, std::span<const Index> some, const MarginLoss& loss) {
  [[maybe_unused]] const std::size_t n = samples.truth.size();
  const auto n_classes = static_cast<std::size_t>(samples.n_classes);
  assert(samples.weights.empty() || samples.weights.size() == n);
  assert(samples.scores.empty() || samples.scores.size() == n * static_cast<std::size_t>(samples.n_outputs));
  assert(samples.probabilities.empty() || samples.probabilities.size() == n * n_classes);
  ScoreSums sums(samples.n_classes);
  std::vector<Index> known;
  for (const Index sample : some) {
    const auto i = static_cast<std::size_t>(sample);
    const double weight = samples.weight_of(i);
    if (samples.truth[i] == kUnknownClass) {
      sums.unknown += weight;
      continue;
    }
    known.push_back(sample);
    const auto truth = static_cast<std::size_t>(samples.truth[i]);
    ClassSums& own = sums.classes[truth];
    sums.weight += weight;
    own.weight += weight;
    ++own.n_there;
    if (!samples.scores.empty())
      sums.loss += weight * loss_at(loss, samples.margins, samples.scores_of(i), truth);
    if (!samples.probabilities.empty()) {
      const std::span<const double> p = samples.probabilities.subspan(i * n_classes, n_classes);
      sums.log_loss -= weight * std::log(std::max(p[truth], std::numeric_limits<double>::min()));
      sums.brier_score += weight * brier_score_of(p, samples.truth[i]);
    }
    if (samples.predicted.empty() && samples.scores.empty()) continue;
    const Index predicted =
        samples.predicted.empty() ? predicted_class(samples.scores_of(i)) : samples.predicted[i];
    ClassSums& said = sums.classes[static_cast<std::size_t>(predicted)];
    ++said.n_predicted;
    said.predicted += weight;
    if (&own == &said) {
      own.correct += weight;
      sums.correct += weight;
    }
  }
  for (const Index k : classes_of_pairs(samples))
    sums.ordered.push_back(share_pairs(samples, k, known, nullptr));
  return sums;
}

Scores detail::scores_of(const ScoredSamples& samples, const ScoreSums& sums) {
  Scores scores;
  for (std::size_t which = 0; which < scores.size(); ++which) {
    if (can_compute(kTable[which].info, samples)) scores[which] = kTable[which].function(sums);
  }
  return scores;
}

}  // namespace hsvm
