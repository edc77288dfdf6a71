// Fits class probabilities to decision values of samples that the model was not fitted to [P99; LLW07].
//
// Maximises the likelihood of Calibration's slope and offsets, a sample weighing s_i, with Platt's targets: of
// a class with samples of weight n_k a sample's own class has probability (n_k + 1)/(n_k + 2), and the rest is
// shared equally by the others. That keeps the parameters finite on separable scores. Where scores tell
// nothing, or mislead (a few samples left out one by one may do so), the slope is 0 and the probabilities are
// the shares of the classes: a larger score never makes its class less likely.
//
// Differs from [LLW07]: Newton's step comes from conjugate gradients, whose products with the Hessian take
// n n_classes operations, because there may be a thousand classes.
#pragma once

#include <span>

#include "hsvm/core/types.hpp"
#include "hsvm/model/calibration.hpp"
#include "hsvm/model/score.hpp"

namespace hsvm {

// folds[i]: the fold sample i was held out in, 0 .. n_folds - 1. log_loss and brier_score are weighted means,
// measured by parameters fitted without the sample's fold (with equal probabilities where nothing is left to
// fit to). A sample may be there several times (repeats), sharing its weight: all must then be in the same
// fold, or the scores are a little flattered. Throws InputError where no sample has weight.
[[nodiscard]] Calibration calibrate(const ScoredSamples& samples, std::span<const Index> folds, Index n_folds);

// The probabilities that each sample has by parameters fitted without its fold: a row of n_classes for each; equal ones where
// a sample has no weight.
[[nodiscard]] std::vector<double> cross_fitted_probabilities(const ScoredSamples& samples,
                                                             std::span<const Index> folds, Index n_folds);

}  // namespace hsvm
