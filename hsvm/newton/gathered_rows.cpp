#include "hsvm/newton/gathered_rows.hpp"

#include <algorithm>
#include <numeric>

#include "hsvm/core/parallel.hpp"
#include "hsvm/newton/working_columns.hpp"

namespace hsvm {
namespace {

constexpr Index kNotAsked = -1;
constexpr Index kNotTouched = -2;
constexpr Index kTouched = -3;
constexpr double kParts = 16.0;  // that threads may work on at the same time

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

// Cuts the columns into parts of about as many entries each; one more number than parts.
std::vector<Index> GatheredRows::cut(const WorkingColumns& columns) {
  std::vector<Index> cuts = {columns.first_feature()};
  double before = 0.0;
  for (Index c = columns.first_feature(); c < columns.size(); ++c) {
    before += static_cast<double>(columns.design().stored(columns.feature_at(c)));
    if (before * kParts >= columns.n_nonzeros() * static_cast<double>(cuts.size())) cuts.push_back(c + 1);
  }
  if (cuts.back() != columns.size()) cuts.push_back(columns.size());
  return cuts;
}

// Written without branches: an entry of another row is written over by the next. Room is made for a stretch at a time, not for a
// column, most of whose entries may be of other rows.
void GatheredRows::gather_part(const WorkingColumns& columns, Index begin, Index end, Part& part) const {
  constexpr std::size_t kStretch = 4096;
  ColumnBuffer buffer;
  std::size_t count = 0;
  for (Index c = begin; c < end; ++c) {
    const WorkingColumns::Entries from = columns.entries(columns.feature_at(c));
    const ColumnView column = from.design.column(columns.feature_at(c), buffer);
    for (std::size_t e = 0; e < column.values.size(); e += kStretch) {
      const std::size_t stretch_end = std::min(column.values.size(), e + kStretch);
      const std::size_t room = count + kStretch + 1;
      if (part.entries.size() < room) part.entries.resize(room + room / 4);
      for (std::size_t k = e; k < stretch_end; ++k) {
        const std::size_t i = column.sparse ? static_cast<std::size_t>(column.rows[k]) : k;
        part.entries[count] = {number_[i], c, from.scale * column.values[k]};
        count += number_[i] >= 0 ? 1 : 0;
      }
    }
  }
  part.count = count;
}

void GatheredRows::gather(const WorkingColumns& columns, std::span<const Index> rows, Index first) {
  number_rows(columns, rows, first);
  const std::vector<Index> cuts = cut(columns);
  parts_.resize(cuts.size() - 1);
  parallel_for(static_cast<Index>(parts_.size()), [&](Index k) {
    const auto part = static_cast<std::size_t>(k);
    gather_part(columns, cuts[part], cuts[part + 1], parts_[part]);
  });
  const auto for_each = [&](const auto& visit) {
    for (const Part& part : parts_) {
      for (const Entry& entry : std::span(part.entries).first(part.count)) visit(entry);
    }
  };
  start_.assign(rows_.size() + 1, 0);
  for_each([&](const Entry& entry) { ++start_[static_cast<std::size_t>(entry.number) + 1]; });
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  position_.resize(start_.back());
  value_.resize(start_.back());
  std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
  for_each([&](const Entry& entry) {
    const std::size_t to = next[static_cast<std::size_t>(entry.number)]++;
    position_[to] = entry.position;
    value_[to] = entry.value;
  });
  for (const Index i : rows) number_[static_cast<std::size_t>(i)] = kNotAsked;
}

}  // namespace hsvm
