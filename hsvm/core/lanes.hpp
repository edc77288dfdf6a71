// Four doubles at a time, for kernels: arithmetic on Lanes is arithmetic on each of them. For .cpp files of
// kernels only, whose functions carry HSVM_CLONES (core/clones.hpp) or call at_best_width (core/widths.hpp).
#pragma once

#include <cmath>
#include <cstring>

#include "hsvm/core/types.hpp"

namespace hsvm {

using Lanes = double __attribute__((vector_size(32)));
inline constexpr Index kLanes = 4;
// Eight of them, for processors that have such registers (core/widths.hpp).
using WideLanes = double __attribute__((vector_size(64)));
inline constexpr Index kWideLanes = 8;

[[gnu::always_inline]] inline Lanes load(const double* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}
[[gnu::always_inline]] inline Lanes load(const float* from) {
  using Stored = float __attribute__((vector_size(16)));
  Stored stored;
  std::memcpy(&stored, from, sizeof(stored));
  return __builtin_convertvector(stored, Lanes);
}
// Lanes or WideLanes.
template <class L>
[[gnu::always_inline]] inline L load_as(const double* from) {
  L lanes;
  std::memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}
template <class L>
[[gnu::always_inline]] inline void store(double* to, L lanes) {
  std::memcpy(to, &lanes, sizeof(lanes));
}
[[gnu::always_inline]] inline double sum(Lanes lanes) {
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}
// sum(lanes[0]) .. sum(lanes[3]), to the bit.
[[gnu::always_inline]] inline Lanes sum_each(const Lanes* lanes) {
  const auto pairs = [](Lanes a, Lanes b) {  // a0 + a1, b0 + b1, a2 + a3, b2 + b3
    return __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  };
  const Lanes first = pairs(lanes[0], lanes[1]);
  const Lanes second = pairs(lanes[2], lanes[3]);
  return __builtin_shufflevector(first, second, 0, 1, 4, 5) +
         __builtin_shufflevector(first, second, 2, 3, 6, 7);
}
// Of numbers as well, for terms that are written once for Lanes and for what is left of them.
[[gnu::always_inline]] inline Lanes absolute(Lanes x) {
  return x < Lanes{} ? -x : x;
}
[[gnu::always_inline]] inline double absolute(double x) {
  return std::abs(x);
}

// Calls body(i) for i = 0, 4, 8, ... with whole Lanes and rest(i) for what is left of n.
template <class Body, class Rest>
[[gnu::always_inline]] inline void by_lanes(std::size_t n, const Body& body, const Rest& rest) {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) body(i);
  for (; i < n; ++i) rest(i);
}

}  // namespace hsvm
