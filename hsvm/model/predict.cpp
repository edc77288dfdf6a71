#include "hsvm/model/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hsvm/core/error.hpp"
#include "hsvm/data/imputed_view.hpp"

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

namespace {

// Large mapped data is not searched for values that are no numbers when it is read: here they show.
Prediction require_finite_scores(Prediction prediction, const Dataset& data) {
  const auto bad = std::ranges::find_if(prediction.scores, [](double score) { return !std::isfinite(score); });
  if (bad == prediction.scores.end()) return prediction;
  throw InputError(
      fmt::format("{}: the score of sample {} is {}; expected finite values of the model's features",
                  data.source, (bad - prediction.scores.begin()) / prediction.n_outputs + 1, *bad));
}

}  // namespace

Prediction predict(const LinearModel& model, const Dataset& data) {
  if (data.missing.empty()) return require_finite_scores(predict(model, *data.design), data);
  std::vector<double> values;
  for (const MissingEntries::Column& column : data.missing.columns) {
    const Index j = column.feature;
    if (!model.preparation.values.empty() && j < model.n_features) {
      values.push_back(model.preparation.values[static_cast<std::size_t>(j)]);
      continue;
    }
    if (std::ranges::binary_search(model.features, j)) {
      throw InputError(fmt::format(
          "{}: sample {} has no value of {}; expected one: the model was fitted without a rule for missing values",
          data.source, column.rows.front() + 1, model.feature_name(j)));
    }
    values.push_back(0.0);
  }
  return predict(model, ImputedView(*data.design, data.missing, std::move(values)));
}

}  // namespace hsvm
