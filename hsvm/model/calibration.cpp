#include "hsvm/model/calibration.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace hsvm {

LogSum softmax(std::span<double> eta) {
  const auto top = static_cast<std::size_t>(std::max_element(eta.begin(), eta.end()) - eta.begin());
  const double largest = eta[top];
  double others = 0.0;
  for (std::size_t k = 0; k < eta.size(); ++k) {
    eta[k] = std::exp(eta[k] - largest);
    if (k != top) others += eta[k];
  }
  for (double& value : eta) value /= 1.0 + others;
  return {largest, std::log1p(others)};
}

std::vector<double> probabilities(const Calibration& calibration, std::span<const double> scores) {
  const std::span<const double> offsets = calibration.offsets;
  const std::size_t n_outputs = offsets.size();
  assert(n_outputs > 0 && scores.size() % n_outputs == 0);
  const std::size_t n_samples = scores.size() / n_outputs;
  const std::size_t n_classes = std::max<std::size_t>(n_outputs, 2);
  std::vector<double> result(n_samples * n_classes, 0.0);
  for (std::size_t i = 0; i < n_samples; ++i) {
    const std::span<double> row(result.data() + i * n_classes, n_classes);
    const std::span<double> outputs = row.last(n_outputs);  // a binary model's other class stays at 0
    for (std::size_t k = 0; k < n_outputs; ++k) {
      outputs[k] = calibration.slope * scores[i * n_outputs + k] + offsets[k];
    }
    softmax(row);
  }
  return result;
}

}  // namespace hsvm
