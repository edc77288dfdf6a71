// The folds and halves that the options ask for: by the fold file, one by one, or dealt by class, with
// the groups kept together where there are any. Inside of the library.
#pragma once

#include <cstdint>
#include <vector>

#include "hsvm/fit/input.hpp"
#include "hsvm/select/folds.hpp"
#include "hsvm/select/tune_options.hpp"

namespace hsvm::detail {

// Of the samples of all ranks that have a weight; the others are in no fold. `folds` of the options is what is asked for at most:
// `fewer_allowed` says whether as many as there are samples (or groups) to hold out will do. Throws InputError or OptionError
// where there are no such folds.
[[nodiscard]] Folds make_folds(const FitInput& input, std::uint64_t seed, const TuneOptions& tune_options,
                               bool fewer_allowed = false);

// For each half, whether a sample is in it.
[[nodiscard]] std::vector<std::vector<char>> make_halves(const FitInput& input, std::uint64_t seed,
                                                         const TuneOptions& tune_options);

}  // namespace hsvm::detail
