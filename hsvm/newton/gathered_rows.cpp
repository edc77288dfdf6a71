#include "hsvm/newton/gathered_rows.hpp"

#include <algorithm>
#include <bit>
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

std::size_t GatheredBlock::size_of(std::span<const Index> samples, bool few) {
  constexpr std::size_t kMostRows = 512;
  constexpr std::size_t kMostToLookAt = 1 << 13;
  constexpr Index kMostSamples = 1 << 16;  // from the first to the last
  const auto last =
      std::ranges::lower_bound(samples, kMostSamples, {}, [&](Index i) { return i - samples.front(); });
  return std::min(few ? kMostToLookAt : kMostRows, static_cast<std::size_t>(last - samples.begin()));
}

void GatheredBlock::gather(const WorkingColumns& columns, std::span<const Index> samples,
                           std::span<const double> weights, Index touched_from, std::span<double> sums) {
  begin_ = samples.front();
  end_ = samples.back() + 1;
  choose(samples);
  if (touched_from > 0) keep_touched(columns, touched_from);
  number_rows(weights);
  n_entries_ = 0;
  for (Index c = columns.first_feature(); c < columns.size() && !weight_.empty(); ++c) {
    const Index j = columns.feature_at(c);
    const WorkingColumns::Entries from = columns.entries(j);
    const std::size_t before = n_entries_;
    append(from.design.column_between(j, begin_, end_, buffer_), c, from.scale);
    double sum = 0.0;
    for (std::size_t e = before; e < n_entries_; ++e)
      sum += weight_[static_cast<std::size_t>(entries_[e].row)] * entries_[e].value;
    sums[static_cast<std::size_t>(c)] += sum;
  }
  sort_by_rows();
}

void GatheredBlock::choose(std::span<const Index> samples) {
  chosen_.assign(static_cast<std::size_t>(end_ - begin_) / 64 + 1, 0);
  for (const Index i : samples) {
    const auto at = static_cast<std::size_t>(i - begin_);
    chosen_[at / 64] |= std::uint64_t{1} << (at % 64);
  }
}

void GatheredBlock::keep_touched(const WorkingColumns& columns, Index from) {
  touched_.assign(chosen_.size(), 0);
  for (Index c = std::max(from, columns.first_feature()); c < columns.size(); ++c) {
    const Index j = columns.feature_at(c);
    const ColumnPart part = columns.entries(j).design.column_between(j, begin_, end_, buffer_);
    if (!part.sparse) return;
    for (const Index i : part.rows) {
      const auto at = static_cast<std::size_t>(i - begin_);
      touched_[at / 64] |= std::uint64_t{1} << (at % 64);
    }
  }
  for (std::size_t k = 0; k < chosen_.size(); ++k) chosen_[k] &= touched_[k];
}

void GatheredBlock::number_rows(std::span<const double> weights) {
  row_of_.resize(static_cast<std::size_t>(end_ - begin_));
  samples_.clear();
  weight_.clear();
  for (std::size_t word = 0; word < chosen_.size(); ++word) {
    for (std::uint64_t bits = chosen_[word]; bits != 0; bits &= bits - 1) {
      const std::size_t at = 64 * word + static_cast<std::size_t>(std::countr_zero(bits));
      const Index sample = begin_ + static_cast<Index>(at);
      row_of_[at] = static_cast<Index>(weight_.size());
      samples_.push_back(sample);
      weight_.push_back(weights[static_cast<std::size_t>(sample)]);
    }
  }
}

// Which of the entries are of rows of the block. Without branches: one that is not is written over by the next.
void GatheredBlock::pick(std::span<const Index> rows) {
  if (picked_.size() <= rows.size()) picked_.resize(2 * rows.size() + 1);
  std::uint32_t* const picked = picked_.data();
  const std::uint64_t* const chosen = chosen_.data();
  std::size_t count = 0;
  for (std::size_t e = 0; e < rows.size(); ++e) {
    const auto at = static_cast<std::uint32_t>(rows[e] - begin_);
    picked[count] = static_cast<std::uint32_t>(e);
    count += chosen[at / 64] >> (at % 64) & 1U;
  }
  n_picked_ = count;
}

void GatheredBlock::append(const ColumnPart& column, Index position, double scale) {
  if (column.sparse) pick(column.rows);
  const std::size_t count = column.sparse ? n_picked_ : weight_.size();
  if (entries_.size() < n_entries_ + count) entries_.resize(n_entries_ + count + (n_entries_ + count) / 4);
  Entry* const to = entries_.data() + n_entries_;
  for (std::size_t k = 0; k < count; ++k) {
    if (column.sparse) {
      const std::size_t e = picked_[k];
      to[k] = {row_of_[static_cast<std::size_t>(column.rows[e] - begin_)], position, scale * column[e]};
    } else {
      to[k] = {static_cast<Index>(k), position, scale * column[static_cast<std::size_t>(samples_[k] - begin_)]};
    }
  }
  n_entries_ += count;
}

void GatheredBlock::sort_by_rows() {
  const std::span<const Entry> entries(entries_.data(), n_entries_);
  start_.assign(weight_.size() + 1, 0);
  for (const Entry& entry : entries) ++start_[static_cast<std::size_t>(entry.row) + 1];
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  position_.resize(start_.back());
  value_.resize(start_.back());
  next_.assign(start_.begin(), start_.end() - 1);
  for (const Entry& entry : entries) {
    const std::size_t to = next_[static_cast<std::size_t>(entry.row)]++;
    position_[to] = entry.position;
    value_[to] = entry.value;
  }
}

}  // namespace hsvm
