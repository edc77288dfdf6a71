#include "experiments/binary/set_source.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/data/take_rows.hpp"

namespace hsvm::lab {
namespace {

bool has(const std::vector<std::string>& names, const Labels& labels, Index k) {
  return std::ranges::find(names, labels.classes.names[static_cast<std::size_t>(k)]) != names.end();
}

void group_classes(const std::vector<std::string>& positive, Labels& labels) {
  if (positive.empty()) return;
  for (Index& k : labels.of_sample) k = has(positive, labels, k) ? 1 : 0;
  labels.classes = {true, {"-1", "1"}};
}

Dataset drawn(Dataset data, Index count, std::uint64_t seed) {
  if (count == 0 || count >= data.n_samples()) return data;
  return take_rows(data, random_rows(data.n_samples(), count, seed));
}

}  // namespace

bool is_there(const SetSource& source, const Lab& lab) {
  return lab.has_data(source.training) && (source.test.empty() || lab.has_data(source.test));
}

Split draw_parts(Dataset data, const SetSource& source, int trial, const Lab& lab) {
  if (!source.classes.empty())
    data = only_classes(data, [&](Index k) { return has(source.classes, *data.labels, k); });
  group_classes(source.positive, *data.labels);
  scale_features(data, source.scaling);
  const Index n_train = source.n_train > 0 ? source.n_train : data.n_samples() - source.n_test;
  return random_split(data, n_train, source.n_test, lab.seed(trial));
}

Split read_source(const SetSource& source, int trial, const Lab& lab) {
  Dataset data = lab.data(source.training);
  if (source.test.empty()) return draw_parts(std::move(data), source, trial, lab);
  Dataset test = with_classes_of(lab.data(source.test, data.n_features()), *data.labels);
  return {drawn(std::move(data), source.n_train, lab.seed(trial)),
          drawn(std::move(test), source.n_test, lab.seed(trial, 1))};
}

void scale_features(Dataset& data, Scaling scaling) {
  if (scaling == Scaling::none) return;
  const auto n = static_cast<std::size_t>(data.n_samples());
  if (auto* dense = data.design.get_if<DenseMatrix<double>>()) {
    if (scaling != Scaling::by_largest) throw InputError("rows of dense data are not scaled");
    for (Index j = 0; j < dense->cols(); ++j) {
      double largest = 0.0;
      for (const double value : dense->column(j)) largest = std::max(largest, std::abs(value));
      for (Index i = 0; i < dense->rows() && largest > 0.0; ++i) (*dense)(i, j) /= largest;
    }
    return;
  }
  const auto& x = (*data.design.get_if<CscMatrix<double>>());
  std::vector<double> squares(n, 0.0);
  std::vector<double> largest(static_cast<std::size_t>(x.cols()), 0.0);
  AlignedBuffer<Count> start(static_cast<std::size_t>(x.cols()) + 1, 0);
  for (Index j = 0; j < x.cols(); ++j) {
    const auto column = x.column(j);
    for (std::size_t k = 0; k < column.rows.size(); ++k) {
      squares[static_cast<std::size_t>(column.rows[k])] += column.values[k] * column.values[k];
      double& most = largest[static_cast<std::size_t>(j)];
      most = std::max(most, std::abs(column.values[k]));
    }
    start[static_cast<std::size_t>(j) + 1] = start[static_cast<std::size_t>(j)] + std::ssize(column.rows);
  }
  AlignedBuffer<Index> rows;
  AlignedBuffer<double> values;
  for (Index j = 0; j < x.cols(); ++j) {
    const auto column = x.column(j);
    for (std::size_t k = 0; k < column.rows.size(); ++k) {
      const double unit = scaling == Scaling::unit_rows
                              ? std::sqrt(squares[static_cast<std::size_t>(column.rows[k])])
                              : largest[static_cast<std::size_t>(j)];
      rows.push_back(column.rows[k]);
      values.push_back(unit > 0.0 ? column.values[k] / unit : 0.0);
    }
  }
  data.design = CscMatrix<double>(static_cast<Index>(n), std::move(start), std::move(rows), std::move(values));
}

}  // namespace hsvm::lab
