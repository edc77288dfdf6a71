#include "hsvm/core/find_indices.hpp"

#include <algorithm>

#include "hsvm/core/clones.hpp"
#include "hsvm/core/lanes.hpp"

namespace hsvm {
namespace {

using Mask = decltype(Lanes{} > Lanes{});

// The indices of the entries for which chosen(x_j, ...) holds; `chosen` takes Lanes and numbers. Looks at 16 entries at
// a time and, where one of them is chosen, at each.
template <class Chosen, class... Vectors>
[[gnu::always_inline]] inline std::vector<Index> find_chosen(const Chosen& chosen, std::span<const double> x,
                                                             const Vectors&... more) {
  constexpr std::size_t kBlock = 4 * kLanes;
  const auto chosen_lanes = [&](std::size_t j) { return chosen(load(x.data() + j), load(more.data() + j)...); };
  std::vector<Index> found;
  found.reserve(std::min(kBlock * kLanes, x.size()));  // a few dozen are found as a rule: no growing for them
  const auto look_at_each = [&](std::size_t begin, std::size_t end) {
    Index block[kBlock];  // written without branches: which are chosen cannot be foreseen
    std::size_t count = 0;
    for (std::size_t j = begin; j < end; ++j) {
      block[count] = static_cast<Index>(j);
      count += chosen(x[j], more[j]...) ? 1 : 0;
    }
    found.insert(found.end(), block, block + count);
  };
  std::size_t j = 0;
  for (; j + kBlock <= x.size(); j += kBlock) {
    const Mask any = (chosen_lanes(j) | chosen_lanes(j + kLanes)) |
                     (chosen_lanes(j + 2 * kLanes) | chosen_lanes(j + 3 * kLanes));
    if ((any[0] | any[1] | any[2] | any[3]) != 0) look_at_each(j, j + kBlock);
  }
  look_at_each(j, x.size());
  return found;
}

}  // namespace

HSVM_CLONES std::vector<Index> indices_above(std::span<const double> x, double limit) {
  const auto is_above = [&](const auto& a) { return absolute(a) > limit; };
  return find_chosen(is_above, x);
}

HSVM_CLONES std::vector<Index> indices_reaching(std::span<const double> x, std::span<const double> y,
                                                double factor, double limit) {
  const auto reaches = [&](const auto& a, const auto& b) { return absolute(a) + factor * b >= limit; };
  return find_chosen(reaches, x, y);
}

}  // namespace hsvm
