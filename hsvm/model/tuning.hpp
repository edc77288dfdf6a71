// What cross-validation has found out: the score of every point of the grid, and which of them were chosen.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/model/linear_model.hpp"

namespace hsvm {

enum class Score { accuracy, balanced_accuracy, loss, auc, macro_f1 };
inline constexpr std::array<Score, 5> kScores = {Score::accuracy, Score::balanced_accuracy, Score::loss,
                                                 Score::auc, Score::macro_f1};

[[nodiscard]] constexpr std::string_view to_string(Score score) {
  switch (score) {
    case Score::accuracy:
      return "accuracy";
    case Score::balanced_accuracy:
      return "balanced_accuracy";
    case Score::loss:
      return "loss";
    case Score::auc:
      return "auc";
    case Score::macro_f1:
      return "macro_f1";
  }
  return "";
}
// The loss is the better the smaller it is, all others the larger.
[[nodiscard]] constexpr bool larger_is_better(Score score) {
  return score != Score::loss;
}

struct ScoreSummary {
  double mean = 0.0;            // over folds, and over repeats
  double standard_error = 0.0;  // of that mean; 0 where there is but one fold
};

struct TuningPoint {
  double lambda1 = 0.0;
  double lambda2 = 0.0;
  double lambda3 = 0.0;
  double delta = 1.0;
  Index nonzeros = 0;          // features of the model fitted to all samples
  double mean_nonzeros = 0.0;  // features of the models of the folds
  Index not_certified = 0;     // how many of those stopped before the tolerance
  std::array<std::optional<ScoreSummary>, kScores.size()> scores = {};  // by Score; the AUC of two classes only

  [[nodiscard]] const std::optional<ScoreSummary>& score(Score which) const {
    return scores[static_cast<std::size_t>(which)];
  }
};

struct Tuning {
  Score score = Score::accuracy;  // what was chosen by
  std::vector<TuningPoint> grid;  // for each delta, for each lambda2: lambda1 falling
  std::size_t best = 0;           // places in the grid
  std::size_t one_se = 0;
  Index n_folds = 0;
  Index repeats = 1;
  bool leave_one_out = false;
  std::uint64_t seed = 1;
  std::string status;  // "converged", or what ended it early, or the first early stop of a solve
  Index n_paths = 0;   // paths that were solved, those of all samples included
  double seconds = 0.0;
  double passes = 0.0;
};

// A model chosen by cross-validation, and the sparser one within one standard error of it. Both were fitted to
// all samples.
struct TunedModel {
  LinearModel best;
  LinearModel one_se;
  Tuning tuning;
};

}  // namespace hsvm
