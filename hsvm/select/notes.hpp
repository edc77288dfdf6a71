// Finds out what a user should know of a cross-validation.
#pragma once

#include <vector>

#include "hsvm/data/labels.hpp"
#include "hsvm/select/choose.hpp"
#include "hsvm/select/tune_options.hpp"

namespace hsvm::detail {

// Of a tuning that is complete but for its notes.
[[nodiscard]] std::vector<TuningNote> find_notes(const Tuning& tuning, const Choice& choice,
                                                 const Labels& labels, const FitOptions& options,
                                                 const TuneOptions& tune_options);

}  // namespace hsvm::detail
