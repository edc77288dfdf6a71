#include "hsvm/newton/lazy_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <type_traits>
#include <utility>

#include "hsvm/core/vector_sums.hpp"
#include "hsvm/problem/binary_problem.hpp"
#include "hsvm/problem/features.hpp"
#include "hsvm/problem/multiclass_problem.hpp"
#include "hsvm/problem/rounding.hpp"

namespace hsvm {

template <class P>
const typename P::Gradient& LazyGradient<P>::at(const Point& u, const MarginLoss& loss, double& passes) {
  std::swap(r_, last_r_);
  problem_.residuals(u, loss, r_, gradient_);
  return look(problem_.design().collective().any(!are_equal(flat(r_), flat(last_r_))), passes);
}

// moved: whether the residuals are others than at the last look.
template <class P>
const typename P::Gradient& LazyGradient<P>::look(bool moved, double& passes) {
  if (!keeps_snapshots_) {
    if (moved) {
      problem_.feature_gradient(r_, gradient_);
      passes += 0.5;
    }
    return gradient_;
  }
  if (reach_.norms.empty()) {
    measure_columns();
    passes += 0.5;
  }
  if (moved) predict();
  watch();
  const std::vector<Index> features = features_to_see();
  if (share_of(features) > kTooMany) {
    look_at_all(passes);
  } else if (!renew_near_features(features, passes)) {
    look_at(features, passes);
  }
  return gradient_;
}

// The contenders of this point, and most likely of the start of the next one, where thresholds have fallen as they last did and
// features a step ahead are asked for.
template <class P>
void LazyGradient<P>::watch() {
  constexpr double kLowest = 0.5;
  const double lambda1 = problem_.parameters().penalty.lambda1;
  if (lambda1 > 0.0 && lambda1 < last_lambda1_) fall_ = lambda1 / last_lambda1_;
  last_lambda1_ = lambda1;
  const std::optional<Contenders>& known = gradient_.contenders;
  if (known && known->level <= kNearThreshold * lambda1 && known->reach <= lambda1) return;
  const double ahead = fall_ * std::min(kNearThreshold, 2.0 - 1.0 / fall_);
  find_contenders(std::clamp(ahead, kLowest, kNearThreshold) * lambda1, std::max(kLowest, fall_) * lambda1);
}

template <class P>
void LazyGradient<P>::watch_down_to(double level) {
  const std::optional<Contenders>& known = gradient_.contenders;
  if (known && known->level > level) find_contenders(level, known->reach);
}

template <class P>
void LazyGradient<P>::find_contenders(double level, double reach) {
  gradient_.contenders.reset();
  if (is_whole_) {
    if (problem_.is_finite(gradient_))
      gradient_.contenders = {problem_.strong_features(gradient_, level), level, level};
    return;
  }
  if (of_all_.off == kUnknown) return;
  std::vector<const Gradient*> parts;
  for (const std::size_t s : of_all_.snapshots) parts.push_back(&snapshots_[s].gradient);
  const auto exact = problem_.entries(gradient_, looked_at_);
  std::vector<Index> found =
      problem_.combine(parts, of_all_.alpha, level, {reach_.norms, of_all_.off, reach}, gradient_);
  if (!near_.empty()) {
    add_estimate(of_near_, near_);
    std::vector<Index> both;
    std::ranges::set_union(found, near_, std::back_inserter(both));
    found = std::move(both);
  }
  problem_.set_entries(looked_at_, exact, gradient_);
  gradient_.contenders = {std::move(found), level, reach};
}

template <class P>
void LazyGradient<P>::look_at_all(double& passes) {
  forget_entries();
  problem_.feature_gradient(r_, gradient_);
  is_whole_ = true;
  near_.clear();
  is_near_.clear();
  std::erase_if(snapshots_, [](const Snapshot& snapshot) { return !snapshot.is_whole; });
  take_snapshot(true);
  watch();
  spent_ = 0.0;
  spent_far_ = 0.0;
  passes += 0.5;
}

template <class P>
void LazyGradient<P>::forget_entries() {
  for (const Index j : looked_at_) seen_[static_cast<std::size_t>(j)] = 0;
  looked_at_.clear();
  is_whole_ = false;
  gradient_.contenders.reset();
}

template <class P>
void LazyGradient<P>::look_at(std::span<const Index> features, double& passes) {
  if (features.empty()) return;
  problem_.feature_gradient(r_, features, gradient_);
  for (const Index j : features) seen_[static_cast<std::size_t>(j)] = 1;
  looked_at_.insert(looked_at_.end(), features.begin(), features.end());
  passes += 0.5 * share_of(features);
}

template <class P>
void LazyGradient<P>::complete(std::span<const Index> features, double& passes) {
  if (!keeps_snapshots_) return;  // it is exact in all
  std::vector<Index> missing;
  std::ranges::copy_if(features, std::back_inserter(missing), [&](Index j) { return !is_exact(j); });
  look_at(missing, passes);
}

template <class P>
void LazyGradient<P>::measure_columns() {
  reach_.measure(problem_.design());
  const std::vector<double>& norms = reach_.norms;
  seen_.resize(norms.size());
  double worst = 1.0;  // of a standardised column: the size it is multiplied with, over its norm
  for (std::size_t j = 0; j < norms.size(); ++j) {
    const Affine seen = problem_.design().affine(static_cast<Index>(j));
    const double center = std::sqrt(problem_.n_samples()) * std::abs(seen.scale * seen.center);
    if (norms[j] > 0.0) worst = std::max(worst, 1.0 + 2.0 * center / norms[j]);
  }
  const double n_terms = problem_.design().collective().sum(static_cast<double>(flat(r_).size()));
  product_rounding_ = residual_product_rounding(n_terms);
  rounding_ = n_terms * std::numeric_limits<double>::epsilon() * worst + kLargestShare;
}

template <class P>
void LazyGradient<P>::take_snapshot(bool is_whole) {
  if (snapshots_.size() == kSnapshots) {
    // The oldest goes, unless it is the only whole one.
    const auto n_whole = std::ranges::count(snapshots_, true, &Snapshot::is_whole);
    snapshots_.erase(snapshots_.begin() + (!is_whole && n_whole == 1 && snapshots_.front().is_whole ? 1 : 0));
  }
  snapshots_.push_back({r_, gradient_, is_whole, {}});
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
  forget_entries();
  knows_tails_ = false;
  of_all_.off = kUnknown;
  of_near_.off = kUnknown;
  if (snapshots_.empty()) return;
  std::vector<std::span<const double>> parts;
  for (const Snapshot& snapshot : snapshots_) parts.push_back(flat(snapshot.r));
  const std::vector<double> products = residual_products(flat(r_), parts, problem_.design().collective());
  find_alpha(true, products, of_all_);
  if (of_all_.off == kUnknown) return;
  if (near_.empty()) return;
  find_alpha(false, products, of_near_);
  if (of_near_.off == kUnknown) of_near_ = of_all_;
}

// products: of the residuals with those of all snapshots, and with themselves at last.
template <class P>
void LazyGradient<P>::find_alpha(bool only_whole, std::span<const double> products, Estimate& estimate) {
  estimate.off = kUnknown;
  estimate.snapshots.clear();
  estimate.parts.clear();
  estimate.alpha.clear();
  for (std::size_t s = 0; s < snapshots_.size(); ++s) {
    if (only_whole && !snapshots_[s].is_whole) continue;
    estimate.snapshots.push_back(s);
    estimate.parts.push_back(flat(snapshots_[s].r));
    estimate.alpha.push_back(products[s]);
  }
  const std::size_t size = estimate.alpha.size();
  cholesky_.matrix().reset(static_cast<Index>(size));
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b <= a; ++b)
      cholesky_.matrix().row(static_cast<Index>(a))[b] =
          snapshots_[estimate.snapshots[a]].products[estimate.snapshots[b]];
  }
  if (!cholesky_.factor()) return;
  cholesky_.solve(estimate.alpha);

  // What products with a column may be off by through rounding, those that alpha combines included, and by what
  // the intercept's part of a bound takes off the residuals; |E|^2 = |r|^2 - 2 alpha'R'r + alpha'R'R alpha, and what that is off by.
  double summed = std::sqrt(products.back());
  double square = products.back();
  for (std::size_t a = 0; a < size; ++a) {
    const Snapshot& snapshot = snapshots_[estimate.snapshots[a]];
    summed += std::abs(estimate.alpha[a]) * std::sqrt(snapshot.products[estimate.snapshots[a]]);
    double moved = -2.0 * products[estimate.snapshots[a]];
    for (std::size_t b = 0; b < size; ++b)
      moved += estimate.alpha[b] * snapshot.products[estimate.snapshots[b]];
    square += estimate.alpha[a] * moved;
  }
  estimate.slack = rounding_ * summed;
  const double off = std::sqrt(std::max(0.0, square) + product_rounding_ * summed * summed) + estimate.slack;
  if (std::isfinite(off)) estimate.off = off;  // of a half-range: even less
}

