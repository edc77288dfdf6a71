// Coefficients of standardised features, brought to the scale of the data:
//
//   b + w'z = b + sum_j w_j scales_j (x_j - centers_j):      w_j <- scales_j w_j      b <- b - sum_j centers_j scales_j w_j
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/data/standardization.hpp"

namespace hsvm {

// coefficients: a row for each of the features, one number for each intercept. Nothing changes where nothing is standardised.
void to_data_scale(const Standardization& standardization, std::span<double> intercept,
                   std::span<const Index> features, std::span<double> coefficients);

}  // namespace hsvm
