#include "datasets/accuracy.hpp"

#include <cassert>

#include "hsvm/model/predict.hpp"

namespace hsvm::datasets {

double accuracy_of(std::span<const Index> predicted, std::span<const Index> truth) {
  assert(predicted.size() == truth.size());
  Count right = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) right += predicted[i] == truth[i] ? 1 : 0;
  return 100.0 * static_cast<double>(right) / static_cast<double>(truth.size());
}

double accuracy_of(const LinearModel& model, const Dataset& data) {
  return accuracy_of(predict(model, data.design).classes, data.labels->of_sample);
}

}  // namespace hsvm::datasets
