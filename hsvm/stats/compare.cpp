#include "hsvm/stats/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "hsvm/core/error.hpp"
#include "hsvm/stats/critical_difference.hpp"
#include "hsvm/stats/ranks.hpp"

namespace hsvm::stats {
namespace {

std::size_t find_control(const ScoreTable& table, const std::string& name, std::size_t best) {
  if (name.empty()) return best;
  const auto found = std::ranges::find(table.methods, name);
  if (found == table.methods.end())
    throw OptionError(
        fmt::format("control = {}: must be one of the methods {}", name, fmt::join(table.methods, ", ")));
  return static_cast<std::size_t>(found - table.methods.begin());
}

std::vector<PairTest> compare_pairs(const ScoreTable& table) {
  std::vector<std::vector<double>> columns;
  for (std::size_t j = 0; j < table.methods.size(); ++j) columns.push_back(table.column(j));
  std::vector<PairTest> pairs;
  std::vector<double> p_values;
  for (std::size_t first = 0; first < columns.size(); ++first) {
    for (std::size_t second = first + 1; second < columns.size(); ++second) {
      WilcoxonTest test = wilcoxon(columns[first], columns[second]);
      if (table.smaller_is_better) std::swap(test.r_plus, test.r_minus);
      p_values.push_back(test.p);
      pairs.push_back({.first = first, .second = second, .wilcoxon = test});
    }
  }
  const std::vector<double> adjusted = holm(p_values);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].adjusted_p = adjusted[i];
  return pairs;
}

}  // namespace

Comparison compare(const ScoreTable& table, const CompareOptions& options) {
  table.check();
  const std::size_t n_datasets = table.datasets.size();
  Comparison result;
  result.alpha = options.alpha;
  result.critical_difference = critical_difference(options.alpha, table.methods.size(), n_datasets);
  result.average_ranks = average_ranks(table);
  result.order = ascending_order(result.average_ranks);
  result.control = find_control(table, options.control, result.order.front());
  result.friedman = friedman(result.average_ranks, n_datasets);
  result.pairs = compare_pairs(table);
  result.against_control = compare_with_control(result.average_ranks, n_datasets, result.control);
  result.groups = indistinct_groups(result.average_ranks, result.critical_difference);
  return result;
}

}  // namespace hsvm::stats
