#include "hsvm/stats/critical_difference.hpp"

#include <fmt/format.h>

#include <numbers>

#include "hsvm/core/error.hpp"
#include "hsvm/stats/distributions.hpp"
#include "hsvm/stats/ranks.hpp"

namespace hsvm::stats {

double nemenyi_quantile(double alpha, std::size_t n_methods) {
  if (!(alpha > 0.0 && alpha < 1.0))
    throw OptionError(fmt::format("alpha = {}: must be greater than 0 and less than 1", alpha));
  if (n_methods < 2)
    throw InputError(fmt::format("critical difference: {} methods; expected at least two", n_methods));
  return normal_range_quantile(alpha, static_cast<int>(n_methods)) / std::numbers::sqrt2;
}

double critical_difference(double alpha, std::size_t n_methods, std::size_t n_datasets) {
  if (n_datasets == 0) throw InputError("critical difference: no dataset; expected at least one");
  return nemenyi_quantile(alpha, n_methods) * rank_deviation(n_methods, n_datasets);
}

std::vector<std::vector<std::size_t>> indistinct_groups(std::span<const double> average_ranks,
                                                        double difference) {
  const std::vector<std::size_t> order = ascending_order(average_ranks);
  std::vector<std::vector<std::size_t>> groups;
  std::size_t covered = 0;  // end of the last group: one that does not reach further is part of it
  for (std::size_t begin = 0; begin < order.size(); ++begin) {
    std::size_t end = begin + 1;
    while (end < order.size() && average_ranks[order[end]] - average_ranks[order[begin]] < difference) ++end;
    if (end - begin >= 2 && end > covered) {
      groups.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(begin),
                          order.begin() + static_cast<std::ptrdiff_t>(end));
      covered = end;
    }
  }
  return groups;
}

}  // namespace hsvm::stats
