// What is kept of the data and of the path beside a tuned model, while both are still there. Inside of the library.
#pragma once

#include "hsvm/fit/input.hpp"
#include "hsvm/model/tuning.hpp"

namespace hsvm::detail {

// `path` is the path of all samples that the best model is a point of. Reads the data once for its standard deviations, and
// once for each of the features whose correlations are kept, 40 at most.
[[nodiscard]] Evidence gather_evidence(const FitInput& input, const PathModel& path, const TunedModel& model);

}  // namespace hsvm::detail
