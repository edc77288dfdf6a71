#include "hsvm/core/vector_sums.hpp"

#include <cassert>
#include <cmath>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"

namespace hsvm {
namespace {

[[gnu::always_inline]] inline Lanes absolute(Lanes x) {
  return x < Lanes{} ? -x : x;
}

// Two sums at a time: one alone would wait for each addition.
template <class Term, class Rest>
[[gnu::always_inline]] inline double sum_terms(std::size_t n, const Term& term, const Rest& rest_term) {
  Lanes even = {};
  Lanes odd = {};
  std::size_t i = 0;
  for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
    even += term(i);
    odd += term(i + kLanes);
  }
  double rest = 0.0;
  for (; i < n; ++i) rest += rest_term(i);
  return sum(even + odd) + rest;
}

}  // namespace

HSVM_CLONES double absolute_sum_of(std::span<const double> x) {
  const double* const data = x.data();
  return sum_terms(
      x.size(), [&](std::size_t i) { return absolute(load(data + i)); },
      [&](std::size_t i) { return std::abs(data[i]); });
}

HSVM_CLONES double weighted_absolute_sum_of(std::span<const double> weights, std::span<const double> x) {
  assert(weights.size() == x.size());
  const double* const data = x.data();
  const double* const v = weights.data();
  return sum_terms(
      x.size(), [&](std::size_t i) { return load(v + i) * absolute(load(data + i)); },
      [&](std::size_t i) { return v[i] * std::abs(data[i]); });
}

HSVM_CLONES double squared_norm_of(std::span<const double> x) {
  const double* const data = x.data();
  return sum_terms(
      x.size(), [&](std::size_t i) { return load(data + i) * load(data + i); },
      [&](std::size_t i) { return data[i] * data[i]; });
}

HSVM_CLONES double squared_distance_of(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  const double* const a = x.data();
  const double* const b = y.data();
  return sum_terms(
      x.size(),
      [&](std::size_t i) {
        const Lanes difference = load(a + i) - load(b + i);
        return difference * difference;
      },
      [&](std::size_t i) { return (a[i] - b[i]) * (a[i] - b[i]); });
}

HSVM_CLONES double dot_of(std::span<const double> x, std::span<const double> y) {
  Lanes first = {};
  Lanes second = {};
  std::size_t i = 0;
  for (; i + 2 * kLanes <= x.size(); i += 2 * kLanes) {
    first += load(x.data() + i) * load(y.data() + i);
    second += load(x.data() + i + kLanes) * load(y.data() + i + kLanes);
  }
  double rest = 0.0;
  for (; i < x.size(); ++i) rest += x[i] * y[i];
  return sum(first + second) + rest;
}

HSVM_CLONES void add_scaled(double factor, std::span<const double> x, std::span<double> out) {
  by_lanes(
      out.size(),
      [&](std::size_t i) { store(out.data() + i, load(out.data() + i) + factor * load(x.data() + i)); },
      [&](std::size_t i) { out[i] += factor * x[i]; });
}

}  // namespace hsvm
