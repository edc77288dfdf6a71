#include "hsvm/data/drop_missing.hpp"

#include <string>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/data/take_rows.hpp"
#include "hsvm/data/visit_matrix.hpp"

namespace hsvm {
namespace {

template <class T>
SharedDesign copy_columns(const DenseMatrix<T>& x, std::span<const Index> columns) {
  DenseMatrix<T> result(x.rows(), static_cast<Index>(columns.size()));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::span<const T> from = x.column(columns[c]);
    for (Index i = 0; i < x.rows(); ++i) result(i, static_cast<Index>(c)) = from[static_cast<std::size_t>(i)];
  }
  return result;
}

template <class T>
SharedDesign copy_columns(const CscMatrix<T>& x, std::span<const Index> columns) {
  AlignedBuffer<Count> starts(1, 0);
  AlignedBuffer<Index> rows;
  AlignedBuffer<T> values;
  for (const Index j : columns) {
    const auto column = x.column(j);
    rows.insert(rows.end(), column.rows.begin(), column.rows.end());
    values.insert(values.end(), column.values.begin(), column.values.end());
    starts.push_back(std::ssize(rows));
  }
  return CscMatrix<T>(x.rows(), std::move(starts), std::move(rows), std::move(values));
}

}  // namespace

Dataset drop_missing_samples(const Dataset& data) {
  const std::vector<char> complete = data.missing.complete_rows(data.n_samples());
  std::vector<Index> kept;
  std::vector<Index> dropped;
  for (Index i = 0; i < data.n_samples(); ++i)
    (complete[static_cast<std::size_t>(i)] != 0 ? kept : dropped).push_back(i);
  if (kept.empty())
    throw InputError(data.source +
                     ": every sample has a missing value; expected some without, or features to be left out");
  Dataset result = take_rows(data, kept);
  if (result.labels) {  // a class may have lost all of its samples
    std::vector<std::string> labels;
    for (const Index k : result.labels->of_sample)
      labels.push_back(result.labels->classes.names[static_cast<std::size_t>(k)]);
    result.labels = make_labels(labels);
  }
  if (!dropped.empty())
    result.table.notes.push_back(std::to_string(dropped.size()) + " samples left out for them");
  result.table.dropped_rows = std::move(dropped);
  return result;
}

Dataset drop_missing_features(const Dataset& data) {
  std::vector<Index> kept;
  for (Index j = 0; j < data.n_features(); ++j) {
    if (data.missing.rows_of(j).empty()) kept.push_back(j);
  }
  if (kept.empty())
    throw InputError(data.source +
                     ": every feature has a missing value; expected some without, or samples to be left out");
  Dataset result = data;
  result.missing = {};
  result.design = visit_matrix(data.design, [&](const auto& x) { return copy_columns(x, kept); });
  result.feature_names.clear();
  std::vector<Index> place(static_cast<std::size_t>(data.n_features()), -1);
  for (std::size_t c = 0; c < kept.size(); ++c) {
    place[static_cast<std::size_t>(kept[c])] = static_cast<Index>(c);
    if (!data.feature_names.empty())
      result.feature_names.push_back(data.feature_names[static_cast<std::size_t>(kept[c])]);
  }
  result.table.words.clear();
  for (WordColumn column : data.table.words) {
    column.first_feature = place[static_cast<std::size_t>(column.first_feature)];
    if (column.first_feature >= 0) result.table.words.push_back(std::move(column));
  }
  const Index n_dropped = data.n_features() - result.n_features();
  if (n_dropped > 0) result.table.notes.push_back(std::to_string(n_dropped) + " features left out for them");
  return result;
}

}  // namespace hsvm
