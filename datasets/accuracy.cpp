#include "datasets/accuracy.hpp"

#include <cassert>
#include <limits>

#include "hsvm/model/predict.hpp"

namespace hsvm::datasets {

double accuracy_of(std::span<const Index> predicted, const Labels& truth, Score which) {
  assert(predicted.size() == truth.of_sample.size());
  const ScoredSamples samples{
      .n_classes = truth.classes.size(), .truth = truth.of_sample, .predicted = predicted};
  return 100.0 * score(which, samples).value_or(std::numeric_limits<double>::quiet_NaN());
}

double accuracy_of(const LinearModel& model, const Dataset& data) {
  return accuracy_of(predict(model, data.design).classes, *data.labels);
}

}  // namespace hsvm::datasets
