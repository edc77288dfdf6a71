// Cross-validation in words.
#pragma once

#include <string>

#include "hsvm/api.hpp"
#include "hsvm/report/words.hpp"

namespace hsvm::app {

using report::describe_folds;
using report::describe_scores;
// "400 points; paths of all samples ended: 3 where ...; continued once ..."
[[nodiscard]] std::string describe_grid(const Tuning& tuning);
// "note      ...": a line for each thing the user should know of.
[[nodiscard]] std::string tuning_notes(const TunedModel& model);
// The points of the grid with their scores: of each lambda2 and delta the best one and the sparsest within one standard
// error of it, or all of them.
[[nodiscard]] std::string tuning_table(const TunedModel& model, bool all);
// Lines on a chosen model: parameters, features, scores and probabilities; all but the first begin with `indent`.
[[nodiscard]] std::string describe_choice(const LinearModel& model, const TuningPoint& point,
                                          const std::string& indent);

// Lines on what the whole procedure is worth, likewise.
[[nodiscard]] std::string describe_nested(const TunedModel& model, const std::string& indent);
// What the samples held out were predicted to be by the best model's penalties; with nested cross-validation by the
// procedure. Empty where a file has none.
[[nodiscard]] std::string out_of_fold_table(const TunedModel& model);

}  // namespace hsvm::app
