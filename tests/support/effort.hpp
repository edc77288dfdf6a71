// How many of a test's cases are tried. The sanitizers make everything ten to thirty times as slow: what is a matter of
// arithmetic is tried in full by the release build, and there on a sample of the same cases.
#pragma once

namespace hsvm::test {

#ifdef HSVM_SANITIZED
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif

// `full`, but `sample` under the sanitizers.
template <class T>
[[nodiscard]] constexpr T unless_sanitized(T full, T sample) {
  return kIsSanitized ? sample : full;
}

}  // namespace hsvm::test