// Of a binary problem, which alone has near features.
template <class P>
void LazyGradient<P>::add_estimate(const Estimate& estimate, std::span<const Index> features) {
  if constexpr (std::is_same_v<P, BinaryProblem>) {
    for (const Index index : features) {
      const auto j = static_cast<std::size_t>(index);
      double value = 0.0;
      for (std::size_t k = 0; k < estimate.alpha.size(); ++k)
        value += estimate.alpha[k] * snapshots_[estimate.snapshots[k]].gradient.w[j];
      gradient_.w[j] = value;
    }
  }
}

template <class P>
std::vector<Index> LazyGradient<P>::features_to_see() {
  if (is_whole_) return {};
  if (of_all_.off == kUnknown) return all_indices(problem_.n_features());
  std::vector<Index> features = chosen_features(gradient_.contenders->features, [&](Index j) {
    const double off = estimate_of(j).off * reach_.norms[static_cast<std::size_t>(j)];
    return (seen_[static_cast<std::size_t>(j)] == 0) &
           (problem_.strength(gradient_, j) + off >= problem_.threshold(j));
  });
  leave_out_by_tails(features);
  return features;
}

template <class P>
void LazyGradient<P>::measure_tails() {
  if (std::exchange(knows_tails_, true)) return;
  const double n = problem_.n_samples();
  for (Estimate* estimate : {&of_all_, &of_near_}) {
    if (estimate == &of_near_ && near_.empty()) continue;
    estimate->tail = residual_tail(flat(r_), estimate->parts, estimate->alpha, estimate->off / std::sqrt(n),
                                   problem_.design().collective());
  }
}

