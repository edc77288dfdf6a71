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

// The same model by standardised features: the way back. A feature that is left out there (scale 0) is left out here.
[[nodiscard]] inline Fitted to_standardized_scale(const Standardization& standardization, const Fitted& model) {
  if (standardization.empty()) return model;
  Fitted result{model};
  const std::size_t n_outputs = model.intercept.size();
  result.features.clear();
  result.coefficients.clear();
  for (std::size_t c = 0; c < model.features.size(); ++c) {
    const auto j = static_cast<std::size_t>(model.features[c]);
    if (standardization.scales[j] == 0.0) continue;
    result.features.push_back(model.features[c]);
    for (std::size_t k = 0; k < n_outputs; ++k) {
      const double coefficient = model.coefficients[c * n_outputs + k];
      result.coefficients.push_back(coefficient / standardization.scales[j]);
      result.intercept[k] += standardization.centers[j] * coefficient;
    }
  }
  return result;
}

}  // namespace hsvm
