#include "hsvm/newton/class_column_hessian.hpp"

#include <algorithm>

namespace hsvm {

void ClassColumnHessian::begin(const WorkingColumns& columns, const ClassMatrix& curvatures,
                               std::span<const double> bounds, std::span<const double> ridge,
                               const ClassMatrix& g) {
  columns_ = &columns;
  curvatures_ = &curvatures;
  bounds_ = bounds;
  ridge_ = ridge;
  g_ = g;
  z_.reset(curvatures.rows(), curvatures.n_classes());
  const auto stride = static_cast<std::size_t>(curvatures.stride());
  scratch_.assign(stride, 0.0);
  z_sums_.assign(stride, 0.0);
  shift_.assign(stride, 0.0);
  totals_.assign(stride, 0.0);
  for (Index i = 0; i < curvatures.rows(); ++i) {
    for (std::size_t k = 0; k < stride; ++k) totals_[k] += curvatures.data(i)[k];
  }
  columns.design().multiply_transposed(columns.columns(), curvatures, border_);
}

void ClassColumnHessian::gradient(Index j, std::span<double> q) const {
  const auto g = g_.row(j);
  if (j < columns_->first_feature()) {
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = g[k] + z_sums_[k] + shift_[k] * totals_[k];
    return;
  }
  const Index feature = columns_->feature_at(j);
  const auto border = border_.row(j - columns_->first_feature());
  const WorkingColumns::Entries x = columns_->entries(feature);
  x.design.column_dot(feature, z_, scratch_);
  for (std::size_t k = 0; k < q.size(); ++k)
    q[k] = g[k] + x.scale * scratch_[k] + x.of_zero * z_sums_[k] + shift_[k] * border[k];
}

void ClassColumnHessian::curvature(Index j, std::span<double> h) const {
  const auto row = static_cast<std::size_t>(j);
  std::fill(h.begin(), h.end(), bounds_[row] + ridge_[row]);
}

void ClassColumnHessian::move(Index j, std::span<const double> change) {
  for (std::size_t k = 0; k < change.size(); ++k)
    g_.row(j)[k] += ridge_[static_cast<std::size_t>(j)] * change[k];
  if (j < columns_->first_feature()) {
    for (std::size_t k = 0; k < change.size(); ++k) shift_[k] += change[k];
    return;
  }
  const Index feature = columns_->feature_at(j);
  const WorkingColumns::Entries x = columns_->entries(feature);
  const auto border = border_.row(j - columns_->first_feature());
  for (std::size_t k = 0; k < change.size(); ++k) {
    z_sums_[k] += change[k] * (border[k] - x.of_zero * totals_[k]);
    shift_[k] += change[k] * x.of_zero;
  }
  std::fill(scratch_.begin(), scratch_.end(), 0.0);
  for (std::size_t k = 0; k < change.size(); ++k) scratch_[k] = x.scale * change[k];
  x.design.add_column(feature, scratch_, *curvatures_, z_);
}

void ClassColumnHessian::apply(std::span<const Index> rows, const ClassMatrix& d, ClassMatrix& out) {
  const bool intercept = columns_->has_intercept() && !rows.empty() && rows[0] == 0;
  const std::span<const Index> others = rows.subspan(intercept ? 1 : 0);
  columns_->multiply(rows, d, product_);
  std::fill(scratch_.begin(), scratch_.end(), 0.0);
  const auto stride = static_cast<std::size_t>(z_.stride());
  for (Index i = 0; i < product_.rows(); ++i) {
    double* const to = product_.data(i);
    const double* const weights = curvatures_->data(i);
    for (std::size_t k = 0; k < stride; ++k) {
      to[k] *= weights[k];
      scratch_[k] += to[k];
    }
  }
  ClassMatrix part;
  columns_->design().multiply_transposed(columns_->features_at(others), product_, part);
  if (intercept) std::copy_n(scratch_.begin(), out.row(0).size(), out.row(0).begin());
  for (std::size_t a = 0; a < others.size(); ++a) {
    std::ranges::copy(part.row(static_cast<Index>(a)), out.row(others[a]).begin());
  }
  for (const Index j : rows) {
    for (std::size_t k = 0; k < out.row(j).size(); ++k)
      out.row(j)[k] += ridge_[static_cast<std::size_t>(j)] * d.row(j)[k];
  }
}

}  // namespace hsvm
