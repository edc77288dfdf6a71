// Small questions about features that the binary and the multi-class problem answer alike.
#pragma once

#include <algorithm>
#include <cmath>
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

// The features outside `known` (ascending) with |values_j| > threshold(j).
template <class Threshold>
[[nodiscard]] std::vector<Index> features_beyond(std::span<const double> values, std::span<const Index> known,
                                                 const Threshold& threshold) {
  std::vector<Index> result;
  auto next = known.begin();
  for (std::size_t j = 0; j < values.size(); ++j) {
    const auto feature = static_cast<Index>(j);
    if (next != known.end() && *next == feature) {
      ++next;
    } else if (std::abs(values[j]) > threshold(feature)) {
      result.push_back(feature);
    }
  }
  return result;
}

}  // namespace hsvm
