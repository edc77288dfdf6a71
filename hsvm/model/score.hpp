// How good predictions are, by any of these scores:
//
//   accuracy           share of the samples whose class is predicted
//   balanced_accuracy  mean over classes of the share of the class's samples that are predicted (its recall)
//   loss               mean huberized hinge loss, which the model is fitted to: phi(y f), y = +1 for class 1 and -1 for
//                      class 0, or sum over k != y of phi(f_y - f_k) or phi(-f_k), as the model's margins are
//   auc                the share of pairs of a sample of each of two classes whose scores are in the right order, ties
//                      counting one half; of more classes the mean over them of each against all others together, by the
//                      class's own score
//   macro_f1           mean over classes of 2 TP/(2 TP + FP + FN)
//   log_loss           mean of -log P(true class)
//   brier_score        mean over samples of |P - e|^2, P the probabilities of all classes and e that of the true one,
//                      a 0/1 vector
//
// Everything is weighted by the samples' weights (a pair by their product); a sample of weight 0 is not there. Means
// over classes are over those that have a sample there; F1 counts a class that is predicted but not there as 0.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/loss/margin_loss.hpp"
#include "hsvm/loss/margins.hpp"

namespace hsvm {

enum class Score { accuracy, balanced_accuracy, loss, auc, macro_f1, log_loss, brier_score };

inline constexpr std::size_t kNumScores = 7;

// What a score is computed from.
enum class ScoreInput { predicted_classes, decision_values, probabilities };

struct ScoreInfo {
  std::string_view name;
  bool larger_is_better;
  double largest;  // the range is [0, largest], perhaps infinite
  bool by_class;   // samples that lack a class cannot tell it
  ScoreInput input;
};
[[nodiscard]] const ScoreInfo& info_of(Score score);
[[nodiscard]] inline std::string_view to_string(Score score) {
  return info_of(score).name;
}

// All of them, in the order of the table: a model can be tuned by each.
[[nodiscard]] std::vector<Score> tuning_scores();
// "accuracy, balanced_accuracy, loss, ..."
[[nodiscard]] std::string list_tuning_scores();

// Samples with their classes, and what was predicted for them. What is empty is not known.
struct ScoredSamples {
  Index n_classes = 2;
  Index n_outputs = 1;                    // 1 for a binary model
  std::span<const Index> truth = {};      // n class numbers, kUnknownClass for a class the model does not know
  std::span<const double> weights = {};   // n, >= 0; empty: all 1
  std::span<const double> scores = {};    // decision values: n rows of n_outputs finite numbers
  std::span<const Index> predicted = {};  // n class numbers; empty: what the decision values say
  std::span<const double> probabilities = {};  // n rows of n_classes numbers
  Margins margins = Margins::absolute;         // of a multi-class model: what its loss is of
  bool with_auc = true;  // of many classes it costs a sort for each of them, and may be left out

  [[nodiscard]] std::span<const double> scores_of(std::size_t i) const {
    const auto size = static_cast<std::size_t>(n_outputs);
    return scores.subspan(i * size, size);
  }
  [[nodiscard]] double weight_of(std::size_t i) const { return weights.empty() ? 1.0 : weights[i]; }
};

// None where the score is undefined: without samples, without what it is computed from, or the AUC of one class
// alone. A sample of an unknown class counts against the accuracy and has no part in the other scores.
[[nodiscard]] std::optional<double> score(Score which, const ScoredSamples& samples,
                                          const MarginLoss& loss = {});
using Scores = std::array<std::optional<double>, kNumScores>;  // by Score
[[nodiscard]] Scores all_scores(const ScoredSamples& samples, const MarginLoss& loss = {});

}  // namespace hsvm
