// The one model that is meant: a model file's, or with --lambda1 one of a path.
#pragma once

#include <optional>
#include <string>

#include "hsvm/api.hpp"

namespace hsvm::app {

// `file` names it in messages. Throws OptionError where --lambda1 is missing, too much, or outside of the path.
[[nodiscard]] LinearModel pick_model(const AnyModel& model, const std::string& file,
                                     std::optional<double> lambda1);
[[nodiscard]] LinearModel pick_model(const std::string& file, std::optional<double> lambda1);

}  // namespace hsvm::app
