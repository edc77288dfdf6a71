#include "hsvm/newton/working_columns.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace hsvm {
namespace {

constexpr Index kPanelRows = 128;  // rows of X packed at a time: 12 columns of them stay in the L1 cache

}  // namespace

template <Design X>
std::vector<Index> WorkingColumns<X>::change(std::span<const Index> columns) {
  std::vector<Index> wanted(columns.begin(), columns.end());
  std::sort(wanted.begin(), wanted.end());
  std::vector<Index> from;
  if (wanted == sorted_) {
    from.resize(static_cast<std::size_t>(size()));
    std::iota(from.begin(), from.end(), Index{0});
    return from;
  }
  std::vector<Index> next;
  if (ones_ == 1) from.push_back(0);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (!std::binary_search(wanted.begin(), wanted.end(), columns_[c])) continue;
    next.push_back(columns_[c]);
    from.push_back(ones_ + static_cast<Index>(c));
  }
  std::set_difference(wanted.begin(), wanted.end(), sorted_.begin(), sorted_.end(), std::back_inserter(next));
  columns_ = std::move(next);
  sorted_ = std::move(wanted);

  start_.clear();
  n_nonzeros_ = 0.0;
  sum_of_squares_ = 0.0;
  for (const Index j : columns_) {
    double size = static_cast<double>(design_->rows());
    if constexpr (kSparse) size = static_cast<double>(design_->column(j).rows.size());
    n_nonzeros_ += size;
    sum_of_squares_ += size * size;
  }
  return from;
}

template <Design X>
void WorkingColumns<X>::build_rows() {
  if constexpr (kSparse) {
    const auto n = static_cast<std::size_t>(design_->rows());
    start_.assign(n + 1, 0);
    for (const Index j : columns_) {
      for (const Index i : design_->column(j).rows) ++start_[static_cast<std::size_t>(i) + 1];
    }
    for (std::size_t i = 0; i < n; ++i) start_[i + 1] += start_[i];
    position_.resize(static_cast<std::size_t>(start_[n]));
    value_.resize(position_.size());
    std::vector<Count> next(start_.begin(), start_.end() - 1);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const auto column = design_->column(columns_[c]);
      for (std::size_t k = 0; k < column.rows.size(); ++k) {
        const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(column.rows[k])]++);
        position_[place] = ones_ + static_cast<Index>(c);
        value_[place] = static_cast<double>(column.values[k]);
      }
    }
  }
}

template <Design X>
void WorkingColumns<X>::add_gram(std::span<const Index> rows, std::span<const double> weights, double sign,
                                 Index first, SymmetricMatrix& gram) {
  assert(gram.size() == size() && first % SymmetricMatrix::kTile == 0);
  if constexpr (kSparse) {
    if (start_.empty()) build_rows();
    for (const Index i : rows) {
      const auto row = static_cast<std::size_t>(i);
      const auto begin = static_cast<std::size_t>(start_[row]);
      const auto end = static_cast<std::size_t>(start_[row + 1]);
      const double weight = sign * weights[row];
      if (ones_ == 1 && first == 0) gram.row(0)[0] += weight;
      for (std::size_t a = begin; a < end; ++a) {
        if (position_[a] < first) continue;
        double* const to = gram.row(position_[a]);
        const double x = weight * value_[a];
        if (ones_ == 1) to[0] += x;
        for (std::size_t b = begin; b <= a; ++b) to[position_[b]] += x * value_[b];
      }
    }
  } else {
    std::vector<double> roots(static_cast<std::size_t>(kPanelRows));
    for (std::size_t begin = 0; begin < rows.size(); begin += kPanelRows) {
      const auto part = rows.subspan(begin, std::min<std::size_t>(kPanelRows, rows.size() - begin));
      const auto depth = static_cast<Index>(part.size());
      panel_.reset(depth, size());
      for (std::size_t k = 0; k < part.size(); ++k)
        roots[k] = std::sqrt(weights[static_cast<std::size_t>(part[k])]);
      if (ones_ == 1) {
        double* const to = panel_.column(0);
        for (std::size_t k = 0; k < part.size(); ++k) to[k * PackedPanel::kGroup] = roots[k];
      }
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        double* const to = panel_.column(ones_ + static_cast<Index>(c));
        const auto column = design_->column(columns_[c]);
        for (std::size_t k = 0; k < part.size(); ++k) {
          to[k * PackedPanel::kGroup] =
              roots[k] * static_cast<double>(column[static_cast<std::size_t>(part[k])]);
        }
      }
      add_outer_products(panel_, first, sign, gram);
    }
  }
}

