// Four doubles at a time, for kernels: arithmetic on Lanes is arithmetic on each of them. For the .cpp files of kernels only.
#pragma once

#include <cstring>

#include "hsvm/core/types.hpp"

namespace hsvm {

using Lanes = double __attribute__((vector_size(32)));
inline constexpr Index kLanes = 4;

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
[[gnu::always_inline]] inline void store(double* to, Lanes lanes) {
  std::memcpy(to, &lanes, sizeof(lanes));
}

}  // namespace hsvm
