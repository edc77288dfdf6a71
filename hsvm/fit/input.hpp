// What a model is fitted to.
#pragma once

#include <span>

#include "hsvm/data/dataset.hpp"
#include "hsvm/model/linear_model.hpp"

namespace hsvm {

struct FitInput {
  const Dataset& data;
  std::span<const double> sample_weights = {};   // empty: all 1; else one for each sample, scaled to mean 1
  std::span<const double> penalty_factors = {};  // empty: all 1; else one for each feature
  const LinearModel* start = nullptr;  // of the same shape: where fit() begins, for speed; paths do without
};

}  // namespace hsvm
