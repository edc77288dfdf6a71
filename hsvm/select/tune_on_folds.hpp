// Chooses the penalties by given folds: all of tune() but the making of folds and the outer folds around it. Inside of the
// library.
#pragma once

#include <vector>

#include "hsvm/select/folds.hpp"
#include "hsvm/select/subsample_paths.hpp"

namespace hsvm::detail {

// Samples of weight 0 are nowhere: they must be in no fold. The options must have been checked. Fills in everything of the
// result but what belongs to the run as a whole: n_paths, seconds, status. Throws StoppedError where there is nothing to
// choose by. The evidence is gathered where it is asked for.
[[nodiscard]] TunedModel tune_on_folds(const FitInput& input, const FitOptions& options,
                                       const PathOptions& path_options, const TuneOptions& tune_options,
                                       const Folds& folds, const std::vector<std::vector<char>>& halves,
                                       bool with_evidence, TuneControl& control);

// How many paths that takes, where the grid stays as it is.
[[nodiscard]] Count count_paths(const FitOptions& options, const TuneOptions& tune_options, const Folds& folds);

}  // namespace hsvm::detail
