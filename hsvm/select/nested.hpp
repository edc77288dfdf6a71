// Outer folds around the whole of a cross-validation [VS06]: what the procedure is worth on samples that had no part in any
// choice. Inside of the library.
//
// An outer fold is weights, as any fold is: its samples have the weight 0 in everything that is chosen and learned without
// them. The outer folds come one after the other, each using all threads.
#pragma once

#include <vector>

#include "hsvm/select/tune_on_folds.hpp"

namespace hsvm::detail {

// For each outer fold the folds within the other samples. Throws InputError where a fold file leaves only one of them.
[[nodiscard]] std::vector<Folds> make_inner_folds(const Labels& labels, std::uint64_t seed,
                                                  const TuneOptions& tune_options, const Folds& outer);

// Of the first repeat of the outer folds. Folds that a stop has cut short are left out; none where there are not two.
[[nodiscard]] std::optional<Nested> tune_nested(const FitInput& input, const FitOptions& options,
                                                const PathOptions& path_options,
                                                const TuneOptions& tune_options, const Folds& outer,
                                                const std::vector<Folds>& inner, TuneControl& control);

}  // namespace hsvm::detail
