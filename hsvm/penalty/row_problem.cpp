#include "hsvm/penalty/row_problem.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hsvm/penalty/elastic_net.hpp"

namespace hsvm {
namespace {

constexpr std::size_t kInsertionSort = 32;  // up to here insertion sort is the fastest

// Takes the rounding error of the sum out of the nonzero entries, in proportion to `inverse`, as sigma would.
// Returns whether there are any: a half-range above lambda by no more than rounding may leave none.
template <class Inverse>
bool remove_sum(std::span<double> w, const Inverse& inverse) {
  for (int round = 0; round < 2; ++round) {
    double sum = 0.0;
    double weight = 0.0;
    for (std::size_t k = 0; k < w.size(); ++k) {
      sum += w[k];
      if (w[k] != 0.0) weight += inverse(k);
    }
    if (sum == 0.0) return weight > 0.0;
    for (std::size_t k = 0; k < w.size(); ++k) {
      if (w[k] != 0.0) w[k] -= sum * (inverse(k) / weight);
    }
  }
  return std::any_of(w.begin(), w.end(), [](double value) { return value != 0.0; });
}

}  // namespace

double half_range(std::span<const double> z) {
  double low = z[0];
  double high = z[0];
  for (const double value : z) {
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
  return 0.5 * (high - low);
}

RowSolver::RowSolver(Index n_classes) : entries_(static_cast<std::size_t>(n_classes)) {}

double RowSolver::find_multiplier(double lambda) {
  const std::size_t size = entries_.size();
  const auto by_key = [](const Entry& a, const Entry& b) { return a.key < b.key; };
  if (size > kInsertionSort) {
    std::sort(entries_.begin(), entries_.end(), by_key);
  } else {
    for (std::size_t k = 1; k < size; ++k) {
      const Entry entry = entries_[k];
      std::size_t place = k;
      for (; place > 0 && entries_[place - 1].key > entry.key; --place) entries_[place] = entries_[place - 1];
      entries_[place] = entry;
    }
  }

  // From sigma = -infinity on: entries first.. are above sigma + lambda, entries ..last are below sigma -
  // lambda.
  std::size_t first = 0;
  std::size_t last = 0;
  double sum = 0.0;     // of (key - lambda) / h above and (key + lambda) / h below
  double weight = 0.0;  // of 1 / h over both
  for (const Entry& entry : entries_) {
    sum += (entry.key - lambda) * entry.inverse;
    weight += entry.inverse;
  }
  while (first < size && last < size) {  // last <= first, unless something is no number
    const double leaves = entries_[first].key - lambda;
    const double enters = entries_[last].key + lambda;
    if (sum <= weight * std::min(leaves, enters)) break;
    if (leaves <= enters) {
      sum -= leaves * entries_[first].inverse;
      weight -= entries_[first].inverse;
      ++first;
    } else {
      sum += enters * entries_[last].inverse;
      weight += entries_[last].inverse;
      ++last;
    }
  }

  // The piece is known: its root once more, free of what the walk has rounded away.
  sum = 0.0;
  weight = 0.0;
  for (std::size_t k = first; k < size; ++k) {
    sum += (entries_[k].key - lambda) * entries_[k].inverse;
    weight += entries_[k].inverse;
  }
  for (std::size_t k = 0; k < last; ++k) {
    sum += (entries_[k].key + lambda) * entries_[k].inverse;
    weight += entries_[k].inverse;
  }
  // No entry left above and none below: the half-range exceeds lambda by rounding alone.
  return weight > 0.0 ? sum / weight : 0.5 * entries_.front().key + 0.5 * entries_.back().key;
}

bool RowSolver::solve(std::span<const double> z, double lambda, std::span<double> w) {
  assert(z.size() == entries_.size() && w.size() == z.size());
  const auto [low, high] = std::minmax_element(z.begin(), z.end());
  const double centre = *low + 0.5 * (*high - *low);
  if (!(*high - *low > 2.0 * lambda)) {
    std::fill(w.begin(), w.end(), 0.0);
    return false;
  }
  for (std::size_t k = 0; k < z.size(); ++k) entries_[k] = {z[k] - centre, 1.0};
  const double sigma = find_multiplier(lambda);
  for (std::size_t k = 0; k < z.size(); ++k) w[k] = shrink((z[k] - centre) - sigma, lambda);
  return remove_sum(w, [](std::size_t) { return 1.0; });
}

double RowSolver::multiplier(std::span<const double> z, double lambda) {
  assert(z.size() == entries_.size());
  const auto [low, high] = std::minmax_element(z.begin(), z.end());
  const double centre = *low + 0.5 * (*high - *low);
  if (!(*high - *low > 2.0 * lambda)) return centre;
  for (std::size_t k = 0; k < z.size(); ++k) entries_[k] = {z[k] - centre, 1.0};
  return centre + find_multiplier(lambda);
}

bool RowSolver::solve_weighted(std::span<const double> z, std::span<const double> h, double lambda,
                               std::span<double> w) {
  assert(z.size() == entries_.size() && w.size() == z.size() && h.size() == z.size());
  double low = h[0] * z[0];
  double high = low;
  for (std::size_t k = 0; k < z.size(); ++k) {
    low = std::min(low, h[k] * z[k]);
    high = std::max(high, h[k] * z[k]);
  }
  if (!(high - low > 2.0 * lambda)) {
    std::fill(w.begin(), w.end(), 0.0);
    return false;
  }
  for (std::size_t k = 0; k < z.size(); ++k) entries_[k] = {h[k] * z[k], 1.0 / h[k]};
  const double sigma = find_multiplier(lambda);
  for (std::size_t k = 0; k < z.size(); ++k) w[k] = shrink(h[k] * z[k] - sigma, lambda) / h[k];
  return remove_sum(w, [&](std::size_t k) { return 1.0 / h[k]; });
}

}  // namespace hsvm
