// Which packages were there when the baselines were built. Without its package a baseline is declared but has no
// body: callers ask here first, by `if constexpr`.
#pragma once

namespace hsvm::baselines {

#ifdef HSVM_HAS_LIBLINEAR
inline constexpr bool kHasLiblinear = true;
#else
inline constexpr bool kHasLiblinear = false;
#endif

#ifdef HSVM_HAS_CLP
inline constexpr bool kHasClp = true;
#else
inline constexpr bool kHasClp = false;
#endif

#ifdef HSVM_HAS_LIBSVM
inline constexpr bool kHasLibsvm = true;
#else
inline constexpr bool kHasLibsvm = false;
#endif

}  // namespace hsvm::baselines
