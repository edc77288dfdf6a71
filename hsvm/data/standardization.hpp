// How features are shifted and scaled for a fit: feature j of sample i is seen as
//
//   z_ij = scales_j (x_ij - centers_j)
//
// Standardising centres features at their (weighted) mean and scales them to variance 1, with 1/n; samples of
// weight 0 have no part in it. A constant feature, one whose values differ by little more than rounding (a part in 1e12),
// and one that is to be left out have the scale 0: they are zero for every sample and so are their coefficients.
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/data/design.hpp"

namespace hsvm {

struct Standardization {  // both empty: features as they are
  std::vector<double> centers;
  std::vector<double> scales;
  // Of each feature as it is seen, sum_i z_ij^2, where it is known without reading X again: all samples have the same weight.
  // Else empty.
  std::vector<double> squared_norms = {};

  [[nodiscard]] bool empty() const { return scales.empty(); }
};

// Mean and standard deviation of every feature under the weights s. Reads X once, sparse columns by their entries alone.
[[nodiscard]] Standardization standardize(const Design& design, std::span<const double> s,
                                          const Collective& ranks = single_process());

// The same features, those outside `kept` (ascending) left out; an empty standardization stands for features as
// they are.
[[nodiscard]] Standardization keep_features(Standardization standardization, std::span<const Index> kept,
                                            Index n_features);

}  // namespace hsvm
