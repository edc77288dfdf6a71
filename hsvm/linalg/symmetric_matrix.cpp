#include "hsvm/linalg/symmetric_matrix.hpp"

#include <utility>

namespace hsvm {

void SymmetricMatrix::resize(Index size, Index kept) {
  const Index needed = padded(size);
  if (needed > stride_) {
    SymmetricMatrix larger;
    larger.reset_uninitialised(needed + needed / 4);
    for (Index i = 0; i < kept; ++i) std::copy_n(row(i), kept, larger.row(i));
    std::swap(values_, larger.values_);
    stride_ = larger.stride_;
  }
  size_ = size;
  std::fill(row(kept), row(needed), 0.0);
}

void SymmetricMatrix::mirror(Index first) {
  constexpr Index kBlock = 32;  // both sides of a block stay in the L1 cache
  for (Index row_block = first / kBlock * kBlock; row_block < size_; row_block += kBlock) {
    for (Index column_block = 0; column_block <= row_block; column_block += kBlock) {
      const Index row_end = std::min(size_, row_block + kBlock);
      for (Index i = std::max(first, row_block); i < row_end; ++i) {
        const double* const from = row(i);
        const Index end = std::min(i, column_block + kBlock);
        for (Index j = column_block; j < end; ++j) row(j)[i] = from[j];
      }
    }
  }
}

}  // namespace hsvm
