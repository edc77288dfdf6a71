#include "hsvm/newton/gathered_rows.hpp"

#include <algorithm>
#include <numeric>

#include "hsvm/newton/working_columns.hpp"

namespace hsvm {
namespace {

constexpr Index kNotAsked = -1;
constexpr Index kNotTouched = -2;
constexpr Index kTouched = -3;

}  // namespace

void GatheredRows::gather_all(const WorkingColumns& columns) {
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

void GatheredRows::number_rows(const WorkingColumns& columns, std::span<const Index> rows, Index first) {
  number_.resize(static_cast<std::size_t>(columns.design().rows()), kNotAsked);
  for (const Index i : rows) number_[static_cast<std::size_t>(i)] = first == 0 ? kTouched : kNotTouched;
  ColumnBuffer buffer;
  for (Index c = std::max(first, columns.first_feature()); first > 0 && c < columns.size(); ++c) {
    const Index j = columns.feature_at(c);
    for_each_entry(columns.entries(j).design.column(j, buffer), [&](std::size_t i, double /*value*/) {
      if (number_[i] == kNotTouched) number_[i] = kTouched;
    });
  }
  rows_.clear();
  for (const Index i : rows) {
    Index& number = number_[static_cast<std::size_t>(i)];
    if (number != kTouched) continue;
    number = static_cast<Index>(rows_.size());
    rows_.push_back(i);
  }
}

void GatheredRows::gather(const WorkingColumns& columns, std::span<const Index> rows, Index first) {
  number_rows(columns, rows, first);
  // By columns first, written without branches: an entry of another row is written over by the next.
  ColumnBuffer buffer;
  std::size_t count = 0;
  for (Index c = columns.first_feature(); c < columns.size(); ++c) {
    const WorkingColumns::Entries from = columns.entries(columns.feature_at(c));
    const ColumnView column = from.design.column(columns.feature_at(c), buffer);
    const std::size_t room = count + column.values.size() + 1;
    if (by_column_.size() < room) by_column_.resize(room + room / 2);
    for_each_entry(column, [&](std::size_t i, double value) {
      by_column_[count] = {number_[i], c, from.scale * value};
      count += number_[i] >= 0 ? 1 : 0;
    });
  }
  start_.assign(rows_.size() + 1, 0);
  for (std::size_t e = 0; e < count; ++e) ++start_[static_cast<std::size_t>(by_column_[e].number) + 1];
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  position_.resize(count);
  value_.resize(count);
  std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
  for (std::size_t e = 0; e < count; ++e) {
    const std::size_t to = next[static_cast<std::size_t>(by_column_[e].number)]++;
    position_[to] = by_column_[e].position;
    value_[to] = by_column_[e].value;
  }
  for (const Index i : rows) number_[static_cast<std::size_t>(i)] = kNotAsked;
}

}  // namespace hsvm
