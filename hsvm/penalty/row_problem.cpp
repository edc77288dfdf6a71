#include "hsvm/penalty/row_problem.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"
#include "hsvm/penalty/elastic_net.hpp"

namespace hsvm {
namespace {

// Takes the rounding error of the sum out of the nonzero entries, in proportion to `inverses`, as sigma would.
// Returns whether there are any: a half-range above lambda by no more than rounding may leave none.
bool remove_sum(std::span<double> w, const double* inverses) {
  for (int round = 0; round < 2; ++round) {
    double sum = 0.0;
    double weight = 0.0;
    for (std::size_t k = 0; k < w.size(); ++k) {
      sum += w[k];
      weight += w[k] != 0.0 ? inverses[k] : 0.0;
    }
    if (sum == 0.0) return weight > 0.0;
    const double rate = sum / weight;
    for (std::size_t k = 0; k < w.size(); ++k) w[k] -= w[k] != 0.0 ? rate * inverses[k] : 0.0;
  }
  return std::any_of(w.begin(), w.end(), [](double value) { return value != 0.0; });
}

// The root of f(sigma) = sum_k S_lambda(key_k - sigma) inverse_k, which falls and is linear between breaks: Newton's method, which ends
// at the root of the first piece that has its root in itself. Each sigma but the last becomes a bound of the root; a root of a piece
// that lies beyond the bounds is replaced by their middle. `size` in whole Lanes; low and high: the smallest key and the largest.
HSVM_CLONES double find_root(const double* keys, const double* inverses, std::size_t size, double lambda,
                             double low, double high) {
  const Lanes zero = {};
  low += lambda;
  high -= lambda;
  double sigma = 0.5 * low + 0.5 * high;
  for (;;) {
    Lanes sums = {};
    Lanes weights = {};
    for (std::size_t k = 0; k < size; k += kLanes) {
      const Lanes key = load(keys + k);
      const Lanes inverse = load(inverses + k);
      const Lanes above = key - lambda;
      const Lanes below = key + lambda;
      const auto is_above = above > zero + sigma;
      const auto is_below = below < zero + sigma;
      const Lanes part = is_above ? above : is_below ? below : zero;
      sums += part * inverse;
      weights += (is_above | is_below) ? inverse : zero;
    }
    const double weight = sum(weights);
    // No entry above and none below: the half-range exceeds lambda by rounding alone.
    if (!(weight > 0.0)) return sigma;
    const double next = sum(sums) / weight;
    if (next == sigma) return sigma;
    (next > sigma ? low : high) = sigma;
    sigma = next > low && next < high ? next : 0.5 * low + 0.5 * high;
    if (!(sigma > low && sigma < high)) return sigma;
  }
}

struct Range {
  double low, high;
};
Range range_of(std::span<const double> z) {
  Range range{z[0], z[0]};
  for (const double value : z) {
    range.low = value < range.low ? value : range.low;
    range.high = value > range.high ? value : range.high;
  }
  return range;
}

}  // namespace

double half_range(std::span<const double> z) {
  const auto [low, high] = range_of(z);
  return 0.5 * (high - low);
}

RowSolver::RowSolver(Index n_classes)
    : size_(static_cast<std::size_t>(n_classes)),
      keys_((size_ + kLanes - 1) / kLanes * kLanes, 0.0),
      inverses_(keys_.size(), 0.0) {}

// Keys z less `centre`, which keeps their digits, and inverses 1.
void RowSolver::take(std::span<const double> z, double centre) {
  for (std::size_t k = 0; k < size_; ++k) {
    keys_[k] = z[k] - centre;
    inverses_[k] = 1.0;
  }
}

bool RowSolver::solve(std::span<const double> z, double lambda, std::span<double> w) {
  assert(z.size() == size_ && w.size() == size_);
  const auto [low, high] = range_of(z);
  const double centre = low + 0.5 * (high - low);
  if (!(high - low > 2.0 * lambda)) {
    std::fill(w.begin(), w.end(), 0.0);
    return false;
  }
  take(z, centre);
  const double sigma =
      find_root(keys_.data(), inverses_.data(), keys_.size(), lambda, low - centre, high - centre);
  for (std::size_t k = 0; k < size_; ++k) w[k] = shrink(keys_[k] - sigma, lambda);
  return remove_sum(w, inverses_.data());
}

double RowSolver::multiplier(std::span<const double> z, double lambda) {
  assert(z.size() == size_);
  const auto [low, high] = range_of(z);
  const double centre = low + 0.5 * (high - low);
  if (!(high - low > 2.0 * lambda)) return centre;
  take(z, centre);
  return centre + find_root(keys_.data(), inverses_.data(), keys_.size(), lambda, low - centre, high - centre);
}

bool RowSolver::solve_weighted(std::span<const double> z, std::span<const double> h, double lambda,
                               std::span<double> w) {
  assert(z.size() == size_ && w.size() == size_ && h.size() == size_);
  for (std::size_t k = 0; k < size_; ++k) keys_[k] = h[k] * z[k];
  const auto [low, high] = range_of({keys_.data(), size_});
  if (!(high - low > 2.0 * lambda)) {
    std::fill(w.begin(), w.end(), 0.0);
    return false;
  }
  for (std::size_t k = 0; k < size_; ++k) inverses_[k] = 1.0 / h[k];
  const double sigma = find_root(keys_.data(), inverses_.data(), keys_.size(), lambda, low, high);
  for (std::size_t k = 0; k < size_; ++k) w[k] = shrink(keys_[k] - sigma, lambda) * inverses_[k];
  return remove_sum(w, inverses_.data());
}

}  // namespace hsvm
