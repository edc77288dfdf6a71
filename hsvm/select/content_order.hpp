// The samples in an order that depends on what they are and not on how they come: what is dealt at random in this order is
// the same for the same samples in any order, in any units of the features, and with samples of weight 0 among them.
//
// By class, then by sum_j r_j z_ij^2 with fixed random numbers r and standardised features z, so that units, signs and
// origins of features do not matter, then by weight. Samples that agree in all three are alike (or so nearly alike that
// rounding decides), and it does not matter which of them is dealt where. Inside of the library.
#pragma once

#include <vector>

#include "hsvm/fit/input.hpp"
#include "hsvm/select/all_samples.hpp"

namespace hsvm::detail {

// The samples of all ranks; those of weight 0 are not among them. The data has labels; it is read twice.
[[nodiscard]] std::vector<Index> content_order(const FitInput& input, const AllSamples& all);
[[nodiscard]] std::vector<Index> content_order(const FitInput& input);

}  // namespace hsvm::detail
