// A dataset without its missing values: the samples, or the features, that have some are left out.
#pragma once

#include "hsvm/data/dataset.hpp"

namespace hsvm {

// table.dropped_rows says which samples they were. Throws InputError where none is left; so does the other.
[[nodiscard]] Dataset drop_missing_samples(const Dataset& data);
// A column of words goes with all of its features.
[[nodiscard]] Dataset drop_missing_features(const Dataset& data);

}  // namespace hsvm
