#include "hsvm/select/content_order.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "hsvm/core/random.hpp"
#include "hsvm/fit/setup.hpp"

namespace hsvm {
namespace {

std::vector<double> random_projection(const Design& design) {
  constexpr std::uint64_t kSeed = 0x636f6e74656e74;  // any number, always the same
  Random random(kSeed);
  std::vector<double> direction(static_cast<std::size_t>(design.cols()));
  std::ranges::generate(direction, [&] { return 0.5 + random.uniform(); });
  std::vector<double> result(static_cast<std::size_t>(design.rows()));
  design.multiply(direction, result);
  for (double& value : result) {
    if (!std::isfinite(value)) value = 0.0;  // a fit refuses it; sorting must not see it
  }
  return result;
}

}  // namespace

ContentOrder::ContentOrder(const FitInput& input)
    : n_samples_(static_cast<std::size_t>(input.data.n_samples())) {
  const std::vector<double> weights = detail::given_weights(input);
  const std::vector<double> place = random_projection(input.data.design);
  const std::vector<Index>& classes = input.data.labels->of_sample;
  for (std::size_t i = 0; i < n_samples_; ++i) {
    if (weights[i] > 0.0) samples_.push_back(static_cast<Index>(i));
  }
  const auto key = [&](Index sample) {
    const auto i = static_cast<std::size_t>(sample);
    return std::tuple(classes[i], place[i], weights[i]);
  };
  std::ranges::stable_sort(samples_, {}, key);
  labels_.classes = input.data.labels->classes;
  for (const Index i : samples_) labels_.of_sample.push_back(classes[static_cast<std::size_t>(i)]);
}

Folds ContentOrder::spread(const Folds& in_order) const {
  Folds result{in_order.n_folds, {}};
  for (const std::vector<Index>& fold : in_order.of_sample)
    result.of_sample.push_back(spread(fold, kNeverHeldOut));
  return result;
}

}  // namespace hsvm
