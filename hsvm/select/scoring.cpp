// All scores come from sums over samples (a Tally), and sums without a fold are those of all samples less the
// fold's own. The AUC is one as well: every sample has its share of the pairs that are in order, and leaving
// out a fold takes away the shares of its samples, which count the pairs within the fold twice.

#include "hsvm/select/scoring.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "hsvm/model/predict.hpp"

namespace hsvm {
namespace {

constexpr std::size_t place(Score score) {
  return static_cast<std::size_t>(score);
}

// What each sample contributes.
struct Judged {
  ScoredSamples samples;
  std::vector<Index> predicted;
  std::vector<double> losses;
  std::vector<double> margins;  // of two classes: the larger, the more it is class 1

  [[nodiscard]] bool positive(Index i) const { return samples.truth[static_cast<std::size_t>(i)] == 1; }
  [[nodiscard]] double margin(Index i) const { return margins[static_cast<std::size_t>(i)]; }
  [[nodiscard]] double weight(Index i) const { return samples.weights[static_cast<std::size_t>(i)]; }
};

double loss_of(const MarginLoss& loss, std::span<const double> scores, std::size_t truth) {
  if (scores.size() == 1) return loss.value(truth == 1 ? scores[0] : -scores[0]);
  double sum = 0.0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (k != truth) sum += loss.value(-scores[k]);
  }
  return sum;
}

Judged judge(const ScoredSamples& samples, const MarginLoss& loss) {
  const std::size_t n = samples.truth.size();
  assert(samples.weights.size() == n &&
         samples.scores.size() == n * static_cast<std::size_t>(samples.n_outputs));
  Judged judged{samples, {}, {}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    const std::span<const double> scores = samples.scores_of(i);
    judged.predicted.push_back(predicted_class(scores));
    judged.losses.push_back(loss_of(loss, scores, static_cast<std::size_t>(samples.truth[i])));
    if (samples.n_classes == 2)
      judged.margins.push_back(scores.size() == 1 ? scores[0] : scores[1] - scores[0]);
  }
  return judged;
}

// Sums over samples of one class, or predicted to be so. Numbers of samples say what is there, since
// differences of weights are rounded.
struct ClassTally {
  Index n_there = 0;
  Index n_predicted = 0;
  double weight = 0.0;
  double predicted = 0.0;
  double correct = 0.0;
};

struct Tally {
  double weight = 0.0;
  double correct = 0.0;
  double loss = 0.0;
  double ordered = 0.0;  // of pairs of a sample of each of two classes, those in order
  std::vector<ClassTally> classes;

  // Adds (sign +1) or takes away (-1) everything but the pairs.
  void add(const Tally& other, int sign);
  [[nodiscard]] Index n_classes_there() const {
    return static_cast<Index>(std::count_if(classes.begin(), classes.end(),
                                            [](const ClassTally& tally) { return tally.n_there > 0; }));
  }
};

void Tally::add(const Tally& other, int sign) {
  weight += sign * other.weight;
  correct += sign * other.correct;
  loss += sign * other.loss;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    classes[k].n_there += sign * other.classes[k].n_there;
    classes[k].n_predicted += sign * other.classes[k].n_predicted;
    classes[k].weight += sign * other.classes[k].weight;
    classes[k].predicted += sign * other.classes[k].predicted;
    classes[k].correct += sign * other.classes[k].correct;
  }
}

