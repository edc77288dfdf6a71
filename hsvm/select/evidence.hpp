// What is kept of the data and of the path beside a tuned model, while both are still there. Inside of the library.
#pragma once

#include "hsvm/fit/input.hpp"
#include "hsvm/model/tuning.hpp"
#include "hsvm/select/fold_paths.hpp"

namespace hsvm::detail {

// `path` is the path of all samples that the best model is a point of. Reads the data once for its standard deviations, and
// once for each of the features whose correlations are kept, 40 at most.
[[nodiscard]] Evidence gather_evidence(const FitInput& input, const PathModel& path, const TunedModel& model);

// What the folds of the first repeat said of the samples held out, at two points of the grid.
[[nodiscard]] HeldOutScores held_out_scores(const FoldPaths& paths, const GridPosition& best,
                                            const GridPosition& one_se);

}  // namespace hsvm::detail
