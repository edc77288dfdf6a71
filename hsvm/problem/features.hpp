// Small questions about features that the binary and the multi-class problem answer alike.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/data/design.hpp"

namespace hsvm {

// Of its threshold: below, a feature's pull matters to no bound, whatever rounding adds to it.
inline constexpr double kNearThreshold = 0.9;

// sum_i s_i |x_i|^2; reads X once.
[[nodiscard]] inline double weighted_squared_norm(const Design& design, std::span<const double> s) {
  std::vector<double> squares(static_cast<std::size_t>(design.cols()));
  design.column_squared_norms(all_indices(design.cols()), s, squares);
  double total = 0.0;
  for (const double square : squares) total += square;
  return total;
}

// The features with penalty factor 0; `factors` is empty where all are 1.
[[nodiscard]] inline std::vector<Index> unpenalised_features(std::span<const double> factors) {
  std::vector<Index> result;
  for (std::size_t j = 0; j < factors.size(); ++j) {
    if (factors[j] == 0.0) result.push_back(static_cast<Index>(j));
  }
  return result;
}

// The features of a list that are not in another; both ascending.
[[nodiscard]] inline std::vector<Index> features_outside(std::span<const Index> features,
                                                         std::span<const Index> known) {
  std::vector<Index> result;
  std::ranges::set_difference(features, known, std::back_inserter(result));
  return result;
}

}  // namespace hsvm
