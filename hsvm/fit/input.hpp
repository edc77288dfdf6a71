// What a model is fitted to.
#pragma once

#include <span>

#include "hsvm/data/dataset.hpp"

namespace hsvm {

struct FitInput {
  const Dataset& data;
  std::span<const double> sample_weights = {};   // empty: all 1; else one for each sample, scaled to mean 1
  std::span<const double> penalty_factors = {};  // empty: all 1; else one for each feature
};

}  // namespace hsvm
