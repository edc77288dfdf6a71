#include "hsvm/data/take_rows.hpp"

#include <numeric>
#include <string>

#include "hsvm/core/error.hpp"

namespace hsvm {
Dataset take_rows(const Dataset& data, std::span<const Index> rows) {
  for (const Index i : rows) {
    if (i < 0 || i >= data.n_samples()) {
      throw InputError(data.source + ": no row " + std::to_string(i) + ": must be one of 0 to " +
                       std::to_string(data.n_samples() - 1));
    }
  }
  Dataset result;
  result.source = data.source;
  result.feature_names = data.feature_names;
  result.table = data.table;
  result.fill = data.fill;
  result.missing = data.missing.take_rows(rows, data.n_samples());
  for (const Index i : rows) {
    if (!data.sample_names.empty())
      result.sample_names.push_back(data.sample_names[static_cast<std::size_t>(i)]);
    if (!data.groups.empty()) result.groups.push_back(data.groups[static_cast<std::size_t>(i)]);
  }
  result.design = SharedDesign(data.design->take_rows(rows));
  if (data.labels) {
    result.labels.emplace().classes = data.labels->classes;
    for (const Index i : rows)
      result.labels->of_sample.push_back(data.labels->of_sample[static_cast<std::size_t>(i)]);
  }
  return result;
}

Dataset take_rows_of_rank(const Dataset& whole, const Collective& ranks) {
  const auto begin_of = [&](Index rank) {
    return static_cast<Index>(Count{whole.n_samples()} * rank / ranks.size());
  };
  std::vector<Index> rows(static_cast<std::size_t>(begin_of(ranks.rank() + 1) - begin_of(ranks.rank())));
  std::iota(rows.begin(), rows.end(), begin_of(ranks.rank()));
  return take_rows(whole, rows);
}

}  // namespace hsvm
