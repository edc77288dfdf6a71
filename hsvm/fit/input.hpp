// What a model is fitted to.
#pragma once

#include <span>

#include "hsvm/data/dataset.hpp"
#include "hsvm/model/linear_model.hpp"

namespace hsvm {

struct FitInput {
  const Dataset& data;
  std::span<const double> sample_weights = {};   // empty: all 1; else one for each sample, scaled to mean 1
  std::span<const double> penalty_factors = {};  // empty: all 1; else one for each feature; infinite: left out
  const LinearModel* start = nullptr;            // of fit(): a model of the same kind to begin with
};

}  // namespace hsvm
