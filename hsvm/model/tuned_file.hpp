// The file of a tuned model (docs/formats.md): the model file of the best model, with two keys more. "one_se"
// is the sparser model, of the same classes and features; "tuning" has the grid, a line for each point. Readers
// of model files that know nothing of tuning read the best model.
#pragma once

#include <string>
#include <string_view>

#include "hsvm/model/tuning.hpp"

namespace hsvm {

[[nodiscard]] std::string tuned_to_json(const TunedModel& model);
// As strict as the reader of the model file. `source` names the text in messages.
[[nodiscard]] TunedModel tuned_from_json(std::string_view text, const std::string& source);

// What `hsvm cv --json` prints: the grid with its scores, and of both models their point of it and the report
// of their fit to all samples; one line.
[[nodiscard]] std::string tuning_report_to_json(const TunedModel& model);

}  // namespace hsvm
