#include "hsvm/newton/sample_model.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "hsvm/core/vector_sums.hpp"
#include "hsvm/penalty/elastic_net.hpp"

namespace hsvm {
namespace {

constexpr Index kOuterDepth = 128;  // columns added at a time

}  // namespace

bool SampleModel::minimise(const WorkingColumns& columns, const SampleModelTerms& terms, double enough,
                           std::span<double> v, std::span<double> change) {
  constexpr int kMaxSteps = 30;
  columns_ = &columns;
  terms_ = terms;
  begin(v);
  for (int step = 0; step <= kMaxSteps; ++step) {
    minimise_over_features(v);
    multiply_move(v, change);
    const double intercept = best_intercept(change);
    if (measure(change, intercept) <= enough) {
      expected_steps_ = 0.5 * (expected_steps_ + step);
      if (first_ == 1) {
        v[0] = w_[0] + intercept;
        add_constant(intercept, change);
      }
      return true;
    }
    if (!find_direction(v)) break;
    const double t = search_line();
    if (!(t > 0.0)) break;
    add_scaled(t, d_, z_);
    add_scaled(t, c_, a_);
  }
  expected_steps_ = kMaxSteps;
  std::ranges::copy(w_, v.begin());
  return false;
}

// z as if the intercept alone could move.
void SampleModel::begin(std::span<const double> v) {
  first_ = static_cast<std::size_t>(columns_->first_feature());
  w_.assign(v.begin(), v.end());
  elbow_.clear();
  root_.clear();
  total_ = 0.0;
  for (std::size_t i = 0; i < terms_.curvatures.size(); ++i) {
    if (terms_.curvatures[i] <= 0.0) continue;
    elbow_.push_back(static_cast<Index>(i));
    root_.push_back(std::sqrt(terms_.curvatures[i]));
    total_ += terms_.curvatures[i];
  }
  r_.resize(elbow_.size());
  spread_.assign(terms_.curvatures.size(), 0.0);
  c_.assign(v.size(), 0.0);
  a_.assign(v.size(), 0.0);
  z_.assign(elbow_.size(), 0.0);
  const double alone = first_ == 1 && total_ > 0.0 ? -terms_.g[0] / (total_ + terms_.lambda3) : 0.0;
  if (alone == 0.0) return;
  add_scaled(alone, root_, z_);
  multiply_transposed(z_, a_);
}

void SampleModel::minimise_over_features(std::span<double> v) const {
  for (std::size_t k = first_; k < v.size(); ++k)
    v[k] = shrink(terms_.lambda2 * w_[k] - terms_.g[k] - a_[k], terms_.tau[k]) / terms_.lambda2;
}

// change = X_W (v - w), the intercept left where it is.
void SampleModel::multiply_move(std::span<const double> v, std::span<double> change) {
  std::vector<double>& move = c_;
  for (std::size_t k = first_; k < v.size(); ++k) move[k] = v[k] - w_[k];
  if (first_ == 1) move[0] = 0.0;
  columns_->multiply(move, change);
}

// out (m) = U'x
void SampleModel::multiply_transposed(std::span<const double> x, std::span<double> out) {
  for (std::size_t e = 0; e < elbow_.size(); ++e)
    spread_[static_cast<std::size_t>(elbow_[e])] = root_[e] * x[e];
  columns_->multiply_transposed(spread_, 0.0, out);
}

// The move of the intercept that is best for the features' moves.
double SampleModel::best_intercept(std::span<const double> change) const {
  if (first_ == 0 || !(total_ + terms_.lambda3 > 0.0)) return 0.0;
  double slope = terms_.g[0];
  for (const Index i : elbow_) {
    const auto k = static_cast<std::size_t>(i);
    slope += terms_.curvatures[k] * change[k];
  }
  return -slope / (total_ + terms_.lambda3);
}

// Sets r; returns by how much the model may be above its minimum.
double SampleModel::measure(std::span<const double> change, double intercept) {
  double gap = 0.0;
  for (std::size_t e = 0; e < elbow_.size(); ++e) {
    r_[e] = root_[e] * change[static_cast<std::size_t>(elbow_[e])] - z_[e];
    const double rest = r_[e] + root_[e] * intercept;
    gap += 0.5 * rest * rest;
  }
  if (first_ == 1 && terms_.lambda3 > 0.0) {
    const double rest = terms_.lambda3 * intercept + terms_.g[0] + dot_of(root_, z_);
    gap += 0.5 * rest * rest / terms_.lambda3;
  }
  return gap;
}

// d = H^{-1} (r + beta U_0), beta so that the intercept's own equation holds; c = U'd.
bool SampleModel::find_direction(std::span<const double> v) {
  hold_support(v);
  const auto size = static_cast<Index>(elbow_.size());
  SymmetricMatrix& h = cholesky_.matrix();
  h.reset_uninitialised(size);
  for (Index a = 0; a < size; ++a) {
    const double* const from = outer_.row(elbow_[static_cast<std::size_t>(a)]);
    double* const to = h.row(a);
    const double scale = root_[static_cast<std::size_t>(a)] / terms_.lambda2;
    for (Index b = 0; b <= a; ++b) {
      const auto k = static_cast<std::size_t>(b);
      to[b] = scale * root_[k] * from[elbow_[k]];
    }
    to[a] += 1.0;
  }
  if (size == 0 || !cholesky_.factor()) return false;
  d_ = r_;
  cholesky_.solve(d_);
  if (first_ == 1) {
    border_ = root_;
    cholesky_.solve(border_);
    const double beta =
        -(terms_.g[0] + dot_of(root_, z_) + dot_of(root_, d_)) / (dot_of(root_, border_) + terms_.lambda3);
    add_scaled(beta, border_, d_);
  }
  multiply_transposed(d_, c_);
  return true;
}

// Makes S the features of v; afresh where most of it changes.
void SampleModel::hold_support(std::span<const double> v) {
  const Design& design = columns_->design();
  is_held_.resize(static_cast<std::size_t>(design.cols()));
  is_wanted_.resize(is_held_.size());
  const auto holds = [&](Index j) { return is_held_[static_cast<std::size_t>(j)] != 0; };
  const auto wants = [&](Index j) { return is_wanted_[static_cast<std::size_t>(j)] != 0; };
  support_.clear();
  for (std::size_t k = first_; k < v.size(); ++k) {
    if (v[k] != 0.0) support_.push_back(columns_->feature_at(static_cast<Index>(k)));
  }
  for (const Index j : support_) is_wanted_[static_cast<std::size_t>(j)] = 1;
  const auto n_kept = std::ranges::count_if(held_, wants);
  const auto n_changes = std::ssize(held_) + std::ssize(support_) - 2 * n_kept;
  if (outer_.size() != design.rows() || n_changes >= std::ssize(support_)) {
    forget();
    outer_.reset(design.rows());
  }
  changing_.clear();
  std::ranges::copy_if(support_, std::back_inserter(changing_), std::not_fn(holds));
  add_columns(changing_, 1.0);
  changing_.clear();
  std::ranges::copy_if(held_, std::back_inserter(changing_), std::not_fn(wants));
  add_columns(changing_, -1.0);
  forget();
  for (const Index j : support_) {
    is_held_[static_cast<std::size_t>(j)] = 1;
    is_wanted_[static_cast<std::size_t>(j)] = 0;
  }
  std::swap(held_, support_);
}

void SampleModel::forget() {
  for (const Index j : held_) is_held_[static_cast<std::size_t>(j)] = 0;
  held_.clear();
}

// outer += sign sum of x_j x_j'
void SampleModel::add_columns(std::span<const Index> features, double sign) {
  for (std::size_t begin = 0; begin < features.size(); begin += kOuterDepth) {
    const auto depth = std::min<std::size_t>(kOuterDepth, features.size() - begin);
    panel_.reset(static_cast<Index>(depth), outer_.size());
    for (std::size_t d = 0; d < depth; ++d) {
      for (Index i = 0; i < outer_.size(); ++i) panel_.column(i)[d * PackedPanel::kGroup] = 0.0;
      for_each_entry(columns_->design().column(features[begin + d], buffer_), [&](std::size_t i, double value) {
        panel_.column(static_cast<Index>(i))[d * PackedPanel::kGroup] = value;
      });
    }
    add_outer_products(panel_, 0, sign, outer_);
  }
}

// Along d: of -theta.
SlopeAndCurvature SampleModel::slope_at(double t) const {
  double slope = 0.0;
  double curvature = 0.0;
  for (std::size_t k = first_; k < c_.size(); ++k) {
    const double v = shrink(terms_.lambda2 * w_[k] - terms_.g[k] - a_[k] - t * c_[k], terms_.tau[k]);
    slope -= c_[k] * (v - terms_.lambda2 * w_[k]);
    curvature += v != 0.0 ? c_[k] * c_[k] : 0.0;
  }
  const double square = squared_norm_of(d_);
  slope = slope / terms_.lambda2 + dot_of(d_, z_) + t * square;
  curvature = curvature / terms_.lambda2 + square;
  if (first_ == 1 && terms_.lambda3 > 0.0) {
    const double along = dot_of(root_, d_);
    slope += (terms_.g[0] + dot_of(root_, z_) + t * along) * along / terms_.lambda3;
    curvature += along * along / terms_.lambda3;
  }
  return {slope, curvature};
}

double SampleModel::search_line() const {
  constexpr double kShare = 1e-3;  // of the slope: what may be left
  std::vector<Kink> none;
  return exact_step([this](double t) { return slope_at(t); }, 0.0, none, 10.0, kShare);
}

}  // namespace hsvm
