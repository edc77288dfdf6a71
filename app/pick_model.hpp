// The one model that is meant: a model file's, with --lambda1 one of a path, with --one-se the sparser of two.
#pragma once

#include <string>

#include "app/flags.hpp"
#include "hsvm/api.hpp"

namespace hsvm::app {

// `file` names the model in messages. Throws OptionError where a flag is missing, does not apply or leaves the path.
[[nodiscard]] LinearModel pick_model(const AnyModel& model, const std::string& file, const PickFlags& flags);

}  // namespace hsvm::app
