#include "hsvm/select/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hsvm/data/standardization.hpp"
#include "hsvm/data/standardized_view.hpp"
#include "hsvm/fit/setup.hpp"
#include "hsvm/select/all_samples.hpp"

namespace hsvm::detail {
namespace {

constexpr std::size_t kMostCorrelated = 40;  // features whose correlations are kept
constexpr std::size_t kStandIns = 3;         // for each of them

std::vector<double> deviations_of(const Standardization& standardization) {
  std::vector<double> result;
  for (const double scale : standardization.scales) result.push_back(scale == 0.0 ? 0.0 : 1.0 / scale);
  return result;
}

// Those of the largest effect in any output, ascending.
std::vector<Index> strongest(const LinearModel& model, const std::vector<double>& deviations) {
  const auto n_outputs = static_cast<std::size_t>(model.n_outputs());
  std::vector<double> effects;
  for (std::size_t c = 0; c < model.features.size(); ++c) {
    double largest = 0.0;
    for (std::size_t k = 0; k < n_outputs; ++k)
      largest = std::max(largest, std::abs(model.coefficients[c * n_outputs + k]));
    effects.push_back(largest * deviations[static_cast<std::size_t>(model.features[c])]);
  }
  std::vector<std::size_t> order(effects.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return effects[a] > effects[b]; });
  order.resize(std::min(order.size(), kMostCorrelated));
  std::vector<Index> result;
  for (const std::size_t c : order) result.push_back(model.features[c]);
  std::ranges::sort(result);
  return result;
}

// Features outside of the model, by how closely they go with feature j.
void add_stand_ins(Index j, const std::vector<double>& correlations, const std::vector<Index>& in_model,
                   std::vector<StandIn>& result) {
  std::vector<Index> left_out;
  for (Index l = 0; l < static_cast<Index>(correlations.size()); ++l) {
    if (!std::binary_search(in_model.begin(), in_model.end(), l) &&
        correlations[static_cast<std::size_t>(l)] != 0.0)
      left_out.push_back(l);
  }
  const auto stronger = [&](Index a, Index b) {
    const double difference = std::abs(correlations[static_cast<std::size_t>(a)]) -
                              std::abs(correlations[static_cast<std::size_t>(b)]);
    return difference != 0.0 ? difference > 0.0 : a < b;
  };
  const auto n = static_cast<std::ptrdiff_t>(std::min(kStandIns, left_out.size()));
  std::partial_sort(left_out.begin(), left_out.begin() + n, left_out.end(), stronger);
  for (auto l = left_out.begin(); l != left_out.begin() + n; ++l)
    result.push_back({j, *l, correlations[static_cast<std::size_t>(*l)]});
}

// Z'(s o z_j)/sum(s) has the correlations of feature j with all others, Z being the standardised features.
Correlations correlate(const Design& design, const Standardization& standardization,
                       const std::vector<double>& weights, const LinearModel& model,
                       const std::vector<double>& deviations, const Collective& ranks) {
  const StandardizedView view(design, standardization);
  const double total = ranks.sum(std::accumulate(weights.begin(), weights.end(), 0.0));
  Correlations result;
  result.features = strongest(model, deviations);
  std::vector<double> weighted(weights.size());
  std::vector<double> all(static_cast<std::size_t>(design.cols()));
  for (std::size_t a = 0; a < result.features.size(); ++a) {
    std::ranges::fill(weighted, 0.0);
    view.add_column(result.features[a], 1.0 / total, weights, weighted);
    view.multiply_transposed(weighted, all);
    ranks.sum(all);
    for (double& value : all) value = std::isfinite(value) ? std::clamp(value, -1.0, 1.0) : 0.0;
    for (std::size_t b = 0; b < a; ++b)
      result.values.push_back(all[static_cast<std::size_t>(result.features[b])]);
    add_stand_ins(result.features[a], all, model.features, result.stand_ins);
  }
  return result;
}

}  // namespace

Evidence gather_evidence(const FitInput& input, const PathModel& path, const TunedModel& model) {
  Evidence evidence;
  evidence.source = input.data.source;
  evidence.sample_names = input.ranks.gather_words(input.data.sample_names);
  const Labels labels = gather_samples(input).labels;
  evidence.class_counts.assign(labels.classes.names.size(), 0);
  for (const Index k : labels.of_sample) ++evidence.class_counts[static_cast<std::size_t>(k)];

  const std::vector<double> weights = given_weights(input);
  const Design& design = input.data.design;
  const Standardization standardization = standardize(design, weights, input.ranks);
  const std::vector<double> deviations = deviations_of(standardization);
  std::ranges::set_union(model.best.features, model.one_se.features, std::back_inserter(evidence.features));
  for (const Index j : evidence.features)
    evidence.deviations.push_back(deviations[static_cast<std::size_t>(j)]);
  evidence.path = picture_of(path, deviations, evidence.features);
  evidence.correlations = correlate(design, standardization, weights, model.best, deviations, input.ranks);
  return evidence;
}

}  // namespace hsvm::detail
