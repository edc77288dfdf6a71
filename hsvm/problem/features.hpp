// Small questions about features that the binary and the multi-class problem answer alike.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "hsvm/core/parallel.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/data/design.hpp"

namespace hsvm {

// sum_i s_i |x_i|^2; reads X once.
template <Design X>
[[nodiscard]] double weighted_squared_norm(const X& design, std::span<const double> s) {
  constexpr Index kBlock = 64;
  std::vector<double> squares(static_cast<std::size_t>(design.cols()));
  parallel_for((design.cols() + kBlock - 1) / kBlock, [&](Index block) {
    const Index end = block * kBlock + std::min(kBlock, design.cols() - block * kBlock);
    for (Index j = block * kBlock; j < end; ++j)
      squares[static_cast<std::size_t>(j)] = design.column_squared_norm(j, s);
  });
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
