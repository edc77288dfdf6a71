#include "hsvm/newton/column_hessian.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "hsvm/core/vector_sums.hpp"

namespace hsvm {

void ColumnHessian::begin(const WorkingColumns& columns, std::span<const double> curvatures,
                          std::span<const double> diagonal, std::span<const double> ridge,
                          std::span<const double> g, bool woodbury) {
  columns_ = &columns;
  curvatures_ = curvatures;
  ridge_ = ridge;
  g_ = g;
  woodbury_ = woodbury;
  offset_.assign(g.size(), 0.0);
  z_.assign(curvatures.size(), 0.0);
  z_sum_ = 0.0;
  shift_ = 0.0;
  total_ = std::accumulate(curvatures.begin(), curvatures.end(), 0.0);
  border_.assign(g.size(), 0.0);
  if (columns.has_intercept() || columns.is_standardized())
    columns.multiply_transposed(curvatures, total_, border_);
  elbow_.clear();
  position_.assign(curvatures.size(), -1);
  for (std::size_t i = 0; i < curvatures.size(); ++i) {
    if (curvatures[i] <= 0.0) continue;
    position_[i] = static_cast<Index>(elbow_.size());
    elbow_.push_back(static_cast<Index>(i));
  }
  diagonal_.assign(diagonal.begin(), diagonal.end());
  for (std::size_t k = 0; k < diagonal_.size(); ++k) diagonal_[k] += ridge[k];
}

double ColumnHessian::gradient(Index j) const {
  const auto k = static_cast<std::size_t>(j);
  double product = shift_ * border_[k];
  if (j < columns_->first_feature()) {
    product += z_sum_;
  } else {
    const Index feature = columns_->feature_at(j);
    const WorkingColumns::Entries x = columns_->entries(feature);
    product += x.of_zero * z_sum_;
    product += x.scale * x.design.column_dot(feature, z_);
  }
  return g_[k] + ridge_[k] * offset_[k] + product;
}

void ColumnHessian::move(Index j, double change) {
  const auto k = static_cast<std::size_t>(j);
  offset_[k] += change;
  if (j < columns_->first_feature()) {
    shift_ += change;
    return;
  }
  const Index feature = columns_->feature_at(j);
  const WorkingColumns::Entries x = columns_->entries(feature);
  x.design.add_column(feature, change * x.scale, curvatures_, z_);
  z_sum_ += change * (border_[k] - x.of_zero * total_);
  shift_ += change * x.of_zero;
}

bool ColumnHessian::solve(std::span<const Index> support, std::span<double> x) {
  return woodbury_ ? solve_woodbury(support, x) : solve_conjugate_gradients(support, x);
}

bool ColumnHessian::solve_woodbury(std::span<const Index> support, std::span<double> x) {
  // The intercept, whose ridge may be zero, is set apart and joined again by its Schur complement.
  const bool intercept = columns_->has_intercept() && !support.empty() && support[0] == 0;
  const std::size_t first = intercept ? 1 : 0;
  const std::vector<Index> features = columns_->features_at(support.subspan(first));
  std::vector<double> ridge;
  for (std::size_t a = first; a < support.size(); ++a) {
    ridge.push_back(ridge_[static_cast<std::size_t>(support[a])]);
    if (!(ridge.back() > 0.0)) return false;
  }
  const auto size = static_cast<Index>(elbow_.size());
  SymmetricMatrix& k = cholesky_.matrix();
  k.reset(size);
  for (Index e = 0; e < size; ++e) k.row(e)[e] = 1.0;
  columns_->add_row_gram(features, ridge, elbow_, position_, curvatures_, panel_, k);
  if (!cholesky_.factor()) return false;

  std::vector<double> product(z_.size());
  std::vector<double> scaled(features.size());
  std::vector<double> reduced(elbow_.size());
  const auto apply_inverse = [&](std::span<double> y) {  // y <- (R + U'U)^{-1} y
    for (std::size_t a = 0; a < y.size(); ++a) scaled[a] = y[a] / ridge[a];
    columns_->design().multiply(features, scaled, product);
    for (std::size_t e = 0; e < elbow_.size(); ++e) {
      const auto i = static_cast<std::size_t>(elbow_[e]);
      reduced[e] = std::sqrt(curvatures_[i]) * product[i];
    }
    cholesky_.solve(reduced);
    std::fill(product.begin(), product.end(), 0.0);
    for (std::size_t e = 0; e < elbow_.size(); ++e) {
      const auto i = static_cast<std::size_t>(elbow_[e]);
      product[i] = std::sqrt(curvatures_[i]) * reduced[e];
    }
    columns_->design().multiply_transposed(features, product, scaled);
    for (std::size_t a = 0; a < y.size(); ++a) y[a] = (y[a] - scaled[a]) / ridge[a];
  };

  const std::span<double> x_features = x.subspan(first);
  if (!intercept) {
    apply_inverse(x_features);
    return true;
  }
  std::vector<double> border(features.size());  // H between the features and the intercept
  for (std::size_t a = 0; a < border.size(); ++a)
    border[a] = border_[static_cast<std::size_t>(support[a + first])];
  std::vector<double> inverse_border = border;
  apply_inverse(inverse_border);
  apply_inverse(x_features);
  const double schur = diagonal_[0] - dot_of(border, inverse_border);
  if (!(schur > 1e-14 * diagonal_[0])) return false;
  x[0] = (x[0] - dot_of(border, x_features)) / schur;
  for (std::size_t a = 0; a < border.size(); ++a) x_features[a] -= x[0] * inverse_border[a];
  return true;
}

bool ColumnHessian::solve_conjugate_gradients(std::span<const Index> support, std::span<double> x) {
  constexpr double kTolerance = 1e-7;
  constexpr int kMaxIterations = 200;
  const bool intercept = columns_->has_intercept() && !support.empty() && support[0] == 0;
  const std::size_t first = intercept ? 1 : 0;
  const std::vector<Index> features = columns_->features_at(support.subspan(first));
  std::vector<double> product(z_.size());
  const auto apply = [&](std::span<const double> in, std::span<double> out) {  // out = H_SS in
    columns_->design().multiply(features, in.subspan(first), product);
    double sum = 0.0;
    for (std::size_t i = 0; i < product.size(); ++i) {
      product[i] = curvatures_[i] * (product[i] + (intercept ? in[0] : 0.0));
      sum += product[i];
    }
    columns_->design().multiply_transposed(features, product, out.subspan(first));
    if (intercept) out[0] = sum;
    for (std::size_t a = 0; a < in.size(); ++a) out[a] += ridge_[static_cast<std::size_t>(support[a])] * in[a];
  };
  const auto precondition = [&](std::span<const double> in, std::span<double> out) {
    for (std::size_t a = 0; a < in.size(); ++a)
      out[a] = in[a] / diagonal_[static_cast<std::size_t>(support[a])];
  };

  std::vector<double> residual(x.begin(), x.end());
  std::vector<double> solution(x.size(), 0.0);
  std::vector<double> z(x.size());
  precondition(residual, z);
  std::vector<double> direction = z;
  std::vector<double> h_direction(x.size());
  double rho = dot_of(residual, z);
  const double enough = kTolerance * kTolerance * rho;
  for (int iteration = 0; iteration < kMaxIterations && rho > enough; ++iteration) {
    apply(direction, h_direction);
    const double curvature = dot_of(direction, h_direction);
    if (!(curvature > 0.0)) break;
    const double alpha = rho / curvature;
    for (std::size_t a = 0; a < x.size(); ++a) {
      solution[a] += alpha * direction[a];
      residual[a] -= alpha * h_direction[a];
    }
    precondition(residual, z);
    const double next = dot_of(residual, z);
    const double beta = next / rho;
    rho = next;
    for (std::size_t a = 0; a < x.size(); ++a) direction[a] = z[a] + beta * direction[a];
  }
  std::copy(solution.begin(), solution.end(), x.begin());
  return true;
}

}  // namespace hsvm
