// Fits class probabilities to decision values of samples that the model was not fitted to [Platt 1999; Lin, Lin
// and Weng 2007].
//
// Maximises the likelihood of Calibration's slope and offsets with Platt's targets: of a class with n_k of n
// samples a sample's own class has probability (n_k + 1)/(n_k + 2) and the rest is shared equally by the
// others. That keeps the parameters finite on separable scores. Newton's method with conjugate gradients, whose
// products with the Hessian take n n_classes operations.
#pragma once

#include <span>

#include "hsvm/core/types.hpp"
#include "hsvm/model/calibration.hpp"
#include "hsvm/select/scoring.hpp"

namespace hsvm {

// folds[i]: the fold sample i was held out in, 0 .. n_folds - 1. log_loss and brier_score are measured by
// parameters fitted without the sample's fold. A sample may be there several times (repeats): all must then be
// in the same fold, or the scores are a little flattered.
[[nodiscard]] Calibration calibrate(const ScoredSamples& samples, std::span<const Index> folds, Index n_folds);

}  // namespace hsvm
