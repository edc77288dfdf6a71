#include "hsvm/newton/column_hessian.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "hsvm/core/vector_sums.hpp"
#include "hsvm/data/column_kernels.hpp"

namespace hsvm {

namespace {

// Sums over entries at scattered positions, four at a time: one alone would wait for each addition.
double gather_dot(std::span<const double> a, const Index* rows, const double* z) {
  return detail::sum_entries<double>(a.size(), [&](std::size_t e) { return a[e] * z[rows[e]]; });
}

}  // namespace

std::span<const double> ColumnHessian::copy(const WorkingColumns& columns, std::span<const double> curvatures) {
  columns_ = &columns;
  curvatures_ = curvatures;
  elbow_.clear();
  root_.clear();
  total_ = 0.0;
  position_.assign(curvatures.size(), -1);
  sample_root_.assign(curvatures.size(), 0.0);
  for (std::size_t i = 0; i < curvatures.size(); ++i) {
    if (curvatures[i] <= 0.0) continue;
    position_[i] = static_cast<Index>(elbow_.size());
    elbow_.push_back(static_cast<Index>(i));
    root_.push_back(std::sqrt(curvatures[i]));
    sample_root_[i] = root_.back();
    total_ += curvatures[i];
  }
  const auto m = static_cast<std::size_t>(columns.size());
  start_.assign(1, 0);
  rows_.clear();
  values_.clear();
  of_zero_.assign(m, 1.0);
  border_.assign(m, 0.0);
  diagonal_.assign(m, total_);
  ColumnBuffer buffer;
  if (columns.has_intercept()) start_.push_back(0);
  for (auto k = static_cast<std::size_t>(columns.first_feature()); k < m; ++k) {
    copy_column(columns.feature_at(static_cast<Index>(k)), buffer);
    start_.push_back(values_.size());
    const std::span<const double> a = entries_of(k);
    of_zero_[k] = columns.entries(columns.feature_at(static_cast<Index>(k))).of_zero;
    border_[k] = columns.is_sparse() ? gather_dot(a, rows_of(k), root_.data()) : dot_of(a, root_);
    diagonal_[k] = squared_norm_of(a) + of_zero_[k] * (2.0 * border_[k] + of_zero_[k] * total_);
  }
  return diagonal_;
}

// Appends the entries of one column.
void ColumnHessian::copy_column(Index feature, ColumnBuffer& buffer) {
  const WorkingColumns::Entries from = columns_->entries(feature);
  if (!columns_->is_sparse()) {
    values_.resize(values_.size() + elbow_.size());
    double* const to = values_.data() + values_.size() - elbow_.size();
    from.design.gather(feature, elbow_, to, 1);
    for (std::size_t e = 0; e < elbow_.size(); ++e) to[e] *= root_[e];
    return;
  }
  // Written without branches: which samples are in the elbow cannot be foreseen. What is outside has the root 0 and is
  // written over by the next.
  const ColumnView view = from.design.column(feature, buffer);
  const std::size_t begin = values_.size();
  rows_.resize(begin + view.values.size() + 1);
  values_.resize(begin + view.values.size() + 1);
  Index* const rows = rows_.data() + begin;
  double* const values = values_.data() + begin;
  std::size_t count = 0;
  for (std::size_t e = 0; e < view.values.size(); ++e) {
    const std::size_t i = view.sparse ? static_cast<std::size_t>(view.rows[e]) : e;
    rows[count] = position_[i];
    values[count] = sample_root_[i] * (from.scale * view.values[e]);
    count += position_[i] >= 0 ? 1 : 0;
  }
  rows_.resize(begin + count);
  values_.resize(begin + count);
}

void ColumnHessian::begin(std::span<const double> ridge, std::span<const double> g, int max_iterations) {
  ridge_ = ridge;
  max_iterations_ = max_iterations;
  g_.assign(g.begin(), g.end());
  offset_.assign(g.size(), 0.0);
  z_.assign(elbow_.size(), 0.0);
  z_sum_ = 0.0;
  shift_ = 0.0;
}

double ColumnHessian::dot_entries(std::size_t k, std::span<const double> z) const {
  const std::span<const double> a = entries_of(k);
  if (columns_->is_sparse()) return gather_dot(a, rows_of(k), z.data());
  return a.empty() ? 0.0 : dot_of(a, z);
}

void ColumnHessian::add_entries(std::size_t k, double factor, std::span<double> z) const {
  const std::span<const double> a = entries_of(k);
  if (columns_->is_sparse()) {
    const Index* const rows = rows_of(k);
    for (std::size_t e = 0; e < a.size(); ++e) z[static_cast<std::size_t>(rows[e])] += factor * a[e];
  } else if (!a.empty()) {
    add_scaled(factor, a, z);
  }
}

double ColumnHessian::gradient(Index j) const {
  const auto k = static_cast<std::size_t>(j);
  return g_[k] + ridge_[k] * offset_[k] + shift_ * border_[k] + of_zero_[k] * (z_sum_ + shift_ * total_) +
         dot_entries(k, z_);
}

void ColumnHessian::move(Index j, double change) {
  const auto k = static_cast<std::size_t>(j);
  offset_[k] += change;
  shift_ += change * of_zero_[k];
  z_sum_ += change * border_[k];
  add_entries(k, change, z_);
}

double ColumnHessian::value() const {
  double total = squared_norm_of(z_) + shift_ * (2.0 * z_sum_ + shift_ * total_);
  for (std::size_t k = 0; k < offset_.size(); ++k) total += offset_[k] * (2.0 * g_[k] + ridge_[k] * offset_[k]);
  return 0.5 * total;
}

double ColumnHessian::sweep_cost(std::span<const Index> support) const {
  const double rate = columns_->is_sparse() ? 1.4 : 0.3;
  double entries = 0.0;
  for (const Index j : support) entries += static_cast<double>(entries_of(static_cast<std::size_t>(j)).size());
  return rate * entries + 8.0 * static_cast<double>(support.size());
}

double ColumnHessian::solve_cost(std::span<const Index> support) const {
  return std::min(woodbury_cost(support), iterations_ * sweep_cost(support));
}

double ColumnHessian::woodbury_cost(std::span<const Index> support) const {
  const auto rows = static_cast<double>(elbow_.size());
  const double rate = columns_->is_sparse() ? 1.0 : 3.0;
  return 0.5 * rows * sweep_cost(support) / rate + rows * rows * rows / 60.0;
}

bool ColumnHessian::solve(std::span<const Index> support, std::span<double> x, double reduction) {
  if (woodbury_cost(support) <= iterations_ * sweep_cost(support)) {
    const std::vector<double> right(x.begin(), x.end());
    if (solve_woodbury(support, x)) return true;
    std::ranges::copy(right, x.begin());
  }
  return solve_conjugate_gradients(support, x, reduction);
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
  SymmetricMatrix& kernel = cholesky_.matrix();
  kernel.reset(size);
  for (Index e = 0; e < size; ++e) kernel.row(e)[e] = 1.0;
  columns_->add_row_gram(features, ridge, elbow_, position_, curvatures_, panel_, kernel);
  if (!cholesky_.factor()) return false;

  std::vector<double> product(curvatures_.size());
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
  for (std::size_t a = 0; a < border.size(); ++a) {
    const auto k = static_cast<std::size_t>(support[a + first]);
    border[a] = border_[k] + of_zero_[k] * total_;
  }
  std::vector<double> inverse_border = border;
  apply_inverse(inverse_border);
  apply_inverse(x_features);
  const double schur = curvature(0) - dot_of(border, inverse_border);
  if (!(schur > 1e-14 * curvature(0))) return false;
  x[0] = (x[0] - dot_of(border, x_features)) / schur;
  for (std::size_t a = 0; a < border.size(); ++a) x_features[a] -= x[0] * inverse_border[a];
  return true;
}

// out = H_SS in, by the copies of the columns.
void ColumnHessian::apply(std::span<const Index> support, std::span<const double> in, std::span<double> out) {
  product_.assign(elbow_.size(), 0.0);
  double shift = 0.0;
  double sum = 0.0;
  for (std::size_t a = 0; a < in.size(); ++a) {
    const auto k = static_cast<std::size_t>(support[a]);
    shift += in[a] * of_zero_[k];
    sum += in[a] * border_[k];
    add_entries(k, in[a], product_);
  }
  for (std::size_t a = 0; a < in.size(); ++a) {
    const auto k = static_cast<std::size_t>(support[a]);
    out[a] = ridge_[k] * in[a] + shift * border_[k] + of_zero_[k] * (sum + shift * total_) +
             dot_entries(k, product_);
  }
}

bool ColumnHessian::solve_conjugate_gradients(std::span<const Index> support, std::span<double> x,
                                              double reduction) {
  constexpr double kTolerance = 1e-7;
  const double tolerance = std::clamp(reduction, kTolerance, 0.3);
  const auto precondition = [&](std::span<const double> in, std::span<double> out) {
    for (std::size_t a = 0; a < in.size(); ++a) out[a] = in[a] / curvature(support[a]);
  };

  std::vector<double> residual(x.begin(), x.end());
  std::vector<double> solution(x.size(), 0.0);
  std::vector<double> z(x.size());
  precondition(residual, z);
  std::vector<double> direction = z;
  std::vector<double> h_direction(x.size());
  double rho = dot_of(residual, z);
  const double enough = tolerance * tolerance * rho;
  int iteration = 0;
  for (; iteration < max_iterations_ && rho > enough; ++iteration) {
    apply(support, direction, h_direction);
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
  iterations_ = 0.5 * (iterations_ + static_cast<double>(iteration));
  return true;
}

}  // namespace hsvm
