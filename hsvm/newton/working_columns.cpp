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
bool WorkingColumns<X>::is_far(Index j) const {
  // Products lose the square of that: three digits. A share of 1/101 of the samples, at most, is zero.
  constexpr double kFar = 10.0;
  if constexpr (kStandardized && kSparse) {
    return std::abs(design_->scale(j) * design_->center(j)) > kFar;
  } else {
    return false;
  }
}

template <Design X>
double WorkingColumns<X>::at_zero(Index j) const {
  if constexpr (kStandardized && kSparse) {
    return is_far(j) ? 0.0 : -design_->scale(j) * design_->center(j);
  } else {
    return 0.0;
  }
}

template <Design X>
template <class Visit>
void WorkingColumns<X>::for_each_entry(Index j, const Visit& visit) const {
  const auto entries = column(j);
  const auto value = [&](std::size_t e) { return static_cast<double>(entries.values[e]); };
  double scale = 1.0;
  if constexpr (kStandardized) {
    scale = design_->scale(j);
    if (scale == 0.0) return;
    if (is_far(j)) {
      const auto seen = seen_as(j);
      std::size_t e = 0;
      for (Index i = 0; i < design_->rows(); ++i) {
        const bool stored = e < entries.rows.size() && entries.rows[e] == i;
        visit(i, seen(stored ? value(e++) : 0.0));
      }
      return;
    }
  }
  for (std::size_t e = 0; e < entries.rows.size(); ++e) visit(entries.rows[e], scale * value(e));
}

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
    if constexpr (kSparse) size = static_cast<double>(column(j).rows.size());
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
      for_each_entry(j, [&](Index i, double /*value*/) { ++start_[static_cast<std::size_t>(i) + 1]; });
    }
    for (std::size_t i = 0; i < n; ++i) start_[i + 1] += start_[i];
    position_.resize(static_cast<std::size_t>(start_[n]));
    value_.resize(position_.size());
    std::vector<Count> next(start_.begin(), start_.end() - 1);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      for_each_entry(columns_[c], [&](Index i, double value) {
        const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(i)]++);
        position_[place] = ones_ + static_cast<Index>(c);
        value_[place] = value;
      });
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
    if constexpr (kStandardized) {
      if (!rows.empty()) center_gram(rows, weights, sign, first, gram);
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
        const auto entries = column(columns_[c]);
        const auto seen = seen_as(columns_[c]);
        for (std::size_t k = 0; k < part.size(); ++k) {
          to[k * PackedPanel::kGroup] =
              roots[k] * seen(static_cast<double>(entries[static_cast<std::size_t>(part[k])]));
        }
      }
      add_outer_products(panel_, first, sign, gram);
    }
  }
}

// The three terms by which the products of centred columns differ from those of the stored ones. The column of
// ones is not centred: its q is W.
template <Design X>
void WorkingColumns<X>::center_gram(std::span<const Index> rows, std::span<const double> weights, double sign,
                                    Index first, SymmetricMatrix& gram) const {
  std::vector<double> c(static_cast<std::size_t>(size()), 0.0);
  std::vector<double> q(c.size(), 0.0);
  for (std::size_t k = 0; k < columns_.size(); ++k)
    c[k + static_cast<std::size_t>(ones_)] = -at_zero(columns_[k]);
  double total = 0.0;
  for (const Index i : rows) {
    const auto row = static_cast<std::size_t>(i);
    const double weight = sign * weights[row];
    total += weight;
    for (auto e = static_cast<std::size_t>(start_[row]); e < static_cast<std::size_t>(start_[row + 1]); ++e)
      q[static_cast<std::size_t>(position_[e])] += weight * value_[e];
  }
  if (ones_ == 1) q[0] = total;
  for (Index a = first; a < size(); ++a) {
    double* const to = gram.row(a);
    const double c_a = c[static_cast<std::size_t>(a)];
    const double q_a = q[static_cast<std::size_t>(a)];
    for (Index b = 0; b <= a; ++b) {
      const auto k = static_cast<std::size_t>(b);
      to[b] += c_a * (total * c[k] - q[k]) - q_a * c[k];
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
    // Of centred columns u is that less a_e c, a_e = (weight_i)^{1/2}; t = sum u c/ridge and tau = sum
    // c^2/ridge put that right.
    std::vector<double> t(rows.size(), 0.0);
    double tau = 0.0;
    for (std::size_t a = 0; a < features.size(); ++a) {
      const double center = -at_zero(features[a]);
      tau += center * center / ridge[a];
      e.clear();
      u.clear();
      for_each_entry(features[a], [&](Index sample, double value) {
        const auto i = static_cast<std::size_t>(sample);
        if (place[i] < 0) return;
        e.push_back(place[i]);
        u.push_back(std::sqrt(weights[i]) * value);
        t[static_cast<std::size_t>(place[i])] += u.back() * center / ridge[a];
      });
      for (std::size_t c = 0; c < e.size(); ++c) {
        double* const to = k.row(e[c]);
        const double value = u[c] / ridge[a];
        for (std::size_t d = 0; d <= c; ++d) to[e[d]] += value * u[d];
      }
    }
    if constexpr (kStandardized) {
      for (std::size_t c = 0; c < rows.size(); ++c) {
        double* const to = k.row(static_cast<Index>(c));
        const double root = std::sqrt(weights[static_cast<std::size_t>(rows[c])]);
        for (std::size_t d = 0; d <= c; ++d) {
          const double other = std::sqrt(weights[static_cast<std::size_t>(rows[d])]);
          to[d] += root * (tau * other - t[d]) - t[c] * other;
        }
      }
    }
  } else {
    for (std::size_t begin = 0; begin < features.size(); begin += kPanelRows) {
      const std::size_t depth = std::min<std::size_t>(kPanelRows, features.size() - begin);
      panel.reset(static_cast<Index>(depth), static_cast<Index>(rows.size()));
      for (std::size_t d = 0; d < depth; ++d) {
        const auto entries = column(features[begin + d]);
        const auto seen = seen_as(features[begin + d]);
        const double root = 1.0 / std::sqrt(ridge[begin + d]);
        for (std::size_t e = 0; e < rows.size(); ++e) {
          const auto i = static_cast<std::size_t>(rows[e]);
          panel.column(static_cast<Index>(e))[d * PackedPanel::kGroup] =
              root * std::sqrt(weights[i]) * seen(static_cast<double>(entries[i]));
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
  std::ranges::transform(places, features.begin(), [&](Index place) { return feature_at(place); });
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
  design_->column_squared_norms(columns_, weights, out.subspan(static_cast<std::size_t>(ones_)));
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

#define HSVM_INSTANTIATE(X) template class WorkingColumns<X>
HSVM_FOR_EVERY_DESIGN(HSVM_INSTANTIATE);
#undef HSVM_INSTANTIATE

}  // namespace hsvm
