// The files of models, paths and tuned models (docs/formats.md): UTF-8 JSON, one object. Numbers survive a round trip
// exactly. Readers refuse an unknown version, a missing key and anything out of range.
//
//   model   "format": "hsvm-model", "version": 1
//   path    "format": "hsvm-path", "version": 1, a line for each point
//   tuned   the model file of the best model with two keys more: "one_se" is the sparser model, of the same classes and
//           features; "tuning" has the grid, a line for each point. Readers of model files that know nothing of tuning
//           read the best model.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "hsvm/model/linear_model.hpp"
#include "hsvm/model/path_model.hpp"
#include "hsvm/model/tuning.hpp"

namespace hsvm {

[[nodiscard]] std::string model_to_json(const LinearModel& model);
[[nodiscard]] std::string path_to_json(const PathModel& path);
[[nodiscard]] std::string tuned_to_json(const TunedModel& model);

// `source` names the text in messages.
[[nodiscard]] LinearModel model_from_json(std::string_view text, const std::string& source);
[[nodiscard]] PathModel path_from_json(std::string_view text, const std::string& source);
[[nodiscard]] TunedModel tuned_from_json(std::string_view text, const std::string& source);

// Whatever a file holds to predict with: the text's "format" says which, and whether it has "tuning".
using AnyModel = std::variant<LinearModel, PathModel, TunedModel>;
[[nodiscard]] AnyModel any_model_from_json(std::string_view text, const std::string& source);

// What `hsvm fit --json` prints: the report with the model's shape and parameters; one line.
// With coefficients: "coef" as in the model file, and the features' names in it.
enum class ReportCoefficients { left_out, included };
[[nodiscard]] std::string report_to_json(const LinearModel& model,
                                         ReportCoefficients coefficients = ReportCoefficients::left_out);
// What `hsvm path --json` prints: the report of every point, likewise; one line.
[[nodiscard]] std::string path_report_to_json(const PathModel& path,
                                              ReportCoefficients coefficients = ReportCoefficients::left_out);
// What `hsvm cv --json` prints: the grid with its scores, and of both models their point of it and the report of their
// fit to all samples; one line.
[[nodiscard]] std::string tuning_report_to_json(const TunedModel& model);

}  // namespace hsvm
