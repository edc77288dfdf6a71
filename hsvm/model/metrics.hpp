// What predictions are worth where the labels are known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hsvm/data/dataset.hpp"
#include "hsvm/model/linear_model.hpp"
#include "hsvm/model/predict.hpp"
#include "hsvm/model/score.hpp"

namespace hsvm {

struct Metrics {
  Index n_samples = 0;
  Index n_unknown =
      0;  // samples with a label that the model does not know; they count against the accuracy alone
  Scores scores = {};
  std::vector<std::vector<Index>> confusion;  // for each true class of the model: predicted to be of each
};

// truth: class numbers of the model, kUnknownClass where it has none such. probabilities: n rows of n_classes, or empty. The AUC
// of many classes costs a sort for each of them: with_auc may say that nobody asks for it.
[[nodiscard]] Metrics measure(const LinearModel& model, const Prediction& prediction,
                              const std::vector<double>& probabilities, const std::vector<Index>& truth,
                              bool with_auc = true);

// What `hsvm predict --json` prints: the predictions with the samples' names where they have some, and the metrics where they
// are given; one line.
[[nodiscard]] std::string predictions_to_json(const LinearModel& model, const Prediction& prediction,
                                              const std::vector<double>& probabilities, const Dataset& data,
                                              const std::optional<Metrics>& metrics);

}  // namespace hsvm
