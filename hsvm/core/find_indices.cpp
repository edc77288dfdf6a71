#include "hsvm/core/find_indices.hpp"

#include <cmath>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"

namespace hsvm {
namespace {

using Mask = decltype(Lanes{} > Lanes{});

[[gnu::always_inline]] inline Lanes absolute(Lanes x) {
  return x < Lanes{} ? -x : x;
}

// Looks at 16 entries at a time and, where one of them is chosen, at each: chosen_lanes(j) for the four from j
// on.
template <class ChosenLanes, class Chosen>
[[gnu::always_inline]] inline void collect(std::size_t n, const ChosenLanes& chosen_lanes, const Chosen& chosen,
                                           std::vector<Index>& out) {
  constexpr std::size_t kBlock = 4 * kLanes;
  std::size_t j = 0;
  for (; j + kBlock <= n; j += kBlock) {
    const Mask any = (chosen_lanes(j) | chosen_lanes(j + kLanes)) |
                     (chosen_lanes(j + 2 * kLanes) | chosen_lanes(j + 3 * kLanes));
    if ((any[0] | any[1] | any[2] | any[3]) == 0) continue;
    for (std::size_t k = j; k < j + kBlock; ++k) {
      if (chosen(k)) out.push_back(static_cast<Index>(k));
    }
  }
  for (; j < n; ++j) {
    if (chosen(j)) out.push_back(static_cast<Index>(j));
  }
}

HSVM_CLONES void collect_above(std::span<const double> x, double limit, std::vector<Index>& out) {
  collect(
      x.size(), [&](std::size_t j) { return absolute(load(x.data() + j)) > Lanes{} + limit; },
      [&](std::size_t j) { return std::abs(x[j]) > limit; }, out);
}

HSVM_CLONES void collect_reaching(std::span<const double> x, std::span<const double> y, double factor,
                                  double limit, std::vector<Index>& out) {
  collect(
      x.size(),
      [&](std::size_t j) {
        return absolute(load(x.data() + j)) + factor * load(y.data() + j) >= Lanes{} + limit;
      },
      [&](std::size_t j) { return std::abs(x[j]) + factor * y[j] >= limit; }, out);
}

}  // namespace

std::vector<Index> indices_above(std::span<const double> x, double limit) {
  std::vector<Index> result;
  collect_above(x, limit, result);
  return result;
}

std::vector<Index> indices_reaching(std::span<const double> x, std::span<const double> y, double factor,
                                    double limit) {
  std::vector<Index> result;
  collect_reaching(x, y, factor, limit, result);
  return result;
}

}  // namespace hsvm
