#include "hsvm/select/content_order.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "hsvm/core/random.hpp"
#include "hsvm/data/standardization.hpp"
#include "hsvm/fit/setup.hpp"

namespace hsvm::detail {
namespace {

// Means are not subtracted: they move all samples alike.
std::vector<double> project_samples(const Design& design, std::span<const double> weights) {
  constexpr std::uint64_t kSeed = 0x636f6e74656e74;  // any number, always the same
  Random random(kSeed);
  std::vector<double> direction = standardize(design, weights).scales;
  for (double& number : direction) number *= 0.5 + random.uniform();
  std::vector<double> result(static_cast<std::size_t>(design.rows()));
  design.multiply(direction, result);
  for (double& value : result) {
    if (!std::isfinite(value)) value = 0.0;  // a fit refuses it; sorting must not see it
  }
  return result;
}

}  // namespace

std::vector<Index> content_order(const FitInput& input) {
  const std::vector<double> weights = given_weights(input);
  const std::vector<double> projection = project_samples(input.data.design, weights);
  const std::vector<Index>& classes = input.data.labels->of_sample;
  std::vector<Index> samples;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0.0) samples.push_back(static_cast<Index>(i));
  }
  std::ranges::stable_sort(samples, {}, [&](Index sample) {
    const auto i = static_cast<std::size_t>(sample);
    return std::tuple(classes[i], projection[i], weights[i]);
  });
  return samples;
}

}  // namespace hsvm::detail
