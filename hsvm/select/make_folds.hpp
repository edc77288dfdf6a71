// The folds and halves that the options ask for, of some of the samples: by the fold file, one by one, or dealt by class, with
// the groups kept together where there are any. Inside of the library.
#pragma once

#include <span>
#include <vector>

#include "hsvm/select/folds.hpp"
#include "hsvm/select/tune_options.hpp"

namespace hsvm::detail {

// Of the samples for which `inside` is not zero; the others are in no fold. `folds` of the options is what is asked for at
// most: `fewer_allowed` says whether as many as there are samples (or groups) to hold out will do. Throws InputError or
// OptionError where there are no such folds.
[[nodiscard]] Folds make_folds(const Labels& labels, std::uint64_t seed, const TuneOptions& tune_options,
                               std::span<const char> inside, bool fewer_allowed);

[[nodiscard]] std::vector<std::vector<char>> make_halves(const Labels& labels, std::uint64_t seed,
                                                         const TuneOptions& tune_options);

}  // namespace hsvm::detail
