#include "hsvm/select/content_order.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "hsvm/core/random.hpp"
#include "hsvm/data/standardization.hpp"
#include "hsvm/fit/setup.hpp"

namespace hsvm::detail {
namespace {

// p_i = sum_j r_j (z_ij^2 - z_0j^2), z_ij the standardised x_ij and z_0j that of a zero, which sparse data leaves out.
std::vector<double> places(const Design& design, std::span<const double> weights, const Collective& ranks) {
  constexpr std::uint64_t kSeed = 0x636f6e74656e74;  // any number, always the same
  Random random(kSeed);
  const Standardization standardization = standardize(design, weights, ranks);
  std::vector<double> result(static_cast<std::size_t>(design.rows()), 0.0);
  ColumnBuffer buffer;
  design.for_each_piece(all_indices(design.cols()), [&](std::size_t first, std::size_t last) {
    for (std::size_t j = first; j < last; ++j) {
      const double factor = 0.5 + random.uniform();
      const Affine z = {standardization.centers[j], standardization.scales[j]};
      const double of_zero = z(0.0) * z(0.0);
      for_each_entry(design.column(static_cast<Index>(j), buffer),
                     [&](std::size_t i, double x) { result[i] += factor * (z(x) * z(x) - of_zero); });
    }
  });
  for (double& place : result) {
    if (!std::isfinite(place)) place = 0.0;  // a fit refuses such data; sorting must not see it
  }
  return result;
}

}  // namespace

std::vector<Index> content_order(const FitInput& input) {
  return content_order(input, gather_samples(input));
}

std::vector<Index> content_order(const FitInput& input, const AllSamples& all) {
  const std::vector<double>& weights = all.weights;
  const std::vector<double> here =
      places(input.data.design, own_part(input, all.first, all.weights), input.ranks);
  const std::vector<double> place = input.ranks.gather(std::span<const double>(here));
  const std::vector<Index>& classes = all.labels.of_sample;
  std::vector<Index> samples;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0.0) samples.push_back(static_cast<Index>(i));
  }
  std::ranges::stable_sort(samples, {}, [&](Index sample) {
    const auto i = static_cast<std::size_t>(sample);
    return std::tuple(classes[i], place[i], weights[i]);
  });
  return samples;
}

}  // namespace hsvm::detail
