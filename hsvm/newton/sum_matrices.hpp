// Gram matrices summed over ranks: what is on and below the diagonals travels, all matrices in one call.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "hsvm/core/collective.hpp"
#include "hsvm/linalg/symmetric_matrix.hpp"

namespace hsvm {

// All of one size. Leaves them whole, above the diagonal too.
inline void sum_matrices(const Collective& ranks, std::span<SymmetricMatrix> matrices) {
  std::vector<double> entries;
  for (const SymmetricMatrix& matrix : matrices) {
    for (Index i = 0; i < matrix.size(); ++i)
      entries.insert(entries.end(), matrix.row(i), matrix.row(i) + i + 1);
  }
  ranks.sum(entries);
  const double* from = entries.data();
  for (SymmetricMatrix& matrix : matrices) {
    for (Index i = 0; i < matrix.size(); from += i + 1, ++i) std::copy_n(from, i + 1, matrix.row(i));
    matrix.mirror();
  }
}

}  // namespace hsvm
