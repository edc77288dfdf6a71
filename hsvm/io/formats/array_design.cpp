#include "hsvm/io/formats/array_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/data/visit_matrix.hpp"
#include "hsvm/io/streams/text.hpp"

namespace hsvm {
namespace {

// The places 0 .. n - 1 in the order of their keys, which are below `end`; equal keys stay in order.
std::vector<std::size_t> counting_order(const std::vector<Index>& keys, Index end,
                                        std::span<const std::size_t> before) {
  std::vector<std::size_t> begins(static_cast<std::size_t>(end) + 1, 0);
  for (const Index key : keys) ++begins[static_cast<std::size_t>(key) + 1];
  for (std::size_t k = 1; k < begins.size(); ++k) begins[k] += begins[k - 1];
  std::vector<std::size_t> order(keys.size());
  for (std::size_t t = 0; t < keys.size(); ++t) {
    const std::size_t place = before.empty() ? t : before[t];
    order[begins[static_cast<std::size_t>(keys[place])]++] = place;
  }
  return order;
}

// By the bits of the exponent, which are all set in what is not finite: no sum, so that several are looked at at a time.
template <class T>
bool all_finite(std::span<const T> values) {
  using Bits = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;
  constexpr Bits kExponent = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
  Bits bad = 0;
  for (const T value : values) bad |= static_cast<Bits>((std::bit_cast<Bits>(value) & kExponent) == kExponent);
  return bad == 0;
}

template <class T>
std::span<const T> values_of(const DenseMatrix<T>& x, Index j) {
  return x.column(j);
}
template <class T>
std::span<const T> values_of(const CscMatrix<T>& x, Index j) {
  return x.column(j).values;
}

template <class T>
DenseMatrix<T> to_dense(const CscMatrix<T>& x) {
  DenseMatrix<T> result(x.rows(), x.cols());
  for (Index j = 0; j < x.cols(); ++j) {
    const auto column = x.column(j);
    for (std::size_t k = 0; k < column.rows.size(); ++k) result(column.rows[k], j) = column.values[k];
  }
  return result;
}
template <class T>
CscMatrix<T> to_sparse(const DenseMatrix<T>& x) {
  AlignedBuffer<Count> starts(1, 0);
  AlignedBuffer<Index> rows;
  AlignedBuffer<T> values;
  for (Index j = 0; j < x.cols(); ++j) {
    const std::span<const T> column = x.column(j);
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (column[i] == T{0}) continue;
      rows.push_back(static_cast<Index>(i));
      values.push_back(column[i]);
    }
    starts.push_back(std::ssize(rows));
  }
  return CscMatrix<T>(x.rows(), std::move(starts), std::move(rows), std::move(values));
}

struct Convert {
  template <class T>
  SharedDesign operator()(const DenseMatrix<T>& x) const {
    return to_sparse(x);
  }
  template <class T>
  SharedDesign operator()(const CscMatrix<T>& x) const {
    return to_dense(x);
  }
};

constexpr Index kAbsent = -1;

struct PickColumns {
  std::span<const Index> columns;  // kAbsent: a column of zeros

  template <class T>
  SharedDesign operator()(const DenseMatrix<T>& x) const {
    auto values = std::make_shared<AlignedBuffer<T>>();
    for (const Index j : columns) {
      if (j == kAbsent) {
        values->insert(values->end(), static_cast<std::size_t>(x.rows()), T{0});
      } else {
        values->insert(values->end(), x.column(j).begin(), x.column(j).end());
      }
    }
    return DenseMatrix<T>(x.rows(), static_cast<Index>(columns.size()), std::span<const T>(*values), values);
  }
  template <class T>
  SharedDesign operator()(const CscMatrix<T>& x) const {
    AlignedBuffer<Count> starts(1, 0);
    AlignedBuffer<Index> rows;
    AlignedBuffer<T> values;
    for (const Index j : columns) {
      if (j != kAbsent) {
        const auto column = x.column(j);
        rows.insert(rows.end(), column.rows.begin(), column.rows.end());
        values.insert(values.end(), column.values.begin(), column.values.end());
      }
      starts.push_back(std::ssize(rows));
    }
    return CscMatrix<T>(x.rows(), std::move(starts), std::move(rows), std::move(values));
  }
};

// The model's features by their names; those that it does not use may be absent.
void pick_for_model(const ModelColumns& model, Dataset& dataset) {
  if (model.feature_names == dataset.feature_names) return;
  std::unordered_map<std::string, Index> column_of;
  for (std::size_t j = 0; j < dataset.feature_names.size(); ++j) {
    if (!column_of.emplace(dataset.feature_names[j], static_cast<Index>(j)).second)
      throw InputError(dataset.source + ": two features are named " + in_quotes(dataset.feature_names[j]) +
                       "; expected one");
  }
  std::vector<Index> columns;
  for (std::size_t j = 0; j < model.feature_names.size(); ++j) {
    const auto found = column_of.find(model.feature_names[j]);
    const bool is_used = model.used.empty() || model.used[j] != 0;
    if (found == column_of.end() && is_used)
      throw InputError(dataset.source + ": no feature is named " + in_quotes(model.feature_names[j]));
    columns.push_back(found == column_of.end() ? kAbsent : found->second);
  }
  dataset.design = visit_matrix(dataset.design, PickColumns{columns});
  dataset.feature_names = model.feature_names;
}

}  // namespace

