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

// The other way: w_j <- w_j/scales_j, b <- b + sum_j centers_j w_j. Features of scale 0 are dropped.
inline void from_data_scale(const Standardization& standardization, Fitted& fitted) {
  if (standardization.empty()) return;
  const std::size_t n_outputs = fitted.intercept.size();
  std::size_t kept = 0;
  for (std::size_t c = 0; c < fitted.features.size(); ++c) {
    const auto j = static_cast<std::size_t>(fitted.features[c]);
    if (standardization.scales[j] == 0.0) continue;
    for (std::size_t k = 0; k < n_outputs; ++k) {
      const double coefficient = fitted.coefficients[c * n_outputs + k];
      fitted.intercept[k] += standardization.centers[j] * coefficient;
      fitted.coefficients[kept * n_outputs + k] = coefficient / standardization.scales[j];
    }
    fitted.features[kept++] = fitted.features[c];
  }
  fitted.features.resize(kept);
  fitted.coefficients.resize(kept * n_outputs);
}

}  // namespace hsvm
