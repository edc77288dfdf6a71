// Kernels with registers of eight doubles where the processor has them (AVX-512), of four elsewhere, for what goes along rows entry by
// entry: rows of classes (core/class_matrix.hpp), of Gram matrices and factors.
//
//   double f(...) {
//     return at_best_width([=]<bool wide>() HSVM_INLINED { ... });
//   }
//
// compiles the body for several generations of x86-64 and runs the best the machine has. What it needs it captures as numbers and
// pointers, by value, so that they stay in registers. The body goes along a row by for_lanes<wide> or by_row_parts<wide>. An entry
// has its own lane either way, and nothing is fused: the same bits.
#pragma once

#include <type_traits>

#include "hsvm/core/lanes.hpp"

#define HSVM_INLINED __attribute__((always_inline))

namespace hsvm {

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define HSVM_FOR_WIDE [[gnu::target("avx512f,avx512vl,avx512dq,avx512bw")]]

template <class Body>
HSVM_FOR_WIDE auto run_wide(Body body) {
  return body.template operator()<true>();
}
template <class Body>
[[gnu::target("avx2")]] auto run_with_avx2(Body body) {
  return body.template operator()<false>();
}
inline bool has_wide_registers() {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
         __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0;
}
template <class Body>
auto at_best_width(const Body& body) {
  if (has_wide_registers()) return run_wide(body);
  if (__builtin_cpu_supports("avx2")) return run_with_avx2(body);
  return body.template operator()<false>();
}

#else
#define HSVM_FOR_WIDE

inline bool has_wide_registers() {
  return false;
}
template <class Body>
auto run_wide(Body body) {
  return body.template operator()<true>();
}
template <class Body>
auto at_best_width(const Body& body) {
  return body.template operator()<false>();
}

#endif

// The kind of register that is passed by reference to a body.
template <class Register>
using LanesOf = std::remove_cvref_t<Register>;

// Neighbouring entries of a row: `wides` registers of eight, then `narrows` of four.
template <Index wides, Index narrows>
struct RowPart {
  static constexpr Index kSize = wides * kWideLanes + narrows * kLanes;
  WideLanes wide[wides > 0 ? wides : 1];
  Lanes narrow[narrows > 0 ? narrows : 1];

