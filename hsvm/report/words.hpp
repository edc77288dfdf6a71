// Results in words, for terminals and pages alike. Names of options are fields (max_nonzeros); `spell` puts them as the face has
// them (--max-nonzeros).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hsvm/model/model_file.hpp"

namespace hsvm::report {

using Spell = std::function<std::string(const std::string& name)>;

// "lambda1 = 0.1 (0.05 of lambda1_max), lambda2 = ..."
[[nodiscard]] std::string describe_parameters(const LinearModel& model);
// Two lines: how the solve ended, and its certificate.
[[nodiscard]] std::string describe_solve(const FitReport& report);
// "98 points, lambda1 = 1.2 .. 0.012, lambda2 = ...", and how they were solved.
[[nodiscard]] std::string describe_path_range(const PathModel& path);
[[nodiscard]] std::string describe_path_solve(const PathModel& path);
// Why a path ended: "where the share of the loss explained hardly moved".
[[nodiscard]] std::string describe_end(PathEnd end, const Spell& spell);
// "10 folds, 3 times over, seed 1"
[[nodiscard]] std::string describe_folds(const Tuning& tuning);
// "400 points; paths of all samples ended: 3 where ...; continued once ..."
[[nodiscard]] std::string describe_grid(const Tuning& tuning, const Spell& spell);
// "accuracy 0.91 +- 0.01, ..."
[[nodiscard]] std::string describe_scores(const ScoreSummaries& scores);
// "balanced accuracy" of balanced_accuracy
[[nodiscard]] std::string name_of(Score score);
// A line for each thing to know of a cross-validation.
[[nodiscard]] std::vector<std::string> notes_of(const TunedModel& model, const Spell& spell);

}  // namespace hsvm::report
