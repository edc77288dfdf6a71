#include "hsvm/newton/lazy_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "hsvm/core/vector_sums.hpp"
#include "hsvm/problem/binary_problem.hpp"
#include "hsvm/problem/multiclass_problem.hpp"
#include "hsvm/problem/rounding.hpp"

namespace hsvm {

template <class P>
const typename P::Gradient& LazyGradient<P>::at(const Point& u, const MarginLoss& loss, double& passes) {
  std::swap(r_, last_r_);
  problem_.residuals(u, loss, r_, gradient_);
  const bool moved = problem_.design().collective().any(!std::ranges::equal(flat(r_), flat(last_r_)));
  if (!keeps_snapshots_) {
    if (moved) {
      problem_.feature_gradient(r_, gradient_);
      passes += 0.5;
    }
    return gradient_;
  }
  if (norms_.empty()) {
    measure_columns();
    passes += 0.5;
  }
  if (moved) predict();
  const std::vector<Index> features = features_to_see();
  const double share = static_cast<double>(features.size()) / std::max(1.0, static_cast<double>(norms_.size()));
  if (share > kTooMany) {
    problem_.feature_gradient(r_, gradient_);
    std::fill(seen_.begin(), seen_.end(), char{1});
    take_snapshot();
    passes += 0.5;
  } else {
    look_at(features, passes);
  }
  return gradient_;
}

template <class P>
void LazyGradient<P>::look_at(std::span<const Index> features, double& passes) {
  if (features.empty()) return;
  problem_.feature_gradient(r_, features, gradient_);
  for (const Index j : features) seen_[static_cast<std::size_t>(j)] = 1;
  passes += 0.5 * static_cast<double>(features.size()) / static_cast<double>(norms_.size());
}

template <class P>
void LazyGradient<P>::complete(std::span<const Index> features, double& passes) {
  if (!keeps_snapshots_) return;  // it is exact in all
  std::vector<Index> missing;
  std::ranges::copy_if(features, std::back_inserter(missing),
                       [&](Index j) { return seen_[static_cast<std::size_t>(j)] == 0; });
  look_at(missing, passes);
}

template <class P>
void LazyGradient<P>::measure_columns() {
  const Index p = problem_.design().cols();
  const std::vector<double> ones(static_cast<std::size_t>(problem_.design().rows()), 1.0);
  norms_.resize(static_cast<std::size_t>(p));
  seen_.resize(norms_.size());
  problem_.design().column_squared_norms(all_indices(p), ones, norms_);
  double worst = 1.0;  // of a standardised column: the size it is multiplied with, over its norm
  for (std::size_t j = 0; j < norms_.size(); ++j) {
    norms_[j] = std::sqrt(norms_[j]);
    const Affine seen = problem_.design().affine(static_cast<Index>(j));
    const double center = std::sqrt(problem_.n_samples()) * std::abs(seen.scale * seen.center);
    if (norms_[j] > 0.0) worst = std::max(worst, 1.0 + 2.0 * center / norms_[j]);
  }
  const double n_terms = problem_.design().collective().sum(static_cast<double>(flat(r_).size()));
  rounding_ = n_terms * std::numeric_limits<double>::epsilon() * worst + kLargestShare;
}

template <class P>
void LazyGradient<P>::take_snapshot() {
  if (snapshots_.size() == kSnapshots) snapshots_.erase(snapshots_.begin());
  snapshots_.push_back({r_, gradient_, {}});
  std::vector<double> products;
  for (const Snapshot& snapshot : snapshots_) {
    for (const Snapshot& other : snapshots_) products.push_back(dot_of(flat(snapshot.r), flat(other.r)));
  }
  problem_.design().collective().sum(products);
  for (std::size_t s = 0; s < snapshots_.size(); ++s) {
    const auto first = products.begin() + static_cast<std::ptrdiff_t>(s * snapshots_.size());
    snapshots_[s].products.assign(first, first + std::ssize(snapshots_));
  }
}

// The gradient and its errors from the snapshots: alpha minimises |E|.
template <class P>
void LazyGradient<P>::predict() {
  std::fill(seen_.begin(), seen_.end(), char{0});
  off_ = kUnknown;
  if (snapshots_.empty()) return;
  const std::size_t size = snapshots_.size();
  cholesky_.matrix().reset(static_cast<Index>(size));
  std::vector<double> alpha(size);
  const Collective& ranks = problem_.design().collective();
  for (std::size_t a = 0; a < size; ++a) {
    std::copy_n(snapshots_[a].products.begin(), a + 1, cholesky_.matrix().row(static_cast<Index>(a)));
    alpha[a] = dot_of(flat(snapshots_[a].r), flat(r_));
  }
  alpha.push_back(squared_norm_of(flat(r_)));
  ranks.sum(alpha);
  double summed = std::sqrt(alpha.back());
  alpha.pop_back();
  if (!cholesky_.factor()) return;
  cholesky_.solve(alpha);

  const std::span<const double> r = flat(r_);
  rest_.assign(r.begin(), r.end());
  for (std::size_t s = 0; s < size; ++s) add_scaled(-alpha[s], flat(snapshots_[s].r), rest_);
  // What products with a column may be off by through rounding, those that alpha combines included, and by what
  // the intercept's part of a bound takes off the residuals.
  for (std::size_t s = 0; s < size; ++s) summed += std::abs(alpha[s]) * std::sqrt(snapshots_[s].products[s]);
  const double off = std::sqrt(ranks.sum(squared_norm_of(rest_))) + rounding_ * summed;
  if (!std::isfinite(off)) return;

  if (flat(gradient_.w).empty()) gradient_.w = snapshots_.back().gradient.w;
  const std::span<double> w = flat(gradient_.w);
  std::fill(w.begin(), w.end(), 0.0);
  for (std::size_t s = 0; s < size; ++s) add_scaled(alpha[s], flat(snapshots_[s].gradient.w), w);
  P::finish_gradient(gradient_);
  off_ = off;  // of a half-range: even less
}

template <class P>
std::vector<Index> LazyGradient<P>::features_to_see() const {
  std::vector<Index> features;
  if (off_ == kUnknown) {
    features.resize(norms_.size());
    std::iota(features.begin(), features.end(), Index{0});
  } else {
    features = problem_.features_in_reach(gradient_, norms_, off_);
  }
  std::erase_if(features, [&](Index j) { return seen_[static_cast<std::size_t>(j)] != 0; });
  return features;
}

template class LazyGradient<BinaryProblem>;
template class LazyGradient<MulticlassProblem>;

}  // namespace hsvm