// For each of the samples, its share in the pairs that are in order: its weight times that of the samples of
// the other class on the right side of it, ties counting one half. Returns the sum over those of class 1, which
// is also that over class 0.
double share_pairs(const Judged& judged, std::vector<Index> samples, std::vector<double>* shares) {
  std::sort(samples.begin(), samples.end(),
            [&](Index a, Index b) { return judged.margin(a) < judged.margin(b); });
  double above = 0.0;  // weight of class 1 that is still to come, and of class 0 that was there
  double below = 0.0;
  for (const Index i : samples) above += judged.positive(i) ? judged.weight(i) : 0.0;
  double ordered = 0.0;
  for (std::size_t begin = 0, end = 0; begin < samples.size(); begin = end) {
    double tied[2] = {0.0, 0.0};
    for (; end < samples.size() && judged.margin(samples[end]) == judged.margin(samples[begin]); ++end) {
      tied[judged.positive(samples[end]) ? 1 : 0] += judged.weight(samples[end]);
    }
    above -= tied[1];
    ordered += tied[1] * (below + 0.5 * tied[0]);
    for (std::size_t t = begin; shares && t < end; ++t) {
      const Index i = samples[t];
      (*shares)[static_cast<std::size_t>(i)] =
          judged.weight(i) * (judged.positive(i) ? below + 0.5 * tied[0] : above + 0.5 * tied[1]);
    }
    below += tied[0];
  }
  return ordered;
}

Tally tally(const Judged& judged, const std::vector<Index>& samples) {
  Tally sums;
  sums.classes.resize(static_cast<std::size_t>(judged.samples.n_classes));
  for (const Index sample : samples) {
    const auto i = static_cast<std::size_t>(sample);
    const double weight = judged.weight(sample);
    ClassTally& own = sums.classes[static_cast<std::size_t>(judged.samples.truth[i])];
    ClassTally& said = sums.classes[static_cast<std::size_t>(judged.predicted[i])];
    sums.weight += weight;
    sums.loss += weight * judged.losses[i];
    ++own.n_there;
    own.weight += weight;
    ++said.n_predicted;
    said.predicted += weight;
    if (&own == &said) {
      own.correct += weight;
      sums.correct += weight;
    }
  }
  if (judged.samples.n_classes == 2) sums.ordered = share_pairs(judged, samples, nullptr);
  return sums;
}

Scores scores_of(const Tally& sums) {
  Scores scores;
  const Index n_there = sums.n_classes_there();
  if (n_there == 0) return scores;
  double recalls = 0.0;
  double f1 = 0.0;
  Index n_met = 0;  // classes that are there or predicted
  for (const ClassTally& sum : sums.classes) {
    if (sum.n_there > 0) recalls += sum.correct / sum.weight;
    if (sum.n_there > 0 || sum.n_predicted > 0) {
      f1 += 2.0 * sum.correct / (sum.weight + sum.predicted);
      ++n_met;
    }
  }
  scores[place(Score::accuracy)] = sums.correct / sums.weight;
  scores[place(Score::balanced_accuracy)] = recalls / n_there;
  scores[place(Score::loss)] = sums.loss / sums.weight;
  scores[place(Score::macro_f1)] = f1 / n_met;
  if (sums.classes.size() == 2 && n_there == 2) {
    const double pairs = sums.classes[0].weight * sums.classes[1].weight;
    scores[place(Score::auc)] = std::clamp(sums.ordered / pairs, 0.0, 1.0);  // rounding aside it is there
  }
  return scores;
}

// The samples of positive weight in each fold; folds without any are left out.
std::vector<std::vector<Index>> samples_by_fold(const ScoredSamples& samples, std::span<const Index> folds,
                                                Index n_folds) {
  assert(folds.size() == samples.truth.size());
  std::vector<std::vector<Index>> result(static_cast<std::size_t>(n_folds));
  for (std::size_t i = 0; i < folds.size(); ++i) {
    if (samples.weights[i] > 0.0) result[static_cast<std::size_t>(folds[i])].push_back(static_cast<Index>(i));
  }
  std::erase_if(result, [](const std::vector<Index>& fold) { return fold.empty(); });
  return result;
}

// The values of one score that are defined, their mean, and their squares about it.
struct Spread {
  double n = 0.0;
  double mean = 0.0;
  double squares = 0.0;
};

Spread spread_of(const std::vector<Scores>& scores, std::size_t which) {
  Spread spread;
  for (const Scores& one : scores) {
    if (!one[which]) continue;
    spread.n += 1.0;
    spread.mean += *one[which];
  }
  if (spread.n > 0.0) spread.mean /= spread.n;
  for (const Scores& one : scores) {
    if (one[which]) spread.squares += (*one[which] - spread.mean) * (*one[which] - spread.mean);
  }
  return spread;
}

