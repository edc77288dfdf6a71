#include "hsvm/newton/class_column_model.hpp"

#include <algorithm>

namespace hsvm {

template <Design X>
void ClassColumnModel<X>::begin(const WorkingColumns<X>& columns, const ClassMatrix& curvatures,
                                std::span<const double> bounds, std::span<const double> ridge,
                                const ClassMatrix& g) {
  columns_ = &columns;
  curvatures_ = &curvatures;
  bounds_ = bounds;
  ridge_ = ridge;
  g_ = g;
  z_.reset(curvatures.rows(), curvatures.n_classes());
  const auto stride = static_cast<std::size_t>(curvatures.stride());
  room_.assign(stride, 0.0);
  z_sums_.assign(stride, 0.0);
  shift_.assign(stride, 0.0);
  totals_.assign(stride, 0.0);
  for (Index i = 0; i < curvatures.rows(); ++i) {
    for (std::size_t k = 0; k < stride; ++k) totals_[k] += curvatures.data(i)[k];
  }
  columns.design().multiply_transposed(columns.columns(), curvatures, border_);
}

template <Design X>
void ClassColumnModel<X>::gradient(Index j, std::span<double> q) const {
  const auto g = g_.row(j);
  if (j < columns_->ones()) {
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = g[k] + z_sums_[k] + shift_[k] * totals_[k];
    return;
  }
  const Index feature = columns_->feature_at(j);
  const double at_zero = columns_->at_zero(feature);
  const auto border = border_.row(j - columns_->ones());
  columns_->with_entries(feature, [&](const auto& x, double scale) {
    x.column_dot(feature, z_, room_);
    for (std::size_t k = 0; k < q.size(); ++k)
      q[k] = g[k] + scale * room_[k] + at_zero * z_sums_[k] + shift_[k] * border[k];
  });
}

template <Design X>
void ClassColumnModel<X>::curvature(Index j, std::span<double> h) const {
  const auto row = static_cast<std::size_t>(j);
  std::fill(h.begin(), h.end(), bounds_[row] + ridge_[row]);
}

template <Design X>
void ClassColumnModel<X>::move(Index j, std::span<const double> change) {
  for (std::size_t k = 0; k < change.size(); ++k)
    g_.row(j)[k] += ridge_[static_cast<std::size_t>(j)] * change[k];
  if (j < columns_->ones()) {
    for (std::size_t k = 0; k < change.size(); ++k) shift_[k] += change[k];
    return;
  }
  const Index feature = columns_->feature_at(j);
  const double at_zero = columns_->at_zero(feature);
  const auto border = border_.row(j - columns_->ones());
  for (std::size_t k = 0; k < change.size(); ++k) {
    z_sums_[k] += change[k] * (border[k] - at_zero * totals_[k]);
    shift_[k] += change[k] * at_zero;
  }
  columns_->with_entries(feature, [&](const auto& x, double scale) {
    std::fill(room_.begin(), room_.end(), 0.0);
    for (std::size_t k = 0; k < change.size(); ++k) room_[k] = scale * change[k];
    x.add_column(feature, room_, *curvatures_, z_);
  });
}

template <Design X>
void ClassColumnModel<X>::apply(std::span<const Index> rows, const ClassMatrix& d, ClassMatrix& out) {
  const bool intercept = columns_->ones() == 1 && !rows.empty() && rows[0] == 0;
  const std::span<const Index> others = rows.subspan(intercept ? 1 : 0);
  columns_->multiply(rows, d, product_);
  std::fill(room_.begin(), room_.end(), 0.0);
  const auto stride = static_cast<std::size_t>(z_.stride());
  for (Index i = 0; i < product_.rows(); ++i) {
    double* const to = product_.data(i);
    const double* const weights = curvatures_->data(i);
    for (std::size_t k = 0; k < stride; ++k) {
      to[k] *= weights[k];
      room_[k] += to[k];
    }
  }
  ClassMatrix part;
  columns_->design().multiply_transposed(columns_->features_at(others), product_, part);
  if (intercept) std::copy_n(room_.begin(), out.row(0).size(), out.row(0).begin());
  for (std::size_t a = 0; a < others.size(); ++a) {
    std::ranges::copy(part.row(static_cast<Index>(a)), out.row(others[a]).begin());
  }
  for (const Index j : rows) {
    for (std::size_t k = 0; k < out.row(j).size(); ++k)
      out.row(j)[k] += ridge_[static_cast<std::size_t>(j)] * d.row(j)[k];
  }
}

#define HSVM_INSTANTIATE(X) template class ClassColumnModel<X>
HSVM_FOR_EVERY_DESIGN(HSVM_INSTANTIATE);
#undef HSVM_INSTANTIATE

}  // namespace hsvm
