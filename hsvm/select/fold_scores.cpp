#include "hsvm/select/fold_scores.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "hsvm/model/score_sums.hpp"

namespace hsvm {
namespace {

using detail::ScoreSums;

// The samples of positive weight in each fold; folds without any are left out.
std::vector<std::vector<Index>> samples_by_fold(const ScoredSamples& samples, std::span<const Index> folds,
                                                Index n_folds) {
  assert(folds.size() == samples.truth.size());
  std::vector<std::vector<Index>> result(static_cast<std::size_t>(n_folds));
  for (std::size_t i = 0; i < folds.size(); ++i) {
    if (samples.weight_of(i) > 0.0) result[static_cast<std::size_t>(folds[i])].push_back(static_cast<Index>(i));
  }
  std::erase_if(result, [](const std::vector<Index>& fold) { return fold.empty(); });
  return result;
}

// The values of one score that are defined, their mean, and their squares about it.
struct FoldSpread {
  double n = 0.0;
  double mean = 0.0;
  double squares = 0.0;
};

FoldSpread spread_of(const std::vector<Scores>& scores, std::size_t which) {
  FoldSpread spread;
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

// Of a mean of n values.
ScoreSummary by_folds(const FoldSpread& spread) {
  const double variance = spread.n > 1.0 ? spread.squares / (spread.n - 1.0) : 0.0;
  return {spread.mean, std::sqrt(variance / spread.n)};
}

// Of the score of all samples together, by what it is without each fold.
ScoreSummary by_jackknife(double together, const FoldSpread& without) {
  const double variance = without.n > 1.0 ? (without.n - 1.0) / without.n * without.squares : 0.0;
  return {together, std::sqrt(variance)};
}

// The scores without each fold in turn; `all` gets its pairs.
std::vector<Scores> leave_out_each(const ScoredSamples& samples, const std::vector<std::vector<Index>>& folds,
                                   const std::vector<ScoreSums>& fold_sums, ScoreSums& all) {
  std::vector<Index> everyone;
  for (const std::vector<Index>& fold : folds) everyone.insert(everyone.end(), fold.begin(), fold.end());
  std::vector<ScoreSums> rests(folds.size(), all);
  for (std::size_t f = 0; f < folds.size(); ++f) {
    rests[f].add(fold_sums[f], -1);
    rests[f].ordered.clear();
  }
  all.ordered.clear();
  std::vector<double> shares(samples.truth.size(), 0.0);
  for (const Index k : detail::classes_of_pairs(samples)) {
    const std::size_t which = all.ordered.size();
    all.ordered.push_back(detail::share_pairs(samples, k, everyone, &shares));
    for (std::size_t f = 0; f < folds.size(); ++f) {
      double ordered = all.ordered.back() + fold_sums[f].ordered[which];
      for (const Index i : folds[f]) ordered -= shares[static_cast<std::size_t>(i)];
      rests[f].ordered.push_back(ordered);
    }
  }
  std::vector<Scores> scores;
  for (const ScoreSums& rest : rests) scores.push_back(detail::scores_of(samples, rest));
  return scores;
}

}  // namespace

ScoreSummaries summarise_folds(const ScoredSamples& samples, std::span<const Index> fold_of_sample,
                               Index n_folds, const MarginLoss& loss) {
  const std::vector<std::vector<Index>> folds = samples_by_fold(samples, fold_of_sample, n_folds);
  ScoreSums all(samples.n_classes);
  std::vector<ScoreSums> fold_sums;
  std::vector<Scores> fold_scores;
  Index fewest_classes = samples.n_classes;
  for (const std::vector<Index>& fold : folds) {
    fold_sums.push_back(detail::sum_up(samples, fold, loss));
    all.add(fold_sums.back(), 1);
    fold_scores.push_back(detail::scores_of(samples, fold_sums.back()));
    fewest_classes = std::min(fewest_classes, fold_sums.back().n_classes_there());
  }
  const bool every_class_everywhere = fewest_classes == all.n_classes_there();
  std::vector<Scores> without;
  Scores together;
  if (!every_class_everywhere) {
    without = leave_out_each(samples, folds, fold_sums, all);
    together = detail::scores_of(samples, all);
  }

  ScoreSummaries summaries;
  for (std::size_t which = 0; which < summaries.size(); ++which) {
    if (every_class_everywhere || !info_of(static_cast<Score>(which)).by_class) {
      const FoldSpread spread = spread_of(fold_scores, which);
      if (spread.n > 0.0) summaries[which] = by_folds(spread);
    } else if (together[which]) {
      summaries[which] = by_jackknife(*together[which], spread_of(without, which));
    }
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