// Those that are in reach by their norms alone, if to look at them costs more than to know better.
template <class P>
void LazyGradient<P>::leave_out_by_tails(std::vector<Index>& features) {
  constexpr double kCost = 4.0;  // numbers for each sample
  if (!has_far_residuals_) return;
  const auto stored = static_cast<double>(problem_.design().stored());
  if (!(spare_share_of(features) * stored > kCost * problem_.n_samples())) return;
  measure_tails();
  std::erase_if(features, [&](Index j) {
    const Estimate& estimate = estimate_of(j);
    const double off =
        reach_.most(j, estimate.tail) + estimate.slack * reach_.norms[static_cast<std::size_t>(j)];
    return problem_.strength(gradient_, j) + off < problem_.threshold(j);
  });
}

// A snapshot of the near features, or a whole one, when looks at single features have cost as much. False where it is not time yet.
template <class P>
bool LazyGradient<P>::renew_near_features(std::span<const Index> features, double& passes) {
  if (!has_far_residuals_ || of_all_.off == kUnknown) return false;
  std::vector<Index> far;
  std::ranges::copy_if(features, std::back_inserter(far), [&](Index j) { return &estimate_of(j) == &of_all_; });
  const double spare = spare_share_of(features);
  const double spare_far = near_.empty() ? 0.0 : spare_share_of(far);
  if (spent_far_ + spare_far > 1.0) {
    look_at_all(passes);
    return true;
  }
  const bool is_time = knows_tails_ && spent_ + spare > share_of(near_);
  if (is_time && near_.empty()) near_ = choose_near_features();
  if (!is_time || spent_ + spare <= share_of(near_)) {
    spent_ += spare;
    spent_far_ += spare_far;
    if (is_near_.empty()) near_.clear();
    return false;
  }
  is_near_.assign(reach_.norms.size(), 0);
  for (const Index j : near_) is_near_[static_cast<std::size_t>(j)] = 1;
  std::vector<Index> all;
  std::ranges::set_union(features, near_, std::back_inserter(all));
  std::erase_if(all, [&](Index j) { return is_exact(j); });
  look_at(all, passes);
  take_snapshot(false);
  spent_ = 0.0;
  return true;
}

// Those that would be in reach if the residuals moved on as far as they have come a few times more.
template <class P>
std::vector<Index> LazyGradient<P>::choose_near_features() {
  constexpr double kAsFar = 3.0;
  find_contenders(0.0, 0.0);
  std::vector<Index> near;
  for (Index j = 0; j < static_cast<Index>(reach_.norms.size()); ++j) {
    if (problem_.strength(gradient_, j) + kAsFar * reach_.most(j, of_all_.tail) >= problem_.threshold(j))
      near.push_back(j);
  }
  return near;
}

template <class P>
double LazyGradient<P>::share_of(std::span<const Index> features) const {
  if (!has_far_residuals_)
    return static_cast<double>(features.size()) / std::max(1.0, static_cast<double>(reach_.norms.size()));
  double read = 0.0;
  for (const Index j : features) read += reach_.entries[static_cast<std::size_t>(j)];
  return read / std::max(1.0, static_cast<double>(problem_.design().stored()));
}

template <class P>
double LazyGradient<P>::spare_share_of(std::span<const Index> features) const {
  constexpr double kFar = 0.8;  // of the threshold
  double read = 0.0;
  for (const Index j : features) {
    if (problem_.strength(gradient_, j) <= kFar * problem_.threshold(j))
      read += reach_.entries[static_cast<std::size_t>(j)];
  }
  return read / std::max(1.0, static_cast<double>(problem_.design().stored()));
}

template class LazyGradient<BinaryProblem>;
template class LazyGradient<MulticlassProblem>;

}  // namespace hsvm
