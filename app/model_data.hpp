// Data read for a model: by the columns it uses, and with a word on what is not as it was when the model was fitted.
#pragma once

#include <string>

#include "app/flags.hpp"
#include "hsvm/api.hpp"

namespace hsvm::app {

// Tells on standard error, unless quiet, how columns were matched where that is not by name.
[[nodiscard]] Dataset read_for_model(const std::string& file, const DataFlags& flags, const LinearModel& model,
                                     bool quiet, const Collective& ranks = single_process());

}  // namespace hsvm::app
