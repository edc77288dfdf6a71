#include "hsvm/stats/ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hsvm/core/error.hpp"
#include "hsvm/core/vector_sums.hpp"

namespace hsvm::stats {

std::vector<std::size_t> ascending_order(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  return order;
}

std::vector<double> ranks(std::span<const double> values, double tolerance) {
  for (const double value : values) {
    if (!std::isfinite(value)) throw InputError(fmt::format("ranks: {}; expected finite numbers", value));
  }
  const std::vector<std::size_t> order = ascending_order(values);
  std::vector<double> result(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] - values[order[end - 1]] <= tolerance) ++end;
    const double shared = 0.5 * static_cast<double>(begin + 1 + end);  // mean of begin + 1, ..., end
    for (; begin < end; ++begin) result[order[begin]] = shared;
  }
  return result;
}

std::vector<double> average_ranks(const ScoreTable& table) {
  table.check();
  std::vector<double> result(table.methods.size(), 0.0);
  for (std::size_t i = 0; i < table.datasets.size(); ++i) {
    std::vector<double> losses;
    for (const double score : table.row(i)) losses.push_back(table.smaller_is_better ? score : -score);
    add_scaled(1.0, ranks(losses), result);
  }
  for (double& rank : result) rank /= static_cast<double>(table.datasets.size());
  return result;
}

double rank_deviation(std::size_t n_methods, std::size_t n_datasets) {
  const auto k = static_cast<double>(n_methods);
  return std::sqrt(k * (k + 1.0) / (6.0 * static_cast<double>(n_datasets)));
}

void check_average_ranks(std::span<const double> averages, std::size_t n_datasets) {
  if (n_datasets == 0) throw InputError("average ranks: no dataset; expected at least one");
  if (averages.size() < 2)
    throw InputError(fmt::format("average ranks: {} given; expected at least two to compare", averages.size()));
  const auto k = static_cast<double>(averages.size());
  const double expected = 0.5 * k * (k + 1.0);
  const double sum = std::accumulate(averages.begin(), averages.end(), 0.0);
  constexpr double kRounding = 1e-9;
  if (!(std::abs(sum - expected) <= kRounding * expected))
    throw InputError(fmt::format("average ranks: they sum to {}; expected {}", sum, expected));
}

}  // namespace hsvm::stats
