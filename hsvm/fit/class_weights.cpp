#include "hsvm/fit/class_weights.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "hsvm/core/error.hpp"

namespace hsvm {
namespace {

// "class_weight LABEL=WEIGHT,...: what"
OptionError weights_error(const ClassWeights& weights, const std::string& what) {
  std::string text;
  for (const auto& [label, weight] : weights.by_label)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", label, weight);
  return value_error("class_weight", text, what);
}

std::vector<double> balanced_weights(const Labels& labels, std::span<const double> sample_weights,
                                     const Collective& ranks) {
  std::vector<double> counts(static_cast<std::size_t>(labels.classes.size()), 0.0);
  for (std::size_t i = 0; i < sample_weights.size(); ++i) {
    if (sample_weights[i] == 0.0) continue;
    counts[static_cast<std::size_t>(labels.of_sample[i])] += 1.0;
  }
  ranks.sum(counts);
  const double n_samples = std::accumulate(counts.begin(), counts.end(), 0.0);
  std::vector<double> weights;
  for (const double count : counts)
    weights.push_back(count > 0.0 ? n_samples / (static_cast<double>(counts.size()) * count) : 1.0);
  return weights;
}

}  // namespace

void ClassWeights::check() const {
  if (balanced && !by_label.empty()) throw weights_error(*this, "must not be given beside balanced weights");
  for (const auto& [label, weight] : by_label) {
    if (!(weight >= 0.0 && std::isfinite(weight)))
      throw weights_error(*this, fmt::format("the weight of '{}' must be at least 0 and finite", label));
  }
}

std::vector<double> detail::weigh_classes(const ClassWeights& class_weights, const Labels& labels,
                                          std::span<const double> sample_weights, const Collective& ranks) {
  if (class_weights.balanced) return balanced_weights(labels, sample_weights, ranks);
  std::vector<double> weights(static_cast<std::size_t>(labels.classes.size()), 1.0);
  for (const auto& [label, weight] : class_weights.by_label) {
    const Index k = labels.classes.find(label);
    if (k == kUnknownClass) throw weights_error(class_weights, "no sample has the label '" + label + "'");
    weights[static_cast<std::size_t>(k)] = weight;
  }
  return weights;
}

}  // namespace hsvm
