#include "hsvm/newton/column_hessian.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "hsvm/core/vector_sums.hpp"

namespace hsvm {

std::span<const double> ColumnHessian::copy(const WorkingColumns& columns, std::span<const double> curvatures) {
  columns_ = &columns;
  ranks_ = &columns.design().collective();
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
  if (columns.is_sparse()) root_.push_back(0.0);
  const auto m = static_cast<std::size_t>(columns.size());
  is_plain_ = columns.is_sparse() && ranks_->is_alone();
  rows_.clear();
  values_.clear();
  coordinates_.assign(m, {});
  diagonal_.assign(m, total_);
  ColumnBuffer buffer;
  for (auto k = static_cast<std::size_t>(columns.first_feature()); k < m; ++k) {
    Coordinate& at = coordinates_[k];
    at.begin = values_.size();
    copy_column(columns.feature_at(static_cast<Index>(k)), buffer);
    at.size = values_.size() - at.begin;
    at.of_zero = columns.entries(columns.feature_at(static_cast<Index>(k))).of_zero;
    at.border = dot_entries(at, root_);
    diagonal_[k] = squared_norm_of(entries_of(at)) + at.of_zero * (2.0 * at.border + at.of_zero * total_);
  }
  sum_over_ranks();
  return diagonal_;
}

// What is kept of the samples with curvature becomes what all ranks have of them; the columns' entries stay where they are.
void ColumnHessian::sum_over_ranks() {
  if (ranks_->is_alone()) return;
  std::vector<double> sums;
  for (const Coordinate& at : coordinates_) sums.push_back(at.border);
  sums.insert(sums.end(), diagonal_.begin(), diagonal_.end());
  sums.push_back(total_);
  sums.push_back(static_cast<double>(values_.size()));
  ranks_->sum(sums);
  const std::size_t m = coordinates_.size();
  for (std::size_t k = 0; k < m; ++k) {
    coordinates_[k].border = sums[k];
    diagonal_[k] = sums[m + k];
  }
  total_ = sums[sums.size() - 2];
  n_entries_ = sums.back();
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
  rows_.resize(begin + view.values.size() + kUnrolled);
  values_.resize(begin + view.values.size() + kUnrolled);
  Index* const rows = rows_.data() + begin;
  double* const values = values_.data() + begin;
  std::size_t count = 0;
  for (std::size_t e = 0; e < view.values.size(); ++e) {
    const std::size_t i = view.sparse ? static_cast<std::size_t>(view.rows[e]) : e;
    rows[count] = position_[i];
    values[count] = sample_root_[i] * (from.scale * view.values[e]);
    count += position_[i] >= 0 ? 1 : 0;
  }
  for (; count % kUnrolled != 0; ++count) {
    rows[count] = static_cast<Index>(elbow_.size());
    values[count] = 0.0;
  }
  rows_.resize(begin + count);
  values_.resize(begin + count);
}

void ColumnHessian::begin(std::span<const double> ridge, std::span<const double> g, int max_iterations) {
  max_iterations_ = max_iterations;
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    Coordinate& at = coordinates_[k];
    at.g = g[k];
    at.ridge = ridge[k];
    at.offset = 0.0;
    at.inverse = 1.0 / (diagonal_[k] + ridge[k]);
  }
  z_.assign(root_.size(), 0.0);
  z_sum_ = 0.0;
  shift_ = 0.0;
  shifted_sum_ = 0.0;
}

double ColumnHessian::dot_entries(const Coordinate& at, std::span<const double> z) const {
  if (columns_->is_sparse()) return gather_dot(at, z.data());
  return at.size == 0 ? 0.0 : dot_of(entries_of(at), z);
}

void ColumnHessian::add_entries(const Coordinate& at, double factor, std::span<double> z) const {
  if (columns_->is_sparse()) {
    scatter_add(at, factor, z.data());
  } else if (at.size > 0) {
    add_scaled(factor, entries_of(at), z);
  }
}

double ColumnHessian::value() const {
  double total = ranks_->sum(squared_norm_of(z_)) + shift_ * (z_sum_ + shifted_sum_);
  for (const Coordinate& at : coordinates_) total += at.offset * (2.0 * at.g + at.ridge * at.offset);
  return 0.5 * total;
}

double ColumnHessian::sweep_cost(std::span<const Index> support) const {
  const double rate = columns_->is_sparse() ? 1.4 : 0.3;
  double entries = 0.0;
  if (!ranks_->is_alone())  // the same on all ranks
    return (rate * n_entries_ / static_cast<double>(diagonal_.size()) + 8.0) *
           static_cast<double>(support.size());
  for (const Index j : support) entries += static_cast<double>(coordinate(j).size);
  return rate * entries + 8.0 * static_cast<double>(support.size());
}

double ColumnHessian::solve_cost(std::span<const Index> support) const {
  return std::min({direct_cost(support), woodbury_cost(support), iterations_ * sweep_cost(support)});
}

