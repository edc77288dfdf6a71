// C += sign A'A for a panel A (depth x m) of few rows: the kernel behind Gram matrices and the Cholesky factor.
//
// The panel is packed by groups of 12 columns: entry (k, j) at values[(j/12 depth + k) 12 + j%12], so that a
// tile of 4 x 12 entries of C is summed in registers from contiguous reads.
#pragma once

#include <span>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/linalg/symmetric_matrix.hpp"

namespace hsvm {

class PackedPanel {
 public:
  static constexpr Index kGroup = SymmetricMatrix::kTile;

  // Room for depth x cols entries; the padding columns are zero, the others whatever is there.
  void reset(Index depth, Index cols);

  [[nodiscard]] Index depth() const { return depth_; }
  [[nodiscard]] Index cols() const { return cols_; }
  // The entries of column j are column(j)[k * kGroup].
  [[nodiscard]] double* column(Index j) { return group(j / kGroup) + j % kGroup; }
  [[nodiscard]] const double* group(Index g) const {
    return values_.data() + static_cast<std::size_t>(g) * static_cast<std::size_t>(depth_) * kGroup;
  }

 private:
  [[nodiscard]] double* group(Index g) {
    return values_.data() + static_cast<std::size_t>(g) * static_cast<std::size_t>(depth_) * kGroup;
  }
  Index depth_ = 0;
  Index cols_ = 0;
  AlignedBuffer<double> values_;
};

// Adds sign (A'A)_ij to C_(offset + i, offset + j) on and below the diagonal, for rows i >= first_row; offset
// and first_row are multiples of 12. Entries above the diagonal are left undefined: SymmetricMatrix::mirror
// sets them.
void add_outer_products(const PackedPanel& a, Index first_row, double sign, SymmetricMatrix& c,
                        Index offset = 0);

// C += sum_k signs_k x_k x_k' on both sides of the diagonal, which stay equal to the bit. x_k: C.padded_size() numbers from
// values[k C.padded_size()] on, the padding zero; signs: +1 or -1. For a few vectors: no panel is packed and nothing is left to mirror.
void add_few_outer_products(std::span<const double> values, std::span<const double> signs, SymmetricMatrix& c);

}  // namespace hsvm
