// What several baselines ask of labels, and the model they give.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/core/error.hpp"
#include "hsvm/data/labels.hpp"
#include "hsvm/model/linear_model.hpp"

namespace hsvm::baselines {

// Throws InputError where there is not one label for each of n samples, a class has no sample, or there are
// fewer than two classes.
inline void require_labels(const Labels& labels, Index n, const std::string& who) {
  if (labels.of_sample.size() != static_cast<std::size_t>(n)) {
    throw InputError(who + ": " + std::to_string(labels.of_sample.size()) + " labels for " + std::to_string(n) +
                     " samples");
  }
  if (labels.classes.size() < 2) throw InputError(who + ": the labels need at least two classes");
  std::vector<char> seen(labels.classes.names.size(), 0);
  for (const Index k : labels.of_sample) seen[static_cast<std::size_t>(k)] = 1;
  for (std::size_t k = 0; k < seen.size(); ++k) {
    if (!seen[k]) throw InputError(who + ": class " + labels.classes.names[k] + " has no sample");
  }
}

// +1 for the samples of the second class, -1 for the others.
[[nodiscard]] inline std::vector<double> signs_of(const Labels& labels) {
  std::vector<double> y;
  for (const Index k : labels.of_sample) y.push_back(k == 1 ? 1.0 : -1.0);
  return y;
}

// From all coefficients: w (p x outputs), one output for two classes or one for each class.
[[nodiscard]] inline LinearModel linear_model(const Classes& classes, std::vector<double> intercept,
                                              const ClassMatrix& w) {
  LinearModel model;
  model.kind = w.n_classes() == 1 ? ModelKind::binary : ModelKind::multiclass;
  model.classes = classes;
  model.n_features = w.rows();
  model.intercept = std::move(intercept);
  for (Index j = 0; j < w.rows(); ++j) {
    const std::span<const double> row = w.row(j);
    if (std::ranges::all_of(row, [](double value) { return value == 0.0; })) continue;
    model.features.push_back(j);
    model.coefficients.insert(model.coefficients.end(), row.begin(), row.end());
  }
  return model;
}

}  // namespace hsvm::baselines
