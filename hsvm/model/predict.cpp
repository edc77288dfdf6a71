#include "hsvm/model/predict.hpp"

#include <algorithm>

namespace hsvm {

Index predicted_class(std::span<const double> scores) {
  if (scores.size() == 1) return scores[0] > 0.0 ? 1 : 0;
  return static_cast<Index>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

std::vector<Index> class_numbers(const Labels& labels, const Classes& classes) {
  std::vector<Index> number_of;
  for (const std::string& name : labels.classes.names) number_of.push_back(classes.find(name));
  std::vector<Index> result;
  for (const Index k : labels.of_sample) result.push_back(number_of[static_cast<std::size_t>(k)]);
  return result;
}

Prediction predict(const LinearModel& model, const Design& design) {
  const auto known = std::lower_bound(model.features.begin(), model.features.end(), design.cols());
  const std::span<const Index> features(model.features.begin(), known);
  const auto n = static_cast<std::size_t>(design.rows());
  const auto n_outputs = static_cast<std::size_t>(model.n_outputs());

  Prediction result{model.n_outputs(), std::vector<double>(n * n_outputs), std::vector<Index>(n)};
  std::vector<double> w(features.size());
  std::vector<double> scores(n);
  for (std::size_t k = 0; k < n_outputs; ++k) {
    for (std::size_t c = 0; c < features.size(); ++c) w[c] = model.coefficients[c * n_outputs + k];
    design.multiply(features, w, scores);
    for (std::size_t i = 0; i < n; ++i) result.scores[i * n_outputs + k] = scores[i] + model.intercept[k];
  }
  for (std::size_t i = 0; i < n; ++i)
    result.classes[i] = predicted_class({result.scores.data() + i * n_outputs, n_outputs});
  return result;
}

}  // namespace hsvm
