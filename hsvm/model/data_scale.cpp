#include "hsvm/model/data_scale.hpp"

namespace hsvm {

void to_data_scale(const Standardization& standardization, std::span<double> intercept,
                   std::span<const Index> features, std::span<double> coefficients) {
  if (standardization.empty()) return;
  for (std::size_t c = 0; c < features.size(); ++c) {
    const auto j = static_cast<std::size_t>(features[c]);
    for (std::size_t k = 0; k < intercept.size(); ++k) {
      double& coefficient = coefficients[c * intercept.size() + k];
      coefficient *= standardization.scales[j];
      intercept[k] -= standardization.centers[j] * coefficient;
    }
  }
}

}  // namespace hsvm
