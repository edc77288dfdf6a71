// Coefficients of standardised features, brought to the scale of the data:
//
//   b + w'z = b + sum_j w_j scales_j (x_j - centers_j):  w_j <- scales_j w_j,  b <- b - sum_j centers_j
//   scales_j w_j
#pragma once

#include <cstddef>

#include "hsvm/data/standardization.hpp"

namespace hsvm {

// For what has an intercept, features and coefficients: a model, or a point of a path.
template <class Target>
void to_data_scale(const Standardization& standardization, Target& target) {
  if (standardization.empty()) return;
  const std::size_t n_outputs = target.intercept.size();
  for (std::size_t c = 0; c < target.features.size(); ++c) {
    const auto j = static_cast<std::size_t>(target.features[c]);
    for (std::size_t k = 0; k < n_outputs; ++k) {
      double& coefficient = target.coefficients[c * n_outputs + k];
      coefficient *= standardization.scales[j];
      target.intercept[k] -= standardization.centers[j] * coefficient;
    }
  }
}

}  // namespace hsvm