template <Design X>
void WorkingColumns<X>::add_row_gram(std::span<const Index> features, std::span<const double> ridge,
                                     std::span<const Index> rows, std::span<const Index> place,
                                     std::span<const double> weights, PackedPanel& panel,
                                     SymmetricMatrix& k) const {
  if constexpr (kSparse) {
    std::vector<Index> e;
    std::vector<double> u;
    for (std::size_t a = 0; a < features.size(); ++a) {
      const auto column = design_->column(features[a]);
      e.clear();
      u.clear();
      for (std::size_t c = 0; c < column.rows.size(); ++c) {
        const auto i = static_cast<std::size_t>(column.rows[c]);
        if (place[i] < 0) continue;
        e.push_back(place[i]);
        u.push_back(std::sqrt(weights[i]) * static_cast<double>(column.values[c]));
      }
      for (std::size_t c = 0; c < e.size(); ++c) {
        double* const to = k.row(e[c]);
        const double value = u[c] / ridge[a];
        for (std::size_t d = 0; d <= c; ++d) to[e[d]] += value * u[d];
      }
    }
  } else {
    for (std::size_t begin = 0; begin < features.size(); begin += kPanelRows) {
      const std::size_t depth = std::min<std::size_t>(kPanelRows, features.size() - begin);
      panel.reset(static_cast<Index>(depth), static_cast<Index>(rows.size()));
      for (std::size_t d = 0; d < depth; ++d) {
        const auto column = design_->column(features[begin + d]);
        const double root = 1.0 / std::sqrt(ridge[begin + d]);
        for (std::size_t e = 0; e < rows.size(); ++e) {
          const auto i = static_cast<std::size_t>(rows[e]);
          panel.column(static_cast<Index>(e))[d * PackedPanel::kGroup] =
              root * std::sqrt(weights[i]) * static_cast<double>(column[i]);
        }
      }
      add_outer_products(panel, 0, 1.0, k);
    }
  }
}

template <Design X>
void WorkingColumns<X>::multiply(std::span<const double> v, std::span<double> out) const {
  design_->multiply(columns_, v.subspan(static_cast<std::size_t>(ones_)), out);
  if (ones_ == 1 && v[0] != 0.0) {
    for (double& value : out) value += v[0];
  }
}

template <Design X>
std::vector<Index> WorkingColumns<X>::features_at(std::span<const Index> places) const {
  std::vector<Index> features(places.size());
  std::ranges::transform(places, features.begin(),
                         [&](Index place) { return columns_[static_cast<std::size_t>(place - ones_)]; });
  return features;
}

template <Design X>
void WorkingColumns<X>::multiply(std::span<const Index> places, const ClassMatrix& d, ClassMatrix& out) const {
  const bool with_ones = ones_ == 1 && !places.empty() && places[0] == 0;
  const std::span<const Index> others = places.subspan(with_ones ? 1 : 0);
  ClassMatrix part(static_cast<Index>(others.size()), d.n_classes());
  for (std::size_t a = 0; a < others.size(); ++a) {
    std::ranges::copy(d.row(others[a]), part.row(static_cast<Index>(a)).begin());
  }
  design_->multiply(features_at(others), part, out);
  if (!with_ones) return;
  for (Index i = 0; i < out.rows(); ++i) {
    for (std::size_t k = 0; k < d.row(0).size(); ++k) out.row(i)[k] += d.row(0)[k];
  }
}

template <Design X>
void WorkingColumns<X>::multiply_transposed(std::span<const double> r, double ones_sum,
                                            std::span<double> out) const {
  if (ones_ == 1) out[0] = ones_sum;
  design_->multiply_transposed(columns_, r, out.subspan(static_cast<std::size_t>(ones_)));
}

template <Design X>
void WorkingColumns<X>::squared_norms(std::span<const double> weights, std::span<double> out) const {
  if (ones_ == 1) out[0] = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    out[c + static_cast<std::size_t>(ones_)] = design_->column_squared_norm(columns_[c], weights);
  }
}

template <Design X>
double WorkingColumns<X>::gram_work(double n_rows) const {
  const double n = std::max(1.0, static_cast<double>(design_->rows()));
  const double in_row = kSparse ? n_nonzeros_ / n : static_cast<double>(size());
  return 0.5 * n_rows * in_row * in_row;
}

template <Design X>
double WorkingColumns<X>::row_gram_work(double n_rows) const {
  const double share = n_rows / std::max(1.0, static_cast<double>(design_->rows()));
  return 0.5 * share * share * sum_of_squares_;
}

template class WorkingColumns<DenseMatrix<double>>;
template class WorkingColumns<DenseMatrix<float>>;
template class WorkingColumns<CscMatrix<double>>;
template class WorkingColumns<CscMatrix<float>>;

}  // namespace hsvm
