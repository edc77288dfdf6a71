#include "hsvm/newton/gathered_rows.hpp"

#include <algorithm>
#include <numeric>

#include "hsvm/newton/working_columns.hpp"

namespace hsvm {

void GatheredRows::gather(const WorkingColumns& columns) {
  const auto n = static_cast<std::size_t>(columns.design().rows());
  ColumnBuffer buffer;
  start_.assign(n + 1, 0);
  for (const Index j : columns.columns()) {
    for_each_entry(columns.entries(j).design.column(j, buffer),
                   [&](std::size_t i, double /*value*/) { ++start_[i + 1]; });
  }
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  position_.resize(start_[n]);
  value_.resize(start_[n]);
  std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
  for (Index c = columns.first_feature(); c < columns.size(); ++c) {
    const WorkingColumns::Entries from = columns.entries(columns.feature_at(c));
    for_each_entry(from.design.column(columns.feature_at(c), buffer), [&](std::size_t i, double value) {
      const std::size_t to = next[i]++;
      position_[to] = c;
      value_[to] = from.scale * value;
    });
  }
}

std::size_t GatheredBlock::size_of(std::span<const Index> samples) {
  constexpr std::size_t kMostRows = 1024;
  constexpr Index kMostSamples = 1 << 16;  // from the first to the last
  const auto last = std::ranges::upper_bound(samples, samples.front() + (kMostSamples - 1));
  return std::min(kMostRows, static_cast<std::size_t>(last - samples.begin()));
}

void GatheredBlock::gather(const WorkingColumns& columns, std::span<const Index> samples,
                           std::span<const double> weights, Index first, std::span<double> sums) {
  const Index begin = samples.front();
  const Index end = samples.back() + 1;
  row_of_.assign(static_cast<std::size_t>(end - begin), -1);
  weight_.clear();
  for (const Index i : samples) {
    row_of_[static_cast<std::size_t>(i - begin)] = static_cast<Index>(weight_.size());
    weight_.push_back(weights[static_cast<std::size_t>(i)]);
  }
  collect(columns, begin, end, sums);
  sort_by_rows(first);
}

void GatheredBlock::collect(const WorkingColumns& columns, Index begin, Index end, std::span<double> sums) {
  n_entries_ = 0;
  for (Index c = columns.first_feature(); c < columns.size(); ++c) {
    const Index j = columns.feature_at(c);
    const WorkingColumns::Entries from = columns.entries(j);
    const std::size_t before = n_entries_;
    append(from.design.column_between(j, begin, end, buffer_), begin, c, from.scale);
    double sum = 0.0;
    for (std::size_t e = before; e < n_entries_; ++e)
      sum += weight_[static_cast<std::size_t>(entries_[e].row)] * entries_[e].value;
    sums[static_cast<std::size_t>(c)] += sum;
  }
}

// Without branches: an entry of a sample that is not asked for is written over by the next.
void GatheredBlock::append(const ColumnView& column, Index begin, Index position, double scale) {
  const std::size_t room = n_entries_ + column.values.size() + 1;
  if (entries_.size() < room) entries_.resize(room + room / 4);
  Entry* const to = entries_.data();
  std::size_t count = n_entries_;
  for (std::size_t e = 0; e < column.values.size(); ++e) {
    const std::size_t at = column.sparse ? static_cast<std::size_t>(column.rows[e] - begin) : e;
    to[count] = {row_of_[at], position, scale * column.values[e]};
    count += row_of_[at] >= 0 ? 1 : 0;
  }
  n_entries_ = count;
}

void GatheredBlock::sort_by_rows(Index first) {
  const std::span<const Entry> entries(entries_.data(), n_entries_);
  start_.assign(weight_.size() + 1, 0);
  for (const Entry& entry : entries) ++start_[static_cast<std::size_t>(entry.row) + 1];
  if (first > 0) {  // the others have none, as far as anybody asks
    next_.assign(weight_.size(), 0);
    for (const Entry& entry : entries)
      next_[static_cast<std::size_t>(entry.row)] |= entry.position >= first ? 1 : 0;
    for (std::size_t r = 0; r < weight_.size(); ++r) start_[r + 1] *= next_[r];
  }
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  position_.resize(start_.back() + 1);
  value_.resize(start_.back() + 1);
  // Entries of rows that are left out go to the place behind the last, one over the other.
  next_.resize(weight_.size());
  for (std::size_t r = 0; r < weight_.size(); ++r)
    next_[r] = start_[r] < start_[r + 1] ? start_[r] : start_.back();
  for (const Entry& entry : entries) {
    const auto row = static_cast<std::size_t>(entry.row);
    const std::size_t to = next_[row];
    position_[to] = entry.position;
    value_[to] = entry.value;
    next_[row] = to + (to < start_.back() ? 1 : 0);
  }
}

}  // namespace hsvm
