// What single columns of dense and sparse matrices have in common, entry by entry: row_of(e) is the sample of entry e. For the
// .cpp files of this folder, whose functions carry HSVM_CLONES.
#pragma once

#include <cstddef>

#include "hsvm/core/lanes.hpp"

namespace hsvm::detail {

// The sum of term(e) over entries, four at a time: one alone would wait for each addition.
template <class Sum, class Term>
[[gnu::always_inline]] inline Sum sum_entries(std::size_t size, const Term& term) {
  Sum sum[4] = {};
  std::size_t e = 0;
  for (; e + 4 <= size; e += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += term(e + lane);
  }
  for (; e < size; ++e) sum[0] += term(e);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// out = x'R, a register of classes at a time: they are few, and the column stays in the L1 cache between them.
template <class T, class RowOf>
[[gnu::always_inline]] inline void class_dot(std::size_t size, const T* x, const RowOf& row_of, const double* r,
                                             std::size_t stride, double* out) {
  for (std::size_t k = 0; k < stride; k += kLanes) {
    store(out + k, sum_entries<Lanes>(size, [&](std::size_t e) {
            return static_cast<double>(x[e]) * load(r + row_of(e) * stride + k);
          }));
  }
}

// out_ik += factors_k S_ik x_i
template <class T, class RowOf>
[[gnu::always_inline]] inline void class_add(std::size_t size, const T* x, const RowOf& row_of, const double* s,
                                             const double* factors, std::size_t stride, double* out) {
  for (std::size_t k = 0; k < stride; k += kLanes) {
    const Lanes by = load(factors + k);
    for (std::size_t e = 0; e < size; ++e) {
      const std::size_t at = row_of(e) * stride + k;
      store(out + at, load(out + at) + load(s + at) * (static_cast<double>(x[e]) * by));
    }
  }
}

}  // namespace hsvm::detail
