// The sums over samples that all scores are computed from. Sums without a fold are those of all samples less the
// fold's own. The AUC is a sum as well: every sample has its share of the pairs that are in order, and leaving out a
// fold takes away the shares of its samples, which count the pairs within the fold twice. Inside of the library.
#pragma once

#include <span>
#include <vector>

#include "hsvm/model/score.hpp"

namespace hsvm::detail {

// Sums over samples of one class, or predicted to be so. Numbers of samples say what is there, since differences of
// weights are rounded.
struct ClassSums {
  Index n_there = 0;
  Index n_predicted = 0;
  double weight = 0.0;
  double predicted = 0.0;
  double correct = 0.0;
};

struct ScoreSums {
  double weight = 0.0;
  double unknown = 0.0;  // weight of the samples of unknown classes, which are in no other sum
  double correct = 0.0;
  double loss = 0.0;
  double log_loss = 0.0;
  double brier_score = 0.0;
  double ordered = 0.0;  // of pairs of a sample of each of two classes, those in order
  std::vector<ClassSums> classes;

  explicit ScoreSums(Index n_classes) : classes(static_cast<std::size_t>(n_classes)) {}
  // Adds (sign +1) or takes away (-1) everything but the pairs.
  void add(const ScoreSums& other, int sign);
  [[nodiscard]] Index n_classes_there() const;
};

// Of some of the samples, by their numbers.
[[nodiscard]] ScoreSums sum_up(const ScoredSamples& samples, std::span<const Index> some,
                               const MarginLoss& loss);

// For each of some samples of two classes, its share in the pairs that are in order: its weight times that of the
// samples of the other class on the right side of it, ties counting one half. Returns the sum over those of class 1,
// which is also that over class 0.
double share_pairs(const ScoredSamples& samples, std::vector<Index> some, std::vector<double>* shares);

// The scores that can be computed from what is known of the samples.
[[nodiscard]] Scores scores_of(const ScoredSamples& samples, const ScoreSums& sums);

// |p - e|^2, e the 0/1 vector of the class.
[[nodiscard]] double brier_score_of(std::span<const double> p, Index truth);

}  // namespace hsvm::detail
