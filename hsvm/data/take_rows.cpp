#include "hsvm/data/take_rows.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"

namespace hsvm {
namespace {

template <class T>
DenseMatrix<T> take(const DenseMatrix<T>& x, std::span<const Index> rows) {
  DenseMatrix<T> result(static_cast<Index>(rows.size()), x.cols());
  parallel_for(x.cols(), [&](Index j) {
    const std::span<const T> column = x.column(j);
    for (std::size_t k = 0; k < rows.size(); ++k)
      result(static_cast<Index>(k), j) = column[static_cast<std::size_t>(rows[k])];
  });
  return result;
}

// Where each old row goes: to places[begin[i]] .. places[begin[i+1] - 1], ascending.
struct NewPlaces {
  std::vector<std::size_t> begin;
  std::vector<Index> places;

  NewPlaces(Index n_rows, std::span<const Index> rows)
      : begin(static_cast<std::size_t>(n_rows) + 1, 0), places(rows.size()) {
    for (const Index i : rows) ++begin[static_cast<std::size_t>(i) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t k = 0; k < rows.size(); ++k)
      places[next[static_cast<std::size_t>(rows[k])]++] = static_cast<Index>(k);
  }
  [[nodiscard]] std::span<const Index> of(Index i) const {
    const auto row = static_cast<std::size_t>(i);
    return std::span<const Index>(places).subspan(begin[row], begin[row + 1] - begin[row]);
  }
};

template <class T>
CscMatrix<T> take(const CscMatrix<T>& x, std::span<const Index> rows) {
  const NewPlaces new_places(x.rows(), rows);
  const bool sorted = std::is_sorted(rows.begin(), rows.end());
  AlignedBuffer<Count> start(1, 0);
  AlignedBuffer<Index> new_rows;
  AlignedBuffer<T> values;
  std::vector<std::pair<Index, T>> entries;  // of one column
  for (Index j = 0; j < x.cols(); ++j) {
    const auto column = x.column(j);
    entries.clear();
    for (std::size_t k = 0; k < column.rows.size(); ++k) {
      for (const Index place : new_places.of(column.rows[k])) entries.emplace_back(place, column.values[k]);
    }
    if (!sorted) std::sort(entries.begin(), entries.end());
    for (const auto& [row, value] : entries) {
      new_rows.push_back(row);
      values.push_back(value);
    }
    start.push_back(static_cast<Count>(new_rows.size()));
  }
  return CscMatrix<T>(static_cast<Index>(rows.size()), std::move(start), std::move(new_rows),
                      std::move(values));
}

}  // namespace

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
  result.design = std::visit([&](const auto& x) -> AnyDesign { return take(x, rows); }, data.design);
  if (data.labels) {
    result.labels.emplace().classes = data.labels->classes;
    for (const Index i : rows)
      result.labels->of_sample.push_back(data.labels->of_sample[static_cast<std::size_t>(i)]);
  }
  return result;
}

}  // namespace hsvm
