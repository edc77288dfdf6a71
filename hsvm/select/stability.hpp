// Stability selection [MB10]: how often features are selected on random halves of the samples. Inside of the library.
#pragma once

#include <vector>

#include "hsvm/select/fold_paths.hpp"

namespace hsvm::detail {

// Fits the paths of the halves down to the lambda1 of both models, and tells what they selected in model.best and
// model.one_se; their passes are added to the tuning's. Halves that a stop has cut short do not count.
void add_stability(const FitInput& input, const std::vector<GridPath>& grid, const GridPosition& best,
                   const GridPosition& one_se, const std::vector<std::vector<char>>& halves,
                   TuneControl& control, TunedModel& model);

}  // namespace hsvm::detail
