// Finds the few entries of a long vector that matter, several at a time: for |x_j| against a limit.
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/types.hpp"

namespace hsvm {

// The j with |x_j| > limit, ascending.
[[nodiscard]] std::vector<Index> indices_above(std::span<const double> x, double limit);

// The j with |x_j| + factor y_j >= limit, ascending; factor and y are not negative.
[[nodiscard]] std::vector<Index> indices_reaching(std::span<const double> x, std::span<const double> y,
                                                  double factor, double limit);

}  // namespace hsvm
