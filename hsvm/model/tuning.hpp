// What cross-validation has found out: the score of every point of the grid, and which of them were chosen.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/model/evidence.hpp"
#include "hsvm/model/linear_model.hpp"
#include "hsvm/model/path_model.hpp"
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

// What a user should know of a cross-validation. tuning_notes.hpp puts them into words.
enum class TuningNote {
  no_better_than_majority,  // within its standard error the best model is no better than naming the most frequent class
  empty_model,              // the best model has no features
  end_of_grid,              // the best lambda1 is at the end of its grid, and something was left to learn there
  unequal_classes,          // accuracy and balanced accuracy of the best model part by more than 0.05
  one_se_not_empty,  // an empty model is within one standard error of the best, and was passed over
  few_folds,         // fewer folds than by default, because so few samples can be held out
  small_classes,     // some class has fewer samples to hold out than there are folds
  never_held_out     // some class has one sample, which is in all training parts and in no test part
};
inline constexpr std::array<std::string_view, 8> kTuningNoteNames = {
    "no_better_than_majority", "empty_model", "end_of_grid",   "unequal_classes",
    "one_se_not_empty",        "few_folds",   "small_classes", "never_held_out"};
[[nodiscard]] constexpr std::string_view to_string(TuningNote note) {
  return kTuningNoteNames[static_cast<std::size_t>(note)];
}

// What was said of samples by models that were not fitted to them, one model for each fold. A sample is there once: of several
// repeats the first one counts.
struct OutOfFold {
  std::vector<Index> samples;  // their numbers in the data, ascending
  std::vector<Index> truth;    // their classes
  std::vector<Index> folds;    // in which they were held out
  std::vector<float> best;     // scores of the best model's penalties: n_outputs for each sample
  std::vector<float> one_se;   // those of the sparser one's; empty where the two are the same throughout
};
// The classes these scores stand for.
[[nodiscard]] std::vector<Index> predicted_classes(const std::vector<float>& scores, Index n_outputs);

// The whole procedure tried on samples that had no part in it: for each outer fold everything is chosen and learned anew, by
// cross-validation within the other folds, and the two models are asked for the samples of the fold.
struct NestedChoice : Lambdas {
  double delta = 1.0;
  Index nonzeros = 0;
};
struct NestedFold {
  Index held_out = 0;  // samples
  NestedChoice best;
  NestedChoice one_se;
};
struct Nested {
  ScoreSummaries best = {};       // of the procedure that takes the best model
  ScoreSummaries one_se = {};     // and of the one that takes the sparser model
  std::vector<NestedFold> folds;  // those that were done
  OutOfFold out_of_fold;
  double passes = 0.0;
};

struct Tuning {
  Score score = Score::accuracy;  // what was chosen by
  std::vector<TuningPoint> grid;  // for each delta, for each lambda2: lambda1 falling
  std::size_t best = 0;           // index of the best point in the grid
  std::size_t one_se = 0;         // and of the sparser one within one standard error of it
  std::vector<PathEnd> ends;      // for each delta, for each lambda2: why the path of all samples has ended
  Index lambda2_lowered = 0;  // how often a tenth of the smallest lambda2 was added, the best point having that
  Index continued =
      0;  // how often paths were continued downwards in lambda1, the best point being at their end
  std::vector<Index>
      held_out;  // by class: how many samples were held out in a repeat; the scores stand on them
  double majority_share = 0.0;    // of the most frequent class among those, by weight
  std::vector<TuningNote> notes;  // in the order above
  OutOfFold out_of_fold;          // empty in files from before it was kept
  std::optional<Nested> nested = {};
  Index n_folds = 0;
  Index repeats = 1;
  bool leave_one_out = false;
  std::uint64_t seed = 1;
  Status status = Status::converged;  // or what ended it early, or the first of the two models not certified
  Index n_paths = 0;                  // paths that were solved, those of all samples included
  double seconds = 0.0;
  double passes = 0.0;
};

// Where the path of each delta and lambda2 begins in a grid, and after them its size: lambda1 falls along a path.
[[nodiscard]] inline std::vector<std::size_t> path_begins(const std::vector<TuningPoint>& grid) {
  std::vector<std::size_t> begins = {0};
  for (std::size_t k = 1; k < grid.size(); ++k) {
    if (!(grid[k].lambda1 < grid[k - 1].lambda1)) begins.push_back(k);
  }
  begins.push_back(grid.size());
  return begins;
}

// A model chosen by cross-validation and the sparser one within one standard error of it, both fitted to all samples.
struct TunedModel {
  LinearModel best;
  LinearModel one_se;
  Tuning tuning;
  std::optional<Evidence> evidence = {};  // none in files from before it was kept
  // Of all samples, with the best model's lambda2 and delta; and, where TuneOptions::keep_scores asks for them, the scores of
  // tuning.out_of_fold's samples at each of its points, n_outputs for a sample. No file has them.
  std::optional<PathModel> path = {};
  std::vector<std::vector<float>> path_scores = {};
};

}  // namespace hsvm