double ColumnHessian::direct_cost(std::span<const Index> support) const {
  if (columns_->is_sparse() || !ranks_->is_alone()) return std::numeric_limits<double>::infinity();
  constexpr double kGramRate = 14.0;  // multiplications a nanosecond
  constexpr double kFactorRate = 12.0;
  const auto rows = static_cast<double>(elbow_.size());
  const auto size = static_cast<double>(support.size());
  return rows * size * (1.0 + 0.5 * size / kGramRate) + size * size * size / (6.0 * kFactorRate);
}

double ColumnHessian::woodbury_cost(std::span<const Index> support) const {
  if (!ranks_->is_alone()) return std::numeric_limits<double>::infinity();  // no rank has all samples
  const auto rows = static_cast<double>(elbow_.size());
  const double rate = columns_->is_sparse() ? 1.0 : 3.0;
  return 0.5 * rows * sweep_cost(support) / rate + rows * rows * rows / 60.0;
}

bool ColumnHessian::solve(std::span<const Index> support, std::span<double> x, double reduction) {
  const double by_iterations = iterations_ * sweep_cost(support);
  const double directly = direct_cost(support);
  const double by_woodbury = woodbury_cost(support);
  if (std::min(directly, by_woodbury) <= by_iterations) {
    const std::vector<double> right(x.begin(), x.end());
    if (directly <= by_woodbury ? solve_directly(support, x) : solve_woodbury(support, x)) return true;
    std::ranges::copy(right, x.begin());
  }
  return solve_conjugate_gradients(support, x, reduction);
}

bool ColumnHessian::solve_directly(std::span<const Index> support, std::span<double> x) {
  constexpr std::size_t kDepth = 128;  // samples at a time
  const auto size = static_cast<Index>(support.size());
  SymmetricMatrix& h = cholesky_.matrix();
  h.reset(size);
  for (std::size_t begin = 0; begin < elbow_.size(); begin += kDepth) {
    const std::size_t depth = std::min(kDepth, elbow_.size() - begin);
    panel_.reset(static_cast<Index>(depth), size);
    for (Index a = 0; a < size; ++a) {
      const Coordinate& at = coordinate(support[static_cast<std::size_t>(a)]);
      const double* const from =
          (at.size == 0 ? root_.data() : values_.data() + at.begin) + begin;  // the intercept has none
      double* const to = panel_.column(a);
      for (std::size_t e = 0; e < depth; ++e) to[e * PackedPanel::kGroup] = from[e];
    }
    add_outer_products(panel_, 0, 1.0, h);
  }
  for (Index a = 0; a < size; ++a) h.row(a)[a] += coordinate(support[static_cast<std::size_t>(a)]).ridge;
  if (!cholesky_.factor()) return false;
  cholesky_.solve(x);
  return true;
}

bool ColumnHessian::solve_woodbury(std::span<const Index> support, std::span<double> x) {
  // The intercept, whose ridge may be zero, is set apart and joined again by its Schur complement.
  const bool intercept = columns_->has_intercept() && !support.empty() && support[0] == 0;
  const std::size_t first = intercept ? 1 : 0;
  const std::vector<Index> features = columns_->features_at(support.subspan(first));
  std::vector<double> ridge;
  for (std::size_t a = first; a < support.size(); ++a) {
    ridge.push_back(coordinate(support[a]).ridge);
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
    const Coordinate& at = coordinate(support[a + first]);
    border[a] = at.border + at.of_zero * total_;
  }
  std::vector<double> inverse_border = border;
  apply_inverse(inverse_border);
  apply_inverse(x_features);
  const double curvature = diagonal_[0] + coordinate(0).ridge;
  const double schur = curvature - dot_of(border, inverse_border);
  if (!(schur > 1e-14 * curvature)) return false;
  x[0] = (x[0] - dot_of(border, x_features)) / schur;
  for (std::size_t a = 0; a < border.size(); ++a) x_features[a] -= x[0] * inverse_border[a];
  return true;
}

// out = H_SS in, by the copies of the columns.
void ColumnHessian::apply(std::span<const Index> support, std::span<const double> in, std::span<double> out) {
  product_.assign(root_.size(), 0.0);
  double shift = 0.0;
  double sum = 0.0;
  for (std::size_t a = 0; a < in.size(); ++a) {
    const Coordinate& at = coordinate(support[a]);
    shift += in[a] * at.of_zero;
    sum += in[a] * at.border;
    add_entries(at, in[a], product_);
  }
  for (std::size_t a = 0; a < in.size(); ++a) out[a] = dot_entries(coordinate(support[a]), product_);
  ranks_->sum(out);
  for (std::size_t a = 0; a < in.size(); ++a) {
    const Coordinate& at = coordinate(support[a]);
    out[a] = at.ridge * in[a] + shift * at.border + at.of_zero * (sum + shift * total_) + out[a];
  }
}

bool ColumnHessian::solve_conjugate_gradients(std::span<const Index> support, std::span<double> x,
                                              double reduction) {
  constexpr double kTolerance = 1e-7;
  const double tolerance = std::clamp(reduction, kTolerance, 0.3);
  const auto precondition = [&](std::span<const double> in, std::span<double> out) {
    for (std::size_t a = 0; a < in.size(); ++a) out[a] = in[a] * inverse_curvature(support[a]);
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
