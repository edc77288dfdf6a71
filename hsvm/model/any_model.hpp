// Whatever a file of hsvm holds to predict with: a model, a path, or a tuned model.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "hsvm/model/linear_model.hpp"
#include "hsvm/model/path_model.hpp"
#include "hsvm/model/tuning.hpp"

namespace hsvm {

using AnyModel = std::variant<LinearModel, PathModel, TunedModel>;

// Which of them the text's "format" says, and whether it has "tuning". `source` names the text in messages.
[[nodiscard]] AnyModel any_model_from_json(std::string_view text, const std::string& source);

}  // namespace hsvm
