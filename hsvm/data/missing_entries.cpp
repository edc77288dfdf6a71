#include "hsvm/data/missing_entries.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"

namespace hsvm {
namespace {

constexpr Index kFillColumnsOfTask = 16;

struct WeighedValue {
  double value;
  double weight;
};

// The values of a feature that are there, with the weights of their samples; the zeros that a sparse column leaves out
// count as one.
std::vector<WeighedValue> present_values(const ColumnView& column, std::span<const Index> missing,
                                         std::span<const double> s) {
  std::vector<double> weights(s.begin(), s.end());
  for (const Index i : missing) weights[static_cast<std::size_t>(i)] = 0.0;
  std::vector<WeighedValue> values;
  for_each_entry(column, [&](std::size_t i, double value) {
    if (weights[i] > 0.0) values.push_back({value, weights[i]});
    weights[i] = 0.0;
  });
  double at_zero = 0.0;
  for (const double weight : weights) at_zero += weight;
  if (at_zero > 0.0) values.push_back({0.0, at_zero});
  return values;
}

double sum_of_weights(std::span<const WeighedValue> values) {
  double total = 0.0;
  for (const WeighedValue& v : values) total += v.weight;
  return total;
}

double mean_of_present(std::span<const WeighedValue> values) {
  const double total = sum_of_weights(values);
  double sum = 0.0;
  for (const WeighedValue& v : values) sum += v.value * v.weight;
  if (std::isfinite(sum)) return sum / total;
  double mean = 0.0;  // of values whose sum overflows: by their shares
  for (const WeighedValue& v : values) mean += v.value * (v.weight / total);
  return mean;
}

double median_of_present(std::vector<WeighedValue> values) {
  std::ranges::sort(values, {}, &WeighedValue::value);
  const double half = 0.5 * sum_of_weights(values);
  double below = 0.0;
  for (std::size_t k = 0; k + 1 < values.size(); ++k) {
    below += values[k].weight;
    if (below > half) return values[k].value;
    if (below == half) return 0.5 * values[k].value + 0.5 * values[k + 1].value;
  }
  return values.back().value;
}

}  // namespace

Count MissingEntries::size() const {
  Count total = 0;
  for (const Column& column : columns) total += std::ssize(column.rows);
  return total;
}

std::span<const Index> MissingEntries::rows_of(Index feature) const {
  const auto found = std::ranges::lower_bound(columns, feature, {}, &Column::feature);
  if (found == columns.end() || found->feature != feature) return {};
  return found->rows;
}

std::vector<char> MissingEntries::complete_rows(Index n_rows) const {
  std::vector<char> complete(static_cast<std::size_t>(n_rows), 1);
  for (const Column& column : columns) {
    for (const Index i : column.rows) complete[static_cast<std::size_t>(i)] = 0;
  }
  return complete;
}

MissingEntries MissingEntries::take_rows(std::span<const Index> rows, Index n_rows) const {
  MissingEntries result;
  std::vector<char> is_missing(static_cast<std::size_t>(n_rows), 0);
  for (const Column& column : columns) {
    for (const Index i : column.rows) is_missing[static_cast<std::size_t>(i)] = 1;
    Column taken{column.feature};
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (is_missing[static_cast<std::size_t>(rows[k])] != 0) taken.rows.push_back(static_cast<Index>(k));
    }
    for (const Index i : column.rows) is_missing[static_cast<std::size_t>(i)] = 0;
    if (!taken.rows.empty()) result.columns.push_back(std::move(taken));
  }
  return result;
}

namespace {

// Over the samples of all ranks: sums of weights and weighted values.
std::vector<double> learn_means_over_ranks(const Design& design, const MissingEntries& missing,
                                           std::span<const Index> features, std::span<const double> s,
                                           const Collective& ranks) {
  const std::size_t size = features.size();
  std::vector<double> sums(2 * size, 0.0);
  parallel_blocks(static_cast<Index>(size), kFillColumnsOfTask, [&](Index begin, Index end) {
    ColumnBuffer buffer;
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      const Index j = features[k];
      for (const WeighedValue& v : present_values(design.column(j, buffer), missing.rows_of(j), s)) {
        sums[k] += v.weight;
        sums[size + k] += v.weight * v.value;
      }
    }
  });
  ranks.sum(sums);
  std::vector<double> means(size, 0.0);
  for (std::size_t k = 0; k < size; ++k) means[k] = sums[k] > 0.0 ? sums[size + k] / sums[k] : 0.0;
  return means;
}

}  // namespace

std::vector<double> learn_fill(const Design& design, const MissingEntries& missing, Fill fill,
                               std::span<const Index> features, std::span<const double> s,
                               const Collective& ranks) {
  if (!ranks.is_alone()) {
    if (fill == Fill::median)
      throw OptionError("{} median: over several ranks missing values can be filled with the mean alone",
                        {"missing"});
    return learn_means_over_ranks(design, missing, features, s, ranks);
  }
  std::vector<double> values(features.size(), 0.0);
  parallel_blocks(static_cast<Index>(features.size()), kFillColumnsOfTask, [&](Index begin, Index end) {
    ColumnBuffer buffer;
    for (Index k = begin; k < end; ++k) {
      const Index j = features[static_cast<std::size_t>(k)];
      std::vector<WeighedValue> present = present_values(design.column(j, buffer), missing.rows_of(j), s);
      if (present.empty()) continue;
      values[static_cast<std::size_t>(k)] =
          fill == Fill::median ? median_of_present(std::move(present)) : mean_of_present(present);
    }
  });
  return values;
}

}  // namespace hsvm
