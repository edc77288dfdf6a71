// The half-ranges of many rows (row_problem.hpp), four at a time.
#pragma once

#include <span>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/core/types.hpp"

namespace hsvm {

// out[k] = half_range(row first + k of z), to the bit.
void half_ranges(const ClassMatrix& z, Index first, std::span<double> out);

}  // namespace hsvm
