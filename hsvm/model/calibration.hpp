// Class probabilities from decision values.
//
//   binary      P(classes[1] | f) = 1/(1 + exp(-(slope f + offsets[0])))                          [P99]
//   multiclass  P(class k | f)    = exp(slope f_k + offsets[k]) / sum_l exp(slope f_l + offsets[l])
//
// The first is the second with two classes and the scores (0, f). The parameters come from scores of samples that the
// model was not fitted to (hsvm/select/calibrate.hpp).
#pragma once

#include <span>
#include <vector>

namespace hsvm {

struct Calibration {
  double slope = 1.0;           // negative where larger scores were found with the class less often
  std::vector<double> offsets;  // one for each output; of several they sum to zero
  // How good the probabilities are, each judged by parameters fitted without its own fold.
  double log_loss = 0.0;     // mean of -log P(true class)
  double brier_score = 0.0;  // mean over samples of the squared distance to the true class, as a 0/1 vector
};

// n_samples rows of n_classes numbers, each row adding up to 1, from n_samples rows of offsets.size() scores.
[[nodiscard]] std::vector<double> probabilities(const Calibration& calibration, std::span<const double> scores);

// Turns the numbers eta of one sample into exp(eta_k) / sum_l exp(eta_l), whatever their size. Returns the
// logarithm of that sum in two parts, since their sum would lose the second where a class is nearly certain.
struct LogSum {
  double largest = 0.0;  // of the eta
  double excess = 0.0;   // >= 0
};
LogSum softmax(std::span<double> eta);

}  // namespace hsvm