// The scores without each fold in turn.
std::vector<Scores> leave_out_each(const Judged& judged, const std::vector<std::vector<Index>>& folds,
                                   const Tally& all, const std::vector<double>& shares) {
  std::vector<Scores> scores;
  for (const std::vector<Index>& fold : folds) {
    const Tally own = tally(judged, fold);
    Tally rest = all;
    rest.add(own, -1);
    if (judged.samples.n_classes == 2) {
      rest.ordered += own.ordered;
      for (const Index i : fold) rest.ordered -= shares[static_cast<std::size_t>(i)];
    }
    scores.push_back(scores_of(rest));
  }
  return scores;
}

}  // namespace

Scores score(const ScoredSamples& samples, const MarginLoss& loss) {
  const std::vector<Index> one_fold(samples.truth.size(), 0);
  const std::vector<std::vector<Index>> there = samples_by_fold(samples, one_fold, 1);
  return there.empty() ? Scores{} : scores_of(tally(judge(samples, loss), there[0]));
}

ScoreSummaries summarise_folds(const ScoredSamples& samples, std::span<const Index> fold_of_sample,
                               Index n_folds, const MarginLoss& loss) {
  const Judged judged = judge(samples, loss);
  const std::vector<std::vector<Index>> folds = samples_by_fold(samples, fold_of_sample, n_folds);
  Tally all;
  all.classes.resize(static_cast<std::size_t>(samples.n_classes));
  std::vector<Scores> fold_scores;
  Index fewest_classes = samples.n_classes;
  for (const std::vector<Index>& fold : folds) {
    const Tally own = tally(judged, fold);
    all.add(own, 1);
    fold_scores.push_back(scores_of(own));
    fewest_classes = std::min(fewest_classes, own.n_classes_there());
  }

  ScoreSummaries summaries;
  const auto summarise_by_fold = [&](Score score) {
    const Spread spread = spread_of(fold_scores, place(score));
    if (spread.n == 0.0) return;
    const double variance = spread.n > 1.0 ? spread.squares / (spread.n - 1.0) : 0.0;
    summaries[place(score)] = ScoreSummary{spread.mean, std::sqrt(variance / spread.n)};
  };
  if (fewest_classes == all.n_classes_there()) {
    for (const Score score : kScores) summarise_by_fold(score);
    return summaries;
  }

  summarise_by_fold(Score::accuracy);
  summarise_by_fold(Score::loss);
  std::vector<double> shares(samples.truth.size(), 0.0);
  if (samples.n_classes == 2) {
    std::vector<Index> everyone;
    for (const std::vector<Index>& fold : folds) everyone.insert(everyone.end(), fold.begin(), fold.end());
    all.ordered = share_pairs(judged, everyone, &shares);
  }
  const Scores together = scores_of(all);
  const std::vector<Scores> without = leave_out_each(judged, folds, all, shares);
  for (const Score score : {Score::balanced_accuracy, Score::auc, Score::macro_f1}) {
    if (!together[place(score)]) continue;
    const Spread spread = spread_of(without, place(score));
    const double variance = spread.n > 1.0 ? (spread.n - 1.0) / spread.n * spread.squares : 0.0;
    summaries[place(score)] = ScoreSummary{*together[place(score)], std::sqrt(variance)};
  }
  return summaries;
}

ScoreSummaries average(std::span<const ScoreSummaries> repeats) {
  ScoreSummaries result;
  for (std::size_t which = 0; which < result.size(); ++which) {
    double n = 0.0;
    double means = 0.0;
    double squares = 0.0;
    for (const ScoreSummaries& repeat : repeats) {
      if (!repeat[which]) continue;
      n += 1.0;
      means += repeat[which]->mean;
      squares += repeat[which]->standard_error * repeat[which]->standard_error;
    }
    if (n > 0.0) result[which] = ScoreSummary{means / n, std::sqrt(squares / n)};
  }
  return result;
}

}  // namespace hsvm
