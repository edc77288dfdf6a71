// The model file (docs/formats.md): UTF-8 JSON, one object, `"format": "hsvm-model", "version": 1`. Numbers
// survive a round trip exactly. Readers refuse an unknown version, a missing key and anything out of range.
#pragma once

#include <string>
#include <string_view>

#include "hsvm/model/linear_model.hpp"

namespace hsvm {

[[nodiscard]] std::string model_to_json(const LinearModel& model);
// `source` names the text in messages.
[[nodiscard]] LinearModel model_from_json(std::string_view text, const std::string& source);

// What `hsvm fit --json` prints: the report with the model's shape and parameters; one line.
[[nodiscard]] std::string report_to_json(const LinearModel& model);

}  // namespace hsvm