template <class T>
CscMatrix<T> make_csc(const SparseEntries<T>& entries) {
  std::vector<std::size_t> order;
  if (!std::ranges::is_sorted(entries.row)) order = counting_order(entries.row, entries.rows, {});
  order = counting_order(entries.column, entries.cols, order);
  AlignedBuffer<Count> starts(static_cast<std::size_t>(entries.cols) + 1, 0);
  AlignedBuffer<Index> rows;
  AlignedBuffer<T> values;
  rows.reserve(order.size());
  values.reserve(order.size());
  std::size_t previous = order.size();  // the place of the entry before, none at first
  for (const std::size_t place : order) {
    const bool again = previous < order.size() && entries.column[place] == entries.column[previous] &&
                       entries.row[place] == entries.row[previous];
    previous = place;
    if (again) {
      values.back() += entries.value[place];
      continue;
    }
    rows.push_back(entries.row[place]);
    values.push_back(entries.value[place]);
    ++starts[static_cast<std::size_t>(entries.column[place]) + 1];
  }
  for (std::size_t j = 1; j < starts.size(); ++j) starts[j] += starts[j - 1];
  return CscMatrix<T>(entries.rows, std::move(starts), std::move(rows), std::move(values));
}

template CscMatrix<double> make_csc(const SparseEntries<double>& entries);
template CscMatrix<float> make_csc(const SparseEntries<float>& entries);

std::vector<Index> expand_starts(std::span<const std::int64_t> starts, std::size_t n_entries,
                                 const std::string& where) {
  const bool rising = !starts.empty() && starts.front() == 0 &&
                      std::ranges::adjacent_find(starts, std::ranges::greater{}) == starts.end();
  if (!rising || std::cmp_not_equal(starts.back(), n_entries))
    throw InputError(where + ": 'indptr' must rise from 0 to the number of entries");
  std::vector<Index> numbers;
  numbers.reserve(n_entries);
  for (std::size_t k = 0; k + 1 < starts.size(); ++k)
    numbers.insert(numbers.end(), static_cast<std::size_t>(starts[k + 1] - starts[k]), static_cast<Index>(k));
  return numbers;
}

SharedDesign as_storage(SharedDesign design, Storage storage) {
  if (storage == Storage::automatic || design->is_sparse() == (storage == Storage::sparse)) return design;
  return visit_matrix(design, Convert{});
}

void require_finite(const Design& design, const std::string& where) {
  std::atomic<Index> first = std::numeric_limits<Index>::max();
  visit_matrix(design, [&](const auto& x) {
    constexpr Index kBlock = 16;
    parallel_blocks(x.cols(), kBlock, [&](Index begin, Index end) {
      for (Index j = begin; j < end; ++j) {
        if (all_finite(values_of(x, j))) continue;
        Index known = first;
        while (j < known && !first.compare_exchange_weak(known, j)) {
        }
        return;
      }
    });
  });
  if (first == std::numeric_limits<Index>::max()) return;
  ColumnBuffer buffer;
  const ColumnView column = design.column(first, buffer);
  const auto bad = std::ranges::find_if(column.values, [](double value) { return !std::isfinite(value); });
  auto i = static_cast<Index>(bad - column.values.begin());
  if (column.sparse) i = column.rows[static_cast<std::size_t>(i)];
  throw InputError(
      fmt::format("{}: sample {}, feature {} is {}; expected a finite number", where, i + 1, first + 1, *bad));
}

Index checked_index(std::uint64_t number, const char* what, const std::string& where) {
  if (number > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
    throw InputError(
        fmt::format("{}: {} {}; expected at most {}", where, number, what, std::numeric_limits<Index>::max()));
  return static_cast<Index>(number);
}

void match_features(const ReadOptions& options, Dataset& dataset) {
  if (options.model && !options.model->feature_names.empty() && !dataset.feature_names.empty()) {
    pick_for_model(*options.model, dataset);
    return;
  }
  const std::optional<Index> expected = options.model ? options.model->n_features : options.n_features;
  if (expected && *expected != dataset.n_features())
    throw InputError(
        fmt::format("{}: {} features; expected {}", dataset.source, dataset.n_features(), *expected));
}

}  // namespace hsvm
