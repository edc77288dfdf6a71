// Coefficients of standardised features, brought to the scale of the data:
//
//   b + w'z = b + sum_j w_j scales_j (x_j - centers_j),  so  w_j <- scales_j w_j,  then  b <- b - sum_j centers_j w_j
#pragma once

#include <cstddef>

#include "hsvm/data/standardization.hpp"
#include "hsvm/model/linear_model.hpp"

namespace hsvm {

inline void to_data_scale(const Standardization& standardization, Fitted& fitted) {
  if (standardization.empty()) return;
  const std::size_t n_outputs = fitted.intercept.size();
  for (std::size_t c = 0; c < fitted.features.size(); ++c) {
    const auto j = static_cast<std::size_t>(fitted.features[c]);
    for (std::size_t k = 0; k < n_outputs; ++k) {
      double& coefficient = fitted.coefficients[c * n_outputs + k];
      coefficient *= standardization.scales[j];
      fitted.intercept[k] -= standardization.centers[j] * coefficient;
    }
  }
}

}  // namespace hsvm
