// The gradient over all features, as far as a certificate needs it: exact where it may matter, elsewhere known
// to stay below its threshold [docs/newton.md, look-ahead].
//
// C = X'R is linear in the residuals R. With R = sum_s alpha_s R_s + E, the R_s being residuals whose products
// C_s are at hand, C is sum_s alpha_s C_s up to |x_j| |E| for feature j. A path is piecewise linear, so a few
// of its last points tell the next residuals closely, and most features need not be looked at. A solve on its
// own has nothing to go by and takes the product.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/data/class_matrix.hpp"
#include "hsvm/newton/cholesky.hpp"
#include "hsvm/penalty/row_problem.hpp"

namespace hsvm {

template <class P>
class LazyGradient {
 public:
  using Point = typename P::Point;
  using Gradient = typename P::Gradient;

  // look_ahead: for many solves in a row. Not worth its bookkeeping where columns are short.
  LazyGradient(const P& problem, bool look_ahead)
      : problem_(problem), look_ahead_(look_ahead && problem.design().rows() >= kMinRows) {}

  // At u, with the dual variables of `loss`, for the problem's present thresholds. Adds to `passes` what it
  // reads.
  const Gradient& at(const Point& u, const HuberizedHinge& loss, double& passes);

 private:
  using Residuals = typename P::Residuals;
  static constexpr Index kMinRows = 200;
  static constexpr std::size_t kSnapshots = 4;
  static constexpr double kTooMany = 0.5;  // of the features: beyond, the whole product is as good

  struct Snapshot {
    Residuals r;
    Gradient gradient;
  };
  // The numbers a residual or a gradient is made of, in one row.
  static std::span<const double> flat(const std::vector<double>& values) { return values; }
  static std::span<const double> flat(const ClassMatrix& values) { return values.values(); }
  static std::span<double> flat(std::vector<double>& values) { return values; }
  static std::span<double> flat(ClassMatrix& values) { return values.values(); }

  void measure_columns();
  void predict();
  [[nodiscard]] std::vector<Index> features_to_see() const;

  const P& problem_;
  bool look_ahead_;
  Residuals r_, last_r_;
  Gradient gradient_;
  std::vector<double> norms_;        // p: |x_j|
  std::vector<double> errors_;       // p: how far the entry may be off; 0: exact
  std::vector<Snapshot> snapshots_;  // the latest last
};

template <class P>
const typename P::Gradient& LazyGradient<P>::at(const Point& u, const HuberizedHinge& loss, double& passes) {
  problem_.residuals(u, loss, r_, gradient_);
  if (!look_ahead_) {
    problem_.complete(r_, gradient_);
    passes += 0.5;
    return gradient_;
  }
  if (norms_.empty()) {
    measure_columns();
    passes += 0.5;
  }
  if (!std::ranges::equal(flat(r_), flat(last_r_))) {
    predict();
    last_r_ = r_;
  }
  const std::vector<Index> features = features_to_see();
  const double share = static_cast<double>(features.size()) / std::max(1.0, static_cast<double>(norms_.size()));
  if (share > kTooMany) {
    problem_.complete(r_, gradient_);
    std::fill(errors_.begin(), errors_.end(), 0.0);
    if (snapshots_.size() == kSnapshots) snapshots_.erase(snapshots_.begin());
    snapshots_.push_back({r_, gradient_});
    passes += 0.5;
  } else if (!features.empty()) {
    problem_.complete(r_, features, gradient_);
    for (const Index j : features) errors_[static_cast<std::size_t>(j)] = 0.0;
    passes += 0.5 * share;
  }
  return gradient_;
}

template <class P>
void LazyGradient<P>::measure_columns() {
  constexpr Index kBlock = 64;
  const Index p = problem_.design().cols();
  const std::vector<double> ones(static_cast<std::size_t>(problem_.design().rows()), 1.0);
  norms_.resize(static_cast<std::size_t>(p));
  errors_.resize(norms_.size());
  parallel_for((p + kBlock - 1) / kBlock, [&](Index block) {
    for (Index j = block * kBlock; j < std::min(p, (block + 1) * kBlock); ++j) {
      norms_[static_cast<std::size_t>(j)] = std::sqrt(problem_.design().column_squared_norm(j, ones));
    }
  });
}

// The gradient and its errors from the snapshots: alpha minimises |E|.
template <class P>
void LazyGradient<P>::predict() {
  constexpr double kRounding = 1e-12;  // of the residuals: covers what the sums have lost
  std::fill(errors_.begin(), errors_.end(), std::numeric_limits<double>::infinity());
  if (snapshots_.empty()) return;
  const auto dot = [](std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  const std::size_t size = snapshots_.size();
  Cholesky cholesky;
  cholesky.matrix().reset(static_cast<Index>(size));
  std::vector<double> alpha(size);
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      cholesky.matrix().row(static_cast<Index>(a))[b] = dot(flat(snapshots_[a].r), flat(snapshots_[b].r));
    }
    alpha[a] = dot(flat(snapshots_[a].r), flat(r_));
  }
  if (!cholesky.factor()) return;
  cholesky.solve(alpha);

  const std::span<const double> r = flat(r_);
  double square = 0.0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    double error = r[i];
    for (std::size_t s = 0; s < size; ++s) error -= alpha[s] * flat(snapshots_[s].r)[i];
    square += error * error;
  }
  const double off = std::sqrt(square) + kRounding * std::sqrt(dot(r, r));
  if (!std::isfinite(off)) return;

  gradient_.w = snapshots_.back().gradient.w;
  const std::span<double> w = flat(gradient_.w);
  for (std::size_t k = 0; k < w.size(); ++k) {
    double sum = 0.0;
    for (std::size_t s = 0; s < size; ++s) sum += alpha[s] * flat(snapshots_[s].gradient.w)[k];
    w[k] = sum;
  }
  if constexpr (requires { gradient_.half_ranges; }) {
    gradient_.half_ranges.resize(norms_.size());
    for (std::size_t j = 0; j < norms_.size(); ++j) {
      gradient_.half_ranges[j] = half_range(gradient_.w.row(static_cast<Index>(j)));
    }
  }
  for (std::size_t j = 0; j < norms_.size(); ++j) errors_[j] = norms_[j] * off;  // of a half-range: even less
}

template <class P>
std::vector<Index> LazyGradient<P>::features_to_see() const {
  std::vector<Index> features;
  for (std::size_t j = 0; j < errors_.size(); ++j) {
    if (errors_[j] == 0.0) continue;
    const auto feature = static_cast<Index>(j);
    if (!std::isfinite(errors_[j]) ||
        problem_.pull(gradient_, feature) + errors_[j] >= problem_.threshold(feature)) {
      features.push_back(feature);
    }
  }
  return features;
}

}  // namespace hsvm
