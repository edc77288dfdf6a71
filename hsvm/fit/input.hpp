// What a model is fitted to.
#pragma once

#include <span>

#include "hsvm/core/collective.hpp"
#include "hsvm/data/dataset.hpp"
#include "hsvm/model/linear_model.hpp"

namespace hsvm {

struct FitInput {
  const Dataset& data;
  std::span<const double> sample_weights = {};   // empty: all 1; else one for each sample, scaled to mean 1
  std::span<const double> penalty_factors = {};  // empty: all 1; else one for each feature; infinite: left out
  const LinearModel* start = nullptr;            // of fit(): a model of the same kind to begin with
  // Where the samples are divided over ranks: `data` and sample_weights are of this one's samples, in the order of the ranks; classes,
  // features and everything else are the same on all. Every rank makes the same calls, and gets the same result.
  const Collective& ranks = single_process();
};

}  // namespace hsvm
