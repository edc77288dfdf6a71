// How good decision values are, by any of the scores of hsvm/model/tuning.hpp.
//
//   accuracy           share of the samples whose class is predicted
//   balanced_accuracy  mean over classes of the share of the class's samples that are predicted (its recall)
//   loss               mean huberized hinge loss, which the model is fitted to: phi(y f), y = +1 for class 1
//                      and -1 for class 0, or sum over k != y of phi(-f_k)
//   auc                of two classes: the share of pairs of a sample of each class whose scores are in the
//                      right order, ties counting one half
//   macro_f1           mean over classes of 2 TP/(2 TP + FP + FN)
//
// Everything is weighted by the samples' weights (a pair by their product); a sample of weight 0 is not there.
// Means over classes are over those that have a sample there; F1 counts a class that is predicted but not there
// as 0.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "hsvm/core/types.hpp"
#include "hsvm/loss/margin_loss.hpp"
#include "hsvm/model/tuning.hpp"

namespace hsvm {

// Samples with their classes and decision values.
struct ScoredSamples {
  Index n_classes = 2;
  Index n_outputs = 1;              // 1 for a binary model
  std::span<const Index> truth;     // n: class numbers
  std::span<const double> weights;  // n, >= 0
  std::span<const double> scores;   // n rows of n_outputs finite numbers

  [[nodiscard]] std::span<const double> scores_of(std::size_t i) const {
    const auto size = static_cast<std::size_t>(n_outputs);
    return scores.subspan(i * size, size);
  }
};

// By Score. None where it is undefined: without samples, or the AUC of other than two classes both there.
using Scores = std::array<std::optional<double>, kScores.size()>;
[[nodiscard]] Scores score(const ScoredSamples& samples, const MarginLoss& loss);

// The scores of a cross-validation. folds[i] is the fold sample i was held out in, 0 .. n_folds - 1; a fold
// without samples is not there.
//
// Where every fold has a sample of every class, the mean over folds of the fold's score, each fold counting the
// same, and its standard error, the standard deviation (of a sample: 1/(K-1)) over the square root of their
// number K. Otherwise accuracy and loss are still that; the others, which single folds then cannot tell, are
// those of all samples together, with the standard error of the jackknife over folds:
// ((K-1)/K sum_k (s_(k) - mean)^2)^{1/2}, s_(k) without fold k.
using ScoreSummaries = std::array<std::optional<ScoreSummary>, kScores.size()>;
[[nodiscard]] ScoreSummaries summarise_folds(const ScoredSamples& samples, std::span<const Index> folds,
                                             Index n_folds, const MarginLoss& loss);

// Of several repeats: the mean of their means, and the root mean square of their standard errors, since repeats
// share the samples and do not make them more. A repeat without a score has no part in it.
[[nodiscard]] ScoreSummaries average(std::span<const ScoreSummaries> repeats);

}  // namespace hsvm
