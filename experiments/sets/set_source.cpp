#include "experiments/sets/set_source.hpp"

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

// So many random samples; all of them, in their order, where no number is given or there are no more.
Dataset drawn(const Dataset& data, Index count, std::uint64_t seed) {
  if (count == 0 || count >= data.n_samples()) return data;
  return take_rows(data, random_rows(data.n_samples(), count, seed));
}

DenseMatrix<double> scaled(DenseMatrix<double> x) {
  for (Index j = 0; j < x.cols(); ++j) {
    double largest = 0.0;
    for (const double value : x.column(j)) largest = std::max(largest, std::abs(value));
    for (Index i = 0; i < x.rows() && largest > 0.0; ++i) x(i, j) /= largest;
  }
  return x;
}

CscMatrix<double> scaled(const CscMatrix<double>& x, Scaling scaling) {
  std::vector<double> squares(static_cast<std::size_t>(x.rows()), 0.0);
  for (Index j = 0; j < x.cols(); ++j) {
    const auto column = x.column(j);
    for (std::size_t k = 0; k < column.rows.size(); ++k)
      squares[static_cast<std::size_t>(column.rows[k])] += column.values[k] * column.values[k];
  }
  AlignedBuffer<Count> start(static_cast<std::size_t>(x.cols()) + 1, 0);
  AlignedBuffer<Index> rows;
  AlignedBuffer<double> values;
  for (Index j = 0; j < x.cols(); ++j) {
    const auto column = x.column(j);
    double largest = 0.0;
    for (const double value : column.values) largest = std::max(largest, std::abs(value));
    for (std::size_t k = 0; k < column.rows.size(); ++k) {
      const double unit = scaling == Scaling::unit_rows
                              ? std::sqrt(squares[static_cast<std::size_t>(column.rows[k])])
                              : largest;
      rows.push_back(column.rows[k]);
      values.push_back(unit > 0.0 ? column.values[k] / unit : 0.0);
    }
    start[static_cast<std::size_t>(j) + 1] = std::ssize(rows);
  }
  return {x.rows(), std::move(start), std::move(rows), std::move(values)};
}

}  // namespace

bool is_there(const SetSource& source, const Lab& lab) {
  return source.make || (lab.has_data(source.training) && (source.test.empty() || lab.has_data(source.test)));
}

void SetReader::load() {
  training_ = source_.make ? source_.make() : lab_.data(source_.training);
  if (!source_.test.empty()) {
    test_ = with_classes_of(lab_.data(source_.test, training_->n_features()), *training_->labels);
    return;
  }
  if (!source_.classes.empty())
    training_ = only_classes(*training_, [&](Index k) { return has(source_.classes, *training_->labels, k); });
  group_classes(source_.positive, *training_->labels);
  scale_features(*training_, source_.scaling);
}

Split SetReader::draw(int trial) {
  if (!training_) load();
  const Dataset& all = *training_;
  const std::uint64_t seed = lab_.seed(trial);
  const std::uint64_t test_seed = lab_.seed(trial, 1);
  if (source_.per_class > 0) {
    const std::vector<Index> rows = random_rows_of_each_class(*all.labels, source_.per_class, seed);
    const Dataset rest = test_ ? *test_ : take_rows(all, other_rows(all.n_samples(), rows));
    return {take_rows(all, rows), drawn(rest, source_.n_test, test_seed)};
  }
  if (test_) return {drawn(all, source_.n_train, seed), drawn(*test_, source_.n_test, test_seed)};
  const Index n_train = source_.n_train > 0 ? source_.n_train : all.n_samples() - source_.n_test;
  return random_split(all, n_train, source_.n_test, seed);
}

void scale_features(Dataset& data, Scaling scaling) {
  if (scaling == Scaling::none) return;
  if (const auto* dense = data.design.get_if<DenseMatrix<double>>()) {
    if (scaling != Scaling::by_largest) throw InputError("rows of dense data are not scaled");
    data.design = scaled(*dense);
  } else {
    data.design = scaled(*data.design.get_if<CscMatrix<double>>(), scaling);
  }
}

}  // namespace hsvm::lab