  // body(a register, the entry it begins with) for each.
  template <class Body>
  [[gnu::always_inline]] void each(const Body& body) {
    for (Index v = 0; v < wides; ++v) body(wide[v], v * kWideLanes);
    for (Index v = 0; v < narrows; ++v) body(narrow[v], wides * kWideLanes + v * kLanes);
  }
  [[gnu::always_inline]] void load(const double* row) {
    each([&](auto& lanes, Index k) HSVM_INLINED { lanes = load_as<LanesOf<decltype(lanes)>>(row + k); });
  }
  [[gnu::always_inline]] void store(double* row) {
    each([&](auto& lanes, Index k) HSVM_INLINED { hsvm::store(row + k, lanes); });
  }
  // += factor row
  [[gnu::always_inline]] void add(double factor, const double* row) {
    each([&](auto& lanes, Index k)
             HSVM_INLINED { lanes += factor * load_as<LanesOf<decltype(lanes)>>(row + k); });
  }
  // += factor other
  [[gnu::always_inline]] void add(double factor, RowPart& other) {
    for_each_register([&]<class L>(Index v, Index)
                          HSVM_INLINED { at<L>(v) += factor * other.template at<L>(v); });
  }
  // row += factor this
  [[gnu::always_inline]] void add_to(double* row, double factor) {
    each([&](auto& lanes, Index k) HSVM_INLINED {
      hsvm::store(row + k, load_as<LanesOf<decltype(lanes)>>(row + k) + factor * lanes);
    });
  }
  [[gnu::always_inline]] void add_to(double* row) {
    each([&](auto& lanes, Index k)
             HSVM_INLINED { hsvm::store(row + k, load_as<LanesOf<decltype(lanes)>>(row + k) + lanes); });
  }
  // The v-th register of its kind.
  template <class L>
  [[gnu::always_inline]] L& at(Index v) {
    if constexpr (std::is_same_v<L, WideLanes>) {
      return wide[v];
    } else {
      return narrow[v];
    }
  }
  // body.operator()<L>(the number of a register among those of its kind, the entry it begins with) for each.
  template <class Body>
  [[gnu::always_inline]] static void for_each_register(const Body& body) {
    for (Index v = 0; v < wides; ++v) body.template operator()<WideLanes>(v, v * kWideLanes);
    for (Index v = 0; v < narrows; ++v) body.template operator()<Lanes>(v, wides * kWideLanes + v * kLanes);
  }
};

// A part of four times `fours` entries, in as few registers as there can be.
template <bool wide, Index fours>
using RowPartOf = RowPart<wide ? fours / 2 : 0, wide ? fours % 2 : fours>;

template <bool wide, Index most, class Run>
[[gnu::always_inline]] inline void run_last_part(Index first, Index left, const Run& run) {
  if constexpr (most > 0) {
    if (left == kLanes * most) return run.template operator()<RowPartOf<wide, most>>(first);
    run_last_part<wide, most - 1>(first, left, run);
  }
}

// Calls run.operator()<RowPart<..>>(first entry) for parts of at most `most` times four entries (twice as many in wide registers) that
// together are a row of `stride` doubles, a multiple of four.
template <bool wide, Index most = 3, class Run>
[[gnu::always_inline]] inline void by_row_parts(Index stride, const Run& run) {
  constexpr Index fours = wide ? 2 * most : most;
  Index k = 0;
  for (; stride - k > kLanes * fours; k += kLanes * fours) run.template operator()<RowPartOf<wide, fours>>(k);
  run_last_part<wide, fours>(k, stride - k, run);
}

// Calls body.operator()<L>(k), L being WideLanes or Lanes, along a row of `stride` doubles.
template <bool wide, class Body>
[[gnu::always_inline]] inline void for_lanes(Index stride, const Body& body) {
  Index k = 0;
  if constexpr (wide) {
    for (; k + kWideLanes <= stride; k += kWideLanes) body.template operator()<WideLanes>(k);
  }
  for (; k < stride; k += kLanes) body.template operator()<Lanes>(k);
}

// Comparisons, lane by lane. The compiler knows registers of eight as masks only inside of functions for processors that have them,
// hence the twins: x limited to 0 .. cap; x where a is above, below or other than the bound, 0 elsewhere.
#define HSVM_COMPARISONS(qualifiers, L)                             \
  qualifiers void limit(L& x, double cap) {                         \
    const L zero = {};                                              \
    const L most = zero + cap;                                      \
    x = x < zero ? zero : x;                                        \
    x = x > most ? most : x;                                        \
  }                                                                 \
  qualifiers void keep_above(double bound, const L& a, L& x) {      \
    const L zero = {};                                              \
    x = a > zero + bound ? x : zero;                                \
  }                                                                 \
  qualifiers void keep_below(double bound, const L& a, L& x) {      \
    const L zero = {};                                              \
    x = a < zero + bound ? x : zero;                                \
  }                                                                 \
  qualifiers void keep_other_than(double bound, const L& a, L& x) { \
    const L zero = {};                                              \
    x = a == zero + bound ? zero : x;                               \
  }
HSVM_COMPARISONS([[gnu::always_inline]] inline, Lanes)
HSVM_COMPARISONS(HSVM_FOR_WIDE inline, WideLanes)
#undef HSVM_COMPARISONS

// total += lanes, wide ones four after the other, as if they had come in two registers.
[[gnu::always_inline]] inline void add_in_turn(Lanes& total, Lanes lanes) {
  total += lanes;
}
[[gnu::always_inline]] inline void add_in_turn(Lanes& total, WideLanes lanes) {
  total += __builtin_shufflevector(lanes, lanes, 0, 1, 2, 3);
  total += __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7);
}

}  // namespace hsvm
