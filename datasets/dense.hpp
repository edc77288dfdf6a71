// Datasets whose features are written out in full, in double precision.
#pragma once

#include <span>

#include "hsvm/data/dataset.hpp"

namespace hsvm::datasets {

// Some of the features, in the given order. Names of features are dropped.
[[nodiscard]] Dataset dense_features(const Dataset& data, std::span<const Index> features);

// The samples of one dataset under those of another. Classes are matched by their names; a feature that one of them
// does not have is zero there.
[[nodiscard]] Dataset stacked(const Dataset& above, const Dataset& below);

}  // namespace hsvm::datasets
