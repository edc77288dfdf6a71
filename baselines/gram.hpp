// X'X (p x p) and XX' (n x n) in full. A dense design goes through the kernel of the library's own Gram matrices, a
// sparse one through outer products of its rows or columns.
#pragma once

#include "hsvm/data/design.hpp"
#include "hsvm/linalg/symmetric_matrix.hpp"

namespace hsvm::baselines {

[[nodiscard]] SymmetricMatrix gram_of_columns(const Design& design);  // X'X
[[nodiscard]] SymmetricMatrix gram_of_rows(const Design& design);     // XX'

}  // namespace hsvm::baselines
