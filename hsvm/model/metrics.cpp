#include "hsvm/model/metrics.hpp"

#include <algorithm>

#include "hsvm/model/json_parts.hpp"

namespace hsvm {
namespace {

using detail::Json;

// A list of lists: `width` numbers for each sample.
Json rows_to_json(const std::vector<double>& numbers, std::size_t width) {
  Json rows = Json::array();
  for (std::size_t begin = 0; begin < numbers.size(); begin += width) {
    const auto row = numbers.begin() + static_cast<std::ptrdiff_t>(begin);
    rows.push_back(std::vector<double>(row, row + static_cast<std::ptrdiff_t>(width)));
  }
  return rows;
}

Json labels_to_json(const Classes& classes, const std::vector<Index>& of_sample) {
  const Json names = detail::classes_to_json(classes);
  Json list = Json::array();
  for (const Index k : of_sample) list.push_back(names[static_cast<std::size_t>(k)]);
  return list;
}

Json metrics_to_json(const Metrics& metrics) {
  Json json = {{"n_samples", metrics.n_samples}, {"n_unknown", metrics.n_unknown}};
  for (std::size_t which = 0; which < kNumScores; ++which) {
    if (metrics.scores[which]) json[to_string(static_cast<Score>(which))] = *metrics.scores[which];
  }
  json["confusion"] = metrics.confusion;
  return json;
}

}  // namespace

Metrics measure(const LinearModel& model, const Prediction& prediction,
                const std::vector<double>& probabilities, const std::vector<Index>& truth, bool with_auc) {
  Metrics metrics;
  metrics.n_samples = static_cast<Index>(truth.size());
  metrics.n_unknown = static_cast<Index>(std::ranges::count(truth, kUnknownClass));
  metrics.scores = all_scores({.n_classes = model.classes.size(),
                               .n_outputs = prediction.n_outputs,
                               .truth = truth,
                               .scores = prediction.scores,
                               .predicted = prediction.classes,
                               .probabilities = probabilities,
                               .margins = model.margins,
                               .with_auc = with_auc},
                              margin_loss(model.loss, model.delta));
  const auto n_classes = static_cast<std::size_t>(model.classes.size());
  metrics.confusion.assign(n_classes, std::vector<Index>(n_classes, 0));
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] == kUnknownClass) continue;
    ++metrics.confusion[static_cast<std::size_t>(truth[i])][static_cast<std::size_t>(prediction.classes[i])];
  }
  return metrics;
}

std::string predictions_to_json(const LinearModel& model, const Prediction& prediction,
                                const std::vector<double>& probabilities, const Dataset& data,
                                const std::optional<Metrics>& metrics) {
  Json json = {{"n_samples", prediction.classes.size()}, {"classes", detail::classes_to_json(model.classes)}};
  if (!data.sample_names.empty()) json["id"] = data.sample_names;
  json["predicted"] = labels_to_json(model.classes, prediction.classes);
  if (data.labels) json["truth"] = labels_to_json(data.labels->classes, data.labels->of_sample);
  json["scores"] = rows_to_json(prediction.scores, static_cast<std::size_t>(prediction.n_outputs));
  if (!probabilities.empty())
    json["probabilities"] = rows_to_json(probabilities, static_cast<std::size_t>(model.classes.size()));
  if (metrics) json["metrics"] = metrics_to_json(*metrics);
  return detail::dump(json, -1);
}

}  // namespace hsvm
