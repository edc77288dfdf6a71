// The path file (docs/formats.md): UTF-8 JSON, one object, `"format": "hsvm-path", "version": 1`, a line for
// each point. Numbers survive a round trip exactly; readers are as strict as those of the model file.
#pragma once

#include <string>
#include <string_view>

#include "hsvm/model/path_model.hpp"

namespace hsvm {

[[nodiscard]] std::string path_to_json(const PathModel& path);
// `source` names the text in messages.
[[nodiscard]] PathModel path_from_json(std::string_view text, const std::string& source);

// What `hsvm path --json` prints: the report of every point, without coefficients; one line.
[[nodiscard]] std::string path_report_to_json(const PathModel& path);

}  // namespace hsvm
