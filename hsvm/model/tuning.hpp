// What cross-validation has found out: the score of every point of the grid, and which of them were chosen.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/model/linear_model.hpp"
#include "hsvm/model/score.hpp"

namespace hsvm {

struct ScoreSummary {
  double mean = 0.0;            // over folds, and over repeats
  double standard_error = 0.0;  // of that mean; 0 where there is one fold only
};

using ScoreSummaries = std::array<std::optional<ScoreSummary>, kNumScores>;  // by Score

struct TuningPoint : Lambdas {
  double delta = 1.0;
  Index nonzeros = 0;          // features of the model fitted to all samples
  double mean_nonzeros = 0.0;  // features of the models of the folds
  Index not_certified = 0;     // how many of those stopped before the tolerance
  ScoreSummaries scores = {};  // the AUC of two classes only

  [[nodiscard]] const std::optional<ScoreSummary>& score(Score which) const {
    return scores[static_cast<std::size_t>(which)];
  }
};

struct Tuning {
  Score score = Score::accuracy;  // what was chosen by
  std::vector<TuningPoint> grid;  // for each delta, for each lambda2: lambda1 falling
  std::size_t best = 0;           // index of the best point in the grid
  std::size_t one_se = 0;         // and of the sparser one within one standard error of it
  Index n_folds = 0;
  Index repeats = 1;
  bool leave_one_out = false;
  std::uint64_t seed = 1;
  Status status = Status::converged;  // or what ended it early, or the first of the two models not certified
  Index n_paths = 0;                  // paths that were solved, those of all samples included
  double seconds = 0.0;
  double passes = 0.0;
};

// A model chosen by cross-validation and the sparser one within one standard error of it, both fitted to all samples.
struct TunedModel {
  LinearModel best;
  LinearModel one_se;
  Tuning tuning;
};

}  // namespace hsvm
