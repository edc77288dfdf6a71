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
  // Of pairs of a sample of a class and one of another class, those in order: for each class; of two classes for the second
  // alone, since the first has the same. Empty where they are not counted.
  std::vector<double> ordered;
  std::vector<ClassSums> classes;

  explicit ScoreSums(Index n_classes) : classes(static_cast<std::size_t>(n_classes)) {}
  // Adds (sign +1) or takes away (-1) everything but the pairs.
  void add(const ScoreSums& other, int sign);
  [[nodiscard]] Index n_classes_there() const;
};

// Of some of the samples, by their numbers.
[[nodiscard]] ScoreSums sum_up(const ScoredSamples& samples, std::span<const Index> some,
                               const MarginLoss& loss);

// The classes whose pairs are counted: all, of two the second.
[[nodiscard]] std::vector<Index> classes_of_pairs(const ScoredSamples& samples);
// For each of some samples its share in the pairs, of a sample of class k and one of another class, that are in order: its
// weight times that of the samples on the other side that are right of it, ties counting one half. Returns the sum over those
// of class k, which is also that over the others.
double share_pairs(const ScoredSamples& samples, Index k, std::span<const Index> some,
                   std::vector<double>* shares);

// The scores that can be computed from what is known of the samples.
[[nodiscard]] Scores scores_of(const ScoredSamples& samples, const ScoreSums& sums);

// |p - e|^2, e the 0/1 vector of the class.
[[nodiscard]] double brier_score_of(std::span<const double> p, Index truth);

}  // namespace hsvm::detail
