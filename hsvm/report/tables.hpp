// Results as tables, for terminals and pages alike.
#pragma once

#include <vector>

#include "hsvm/data/labels.hpp"
#include "hsvm/model/model_file.hpp"
#include "hsvm/report/table.hpp"

namespace hsvm::report {

// lambda1, nonzeros, objective and relative gap; about every tenth point and all that are not certified, or all of them.
[[nodiscard]] Table path_table(const PathModel& path, bool all);
// The points of the grid with their scores: of each lambda2 and delta the best one and the sparsest within one standard error of
// it, or all of them.
[[nodiscard]] Table tuning_table(const TunedModel& model, bool all);
// Rows: true classes, columns: predicted ones. A row for labels the model does not know, where there are any.
[[nodiscard]] Table confusion_table(const Classes& classes, const std::vector<Index>& truth,
                                    const std::vector<Index>& predicted);
// The features of a model, strongest first: coefficients (of every class), the largest effect, and on what share of the halves they
// were selected, as far as known. At most `most` rows.
[[nodiscard]] Table feature_table(const LinearModel& model, const Evidence* evidence, std::size_t most);
// The features selected on random halves of the samples, most often first; at most `most`.
[[nodiscard]] Table stability_table(const LinearModel& model, std::size_t most);

// Positions in model.features by falling strength: the largest effect in any output, or the largest coefficient where standard
// deviations are not known.
[[nodiscard]] std::vector<std::size_t> by_strength(const LinearModel& model, const Evidence* evidence);
// Whether standard deviations are known, so that coefficients have effects.
[[nodiscard]] bool has_effects(const LinearModel& model, const Evidence* evidence);
// The effect that is largest in size among the outputs, with its sign; and which output has it.
struct Effect {
  double value = 0.0;
  Index output = 0;
};
[[nodiscard]] Effect strongest_effect(const LinearModel& model, const Evidence* evidence, std::size_t position);

}  // namespace hsvm::report
