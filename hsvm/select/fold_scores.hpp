// The scores of a cross-validation, summarised over its folds and repeats.
#pragma once

#include <span>

#include "hsvm/core/types.hpp"
#include "hsvm/loss/margin_loss.hpp"
#include "hsvm/model/score.hpp"
#include "hsvm/model/tuning.hpp"

namespace hsvm {

// folds[i] is the fold sample i was held out in, 0 .. n_folds - 1; a fold without samples is not there.
//
// Where every fold has a sample of every class: the mean over folds of the fold's score, each fold counting the same,
// and its standard error, the standard deviation (of a sample: 1/(K-1)) over the square root of their number K.
// Otherwise scores that go by class, which single folds then cannot tell, are those of all samples together, with the
// standard error of the jackknife over folds: ((K-1)/K sum_k (s_(k) - mean)^2)^{1/2}, s_(k) without fold k.
[[nodiscard]] ScoreSummaries summarise_folds(const ScoredSamples& samples, std::span<const Index> folds,
                                             Index n_folds, const MarginLoss& loss);

// Of several repeats: the mean of their means, and the root mean square of their standard errors, since repeats share
// the samples and do not make them more. A repeat without a score has no part in it.
[[nodiscard]] ScoreSummaries average(std::span<const ScoreSummaries> repeats);

}  // namespace hsvm
