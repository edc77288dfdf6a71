// Class probabilities from decision values.
//
//   binary      P(classes[1] | f) = 1/(1 + exp(-(slope f + offsets[0])))                          [Platt 1999]
//   multiclass  P(class k | f)    = exp(slope f_k + offsets[k]) / sum_l exp(slope f_l + offsets[l])
//
// With two classes the two are one model. The parameters come from scores of samples the model was not fitted
// to (hsvm/select/calibrate.hpp).
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/types.hpp"

namespace hsvm {

struct Calibration {
  double slope = 1.0;
  std::vector<double> offsets;  // one for each output; of several they sum to zero
  // How good the probabilities are, each judged by parameters fitted without its own fold.
  double log_loss = 0.0;     // mean of -log P(true class)
  double brier_score = 0.0;  // mean over samples of the squared distance to the true class, as a 0/1 vector
};

// n_samples rows of n_classes numbers, each row adding up to 1, from n_samples rows of offsets.size() scores.
[[nodiscard]] std::vector<double> probabilities(const Calibration& calibration, std::span<const double> scores);

}  // namespace hsvm
