#include "hsvm/stats/holm.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hsvm/core/error.hpp"
#include "hsvm/stats/distributions.hpp"
#include "hsvm/stats/ranks.hpp"

namespace hsvm::stats {

std::vector<double> holm(std::span<const double> p_values) {
  for (const double p : p_values) {
    if (!(p >= 0.0 && p <= 1.0)) throw InputError(fmt::format("holm: a p-value of {}; expected 0 to 1", p));
  }
  const std::vector<std::size_t> order = ascending_order(p_values);
  std::vector<double> adjusted(p_values.size());
  double so_far = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto left = static_cast<double>(order.size() - i);
    so_far = std::max(so_far, std::min(1.0, left * p_values[order[i]]));
    adjusted[order[i]] = so_far;
  }
  return adjusted;
}

std::vector<ControlTest> compare_with_control(std::span<const double> average_ranks, std::size_t n_datasets,
                                              std::size_t control) {
  check_average_ranks(average_ranks, n_datasets);
  if (control >= average_ranks.size())
    throw InputError(
        fmt::format("control: method {}; expected one of 0 to {}", control, average_ranks.size() - 1));
  const double deviation = rank_deviation(average_ranks.size(), n_datasets);
  std::vector<ControlTest> tests;
  std::vector<double> p_values;
  for (std::size_t j = 0; j < average_ranks.size(); ++j) {
    if (j == control) continue;
    const double z = (average_ranks[control] - average_ranks[j]) / deviation;
    p_values.push_back(two_sided_normal(z));
    tests.push_back({.method = j, .z = z, .p = p_values.back()});
  }
  const std::vector<double> adjusted = holm(p_values);
  for (std::size_t i = 0; i < tests.size(); ++i) tests[i].adjusted_p = adjusted[i];
  std::ranges::stable_sort(tests, {}, &ControlTest::p);
  return tests;
}

}  // namespace hsvm::stats
