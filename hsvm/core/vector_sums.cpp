#include "hsvm/core/vector_sums.hpp"

#include <cassert>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"

namespace hsvm {
namespace {

// The sum of term(x_i, ...) over the entries of all vectors; `term` takes Lanes and numbers. Two sums at a time: one
// alone would wait for each addition.
template <class Term, class... Vectors>
[[gnu::always_inline]] inline double sum_terms(const Term& term, std::span<const double> x,
                                               const Vectors&... more) {
  Lanes even = {};
  Lanes odd = {};
  std::size_t i = 0;
  for (; i + 2 * kLanes <= x.size(); i += 2 * kLanes) {
    even += term(load(x.data() + i), load(more.data() + i)...);
    odd += term(load(x.data() + i + kLanes), load(more.data() + i + kLanes)...);
  }
  double rest = 0.0;
  for (; i < x.size(); ++i) rest += term(x[i], more[i]...);
  return sum(even + odd) + rest;
}

}  // namespace

HSVM_CLONES double sum_of(std::span<const double> x) {
  return sum_terms([](const auto& a) { return a; }, x);
}

HSVM_CLONES double absolute_sum_of(std::span<const double> x) {
  return sum_terms([](const auto& a) { return absolute(a); }, x);
}

HSVM_CLONES double weighted_absolute_sum_of(std::span<const double> weights, std::span<const double> x) {
  assert(weights.size() == x.size());
  return sum_terms([](const auto& v, const auto& a) { return v * absolute(a); }, weights, x);
}

HSVM_CLONES double squared_norm_of(std::span<const double> x) {
  return sum_terms([](const auto& a) { return a * a; }, x);
}

HSVM_CLONES double squared_distance_of(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  return sum_terms([](const auto& a, const auto& b) { return (a - b) * (a - b); }, x, y);
}

HSVM_CLONES double dot_of(std::span<const double> x, std::span<const double> y) {
  return sum_terms([](const auto& a, const auto& b) { return a * b; }, x, y);
}

HSVM_CLONES void add_scaled(double factor, std::span<const double> x, std::span<double> out) {
  by_lanes(
      out.size(),
      [&](std::size_t i) { store(out.data() + i, load(out.data() + i) + factor * load(x.data() + i)); },
      [&](std::size_t i) { out[i] += factor * x[i]; });
}

}  // namespace hsvm
