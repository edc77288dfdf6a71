#include "hsvm/newton/coupled_column_hessian.hpp"

#include <algorithm>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"
#include "hsvm/loss/class_sums.hpp"

namespace hsvm {
namespace {

// visit(sample, value) for the entries of a column.
template <class Visit>
[[gnu::always_inline]] inline void for_each_value(const ColumnView& column, const Visit& visit) {
  if (column.sparse) {
    for (std::size_t e = 0; e < column.rows.size(); ++e) visit(column.rows[e], column.values[e]);
  } else {
    for (std::size_t i = 0; i < column.values.size(); ++i) visit(static_cast<Index>(i), column.values[i]);
  }
}

// z_i += x_i C_i d for the entries x_i of a column; d: padded.
HSVM_CLONES void add_curved_column(const ColumnView& column, std::span<const Index> y, const ClassMatrix& c,
                                   const double* d, ClassMatrix& z) {
  const Index stride = z.stride();
  for_each_value(column, [&](Index i, double x) {
    const Index own = y[static_cast<std::size_t>(i)];
    const double* const weights = c.data(i);
    double* const to = z.data(i);
    const double shift = d[own];
    Lanes total = {};
    for (Index k = 0; k < stride; k += kLanes) {
      const Lanes pull = (x * load(weights + k)) * (load(d + k) - shift);
      store(to + k, load(to + k) + pull);
      total += pull;
    }
    to[own] -= sum(total);
  });
}

// out_k = sum_i (scale x_i + of_zero)^2 (C_i)_kk, over all samples; totals: the same of ones.
HSVM_CLONES void square_column(const ColumnView& column, double scale, double of_zero, std::span<const Index> y,
                               const ClassMatrix& c, const double* totals, double* out) {
  const Index stride = c.stride();
  for (Index k = 0; k < stride; k += kLanes) store(out + k, (of_zero * of_zero) * load(totals + k));
  for_each_value(column, [&](Index i, double x) {
    const double square = scale * x * (scale * x + 2.0 * of_zero);
    const double* const weights = c.data(i);
    Lanes total = {};
    for (Index k = 0; k < stride; k += kLanes) {
      const Lanes part = square * load(weights + k);
      store(out + k, load(out + k) + part);
      total += part;
    }
    out[y[static_cast<std::size_t>(i)]] += sum(total);
  });
}

// out_k = sum_i x_i z_ik; padded. Four sums at a time, so that one need not wait for the other.
HSVM_CLONES void dot_column(const double* x, const ClassMatrix& z, double* out) {
  const Index n = z.rows();
  const Index stride = z.stride();
  for (Index k = 0; k < stride; k += kLanes) {
    const double* from = z.values().data() + k;
    Lanes sums[4] = {};
    Index i = 0;
    for (; i + 4 <= n; i += 4, from += 4 * Count{stride}) {
      sums[0] += x[i] * load(from);
      sums[1] += x[i + 1] * load(from + stride);
      sums[2] += x[i + 2] * load(from + 2 * Count{stride});
      sums[3] += x[i + 3] * load(from + 3 * Count{stride});
    }
    for (; i < n; ++i, from += stride) sums[0] += x[i] * load(from);
    store(out + k, (sums[0] + sums[1]) + (sums[2] + sums[3]));
  }
}

// table_yk += x_i C_ik, y being the class of sample i.
HSVM_CLONES void add_to_pairs(const ColumnView& column, std::span<const Index> y, const ClassMatrix& c,
                              ClassMatrix& table) {
  for_each_value(column, [&](Index i, double x) {
    double* const to = table.data(y[static_cast<std::size_t>(i)]);
    for (Index k = 0; k < c.stride(); k += kLanes) store(to + k, load(to + k) + x * load(c.data(i) + k));
  });
}

}  // namespace

void CoupledColumnHessian::begin(const WorkingColumns& columns, std::span<const Index> y,
                                 const ClassMatrix& curvatures, std::span<const double> ridge,
                                 const ClassMatrix& g) {
  columns_ = &columns;
  y_ = y;
  curvatures_ = &curvatures;
  ridge_ = ridge;
  gradient_ = &g;
}

void CoupledColumnHessian::prepare_sweeps() {
  const ClassMatrix& curvatures = *curvatures_;
  g_ = *gradient_;
  const auto n_classes = static_cast<std::size_t>(g_.n_classes());
  z_.reset(curvatures.rows(), curvatures.n_classes());
  scratch_.assign(static_cast<std::size_t>(curvatures.stride()), 0.0);
  room_.assign(n_classes, 0.0);
  z_sums_.assign(n_classes, 0.0);
  shift_.assign(n_classes, 0.0);
  totals_.reset(g_.n_classes(), g_.n_classes());
  ones_.assign(y_.size(), 1.0);
  if (columns_->is_sparse()) add_to_pairs(ones(), y_, curvatures, totals_);
  has_diagonal_.assign(static_cast<std::size_t>(columns_->size()), 0);
  diagonal_.reset(columns_->size(), g_.n_classes());
  totals_by_class_.assign(scratch_.size(), 0.0);
  square_column(ones(), 1.0, 0.0, y_, curvatures, scratch_.data(), totals_by_class_.data());
  pack_columns();
  set_borders();
}

// Columns that were there are copied from where they were.
void CoupledColumnHessian::pack_columns() {
  if (columns_->is_sparse()) return;
  const std::span<const Index> features = columns_->columns();
  if (std::ranges::equal(features, packed_features_)) return;
  const std::size_t n = y_.size();
  const std::size_t kept =
      static_cast<std::size_t>(std::ranges::mismatch(features, packed_features_).in1 - features.begin());
  packed_.resize(n * features.size());
  ColumnBuffer buffer;
  for (std::size_t c = kept; c < features.size(); ++c) {
    const ColumnView view = columns_->design().column(features[c], buffer);
    const std::span<double> to = std::span(packed_).subspan(c * n, n);
    std::ranges::fill(to, 0.0);
    for_each_value(view, [&](Index i, double value) { to[static_cast<std::size_t>(i)] = value; });
  }
  packed_features_.assign(features.begin(), features.end());
}

ColumnView CoupledColumnHessian::packed(Index j) const {
  if (j < columns_->first_feature()) return ones();
  const std::size_t n = y_.size();
  const auto c = static_cast<std::size_t>(j - columns_->first_feature());
  return {.sparse = false, .rows = {}, .values = std::span(packed_).subspan(c * n, n)};
}

void CoupledColumnHessian::set_borders() {
  borders_.clear();
  if (!columns_->is_sparse()) return;
  ColumnBuffer buffer;
  borders_.resize(columns_->columns().size());
  for (std::size_t c = 0; c < borders_.size(); ++c) {
    const Index feature = columns_->columns()[c];
    const WorkingColumns::Entries x = columns_->entries(feature);
    borders_[c].reset(g_.n_classes(), g_.n_classes());
    add_to_pairs(x.design.column(feature, buffer), y_, *curvatures_, borders_[c]);
  }
}

void CoupledColumnHessian::gradient(Index j, std::span<double> q) const {
  const auto g = g_.row(j);
  const bool is_intercept = j < columns_->first_feature();
  if (!columns_->is_sparse()) {
    dot_column(packed(j).values.data(), z_, scratch_.data());
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = g[k] + scratch_[k];
    return;
  }
  pair_product(totals_, shift_, room_);
  if (is_intercept) {
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = g[k] + z_sums_[k] + room_[k];
    return;
  }
  const Index feature = columns_->feature_at(j);
  const WorkingColumns::Entries x = columns_->entries(feature);
  x.design.column_dot(feature, z_, scratch_);
  for (std::size_t k = 0; k < q.size(); ++k)
    q[k] = g[k] + x.scale * scratch_[k] + x.of_zero * (z_sums_[k] + room_[k]);
  pair_product(borders_[static_cast<std::size_t>(j - columns_->first_feature())], shift_, room_);
  for (std::size_t k = 0; k < q.size(); ++k) q[k] += x.scale * room_[k];
}

void CoupledColumnHessian::curvature(Index j, std::span<double> h) const {
  if (has_diagonal_[static_cast<std::size_t>(j)] == 0) {
    has_diagonal_[static_cast<std::size_t>(j)] = 1;
    if (!columns_->is_sparse() || j < columns_->first_feature()) {
      square_column(columns_->is_sparse() ? ones() : packed(j), 1.0, 0.0, y_, *curvatures_,
                    totals_by_class_.data(), diagonal_.data(j));
    } else {
      const Index feature = columns_->feature_at(j);
      const WorkingColumns::Entries x = columns_->entries(feature);
      ColumnBuffer buffer;
      square_column(x.design.column(feature, buffer), x.scale, x.of_zero, y_, *curvatures_,
                    totals_by_class_.data(), diagonal_.data(j));
    }
  }
  const std::span<const double> diagonal = diagonal_.row(j);
  for (std::size_t k = 0; k < h.size(); ++k)  // a sum of squares, but for rounding
    h[k] = 2.0 * std::max(0.0, diagonal[k]) + ridge_[static_cast<std::size_t>(j)];
}

void CoupledColumnHessian::move(Index j, std::span<const double> change) {
  for (std::size_t k = 0; k < change.size(); ++k)
    g_.row(j)[k] += ridge_[static_cast<std::size_t>(j)] * change[k];
  std::copy(change.begin(), change.end(), scratch_.begin());
  std::fill(scratch_.begin() + std::ssize(change), scratch_.end(), 0.0);
  if (!columns_->is_sparse()) {
    add_curved_column(packed(j), y_, *curvatures_, scratch_.data(), z_);
    return;
  }
  if (j < columns_->first_feature()) {
    for (std::size_t k = 0; k < change.size(); ++k) shift_[k] += change[k];
    return;
  }
  const Index feature = columns_->feature_at(j);
  const WorkingColumns::Entries x = columns_->entries(feature);
  ColumnBuffer buffer;
  for (std::size_t k = 0; k < change.size(); ++k) {
    scratch_[k] *= x.scale;
    shift_[k] += x.of_zero * change[k];
  }
  add_curved_column(x.design.column(feature, buffer), y_, *curvatures_, scratch_.data(), z_);
  const std::span<const double> scaled(scratch_.data(), change.size());
  pair_product(borders_[static_cast<std::size_t>(j - columns_->first_feature())], scaled, room_);
  for (std::size_t k = 0; k < change.size(); ++k) z_sums_[k] += room_[k];
}

void CoupledColumnHessian::apply(std::span<const Index> from, std::span<const Index> to, const ClassMatrix& d,
                                 ClassMatrix& out) {
  const bool intercept = columns_->has_intercept() && !to.empty() && to[0] == 0;
  const std::span<const Index> others = to.subspan(intercept ? 1 : 0);
  columns_->multiply(from, d, product_);
  const std::vector<double> sums = apply_curvatures(y_, *curvatures_, product_);
  columns_->design().multiply_transposed(columns_->features_at(others), product_, part_);
  if (intercept) std::copy(sums.begin(), sums.end(), out.row(0).begin());
  for (std::size_t a = 0; a < others.size(); ++a)
    std::ranges::copy(part_.row(static_cast<Index>(a)), out.row(others[a]).begin());
  for (const Index j : to) {
    for (std::size_t k = 0; k < out.row(j).size(); ++k)
      out.row(j)[k] += ridge_[static_cast<std::size_t>(j)] * d.row(j)[k];
  }
}

}  // namespace hsvm
