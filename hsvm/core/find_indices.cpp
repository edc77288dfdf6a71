#include "hsvm/core/find_indices.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

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
  constexpr std::size_t kParts = 4;
  constexpr std::size_t kBlock = kParts * kLanes;
  constexpr std::size_t kRoom = 16 * kBlock;
  std::vector<Index> found;
  found.reserve(std::min(4 * kBlock, x.size()));  // a few dozen are found as a rule: no growing for them
  Index some[kRoom];                              // found last
  std::size_t count = 0;
  std::size_t j = 0;
  for (; j + kBlock <= x.size(); j += kBlock) {
    Mask masks[kParts];
    for (std::size_t part = 0; part < kParts; ++part)
      masks[part] = chosen(load(x.data() + j + part * kLanes), load(more.data() + j + part * kLanes)...);
    const Mask any = (masks[0] | masks[1]) | (masks[2] | masks[3]);
    if ((any[0] | any[1] | any[2] | any[3]) == 0) continue;
    if (count + kBlock > kRoom) found.insert(found.end(), some, some + std::exchange(count, 0));
    long long
        is_chosen[kBlock];  // -1 or 0: counted without branches, since which are chosen cannot be foreseen
    std::memcpy(is_chosen, masks, sizeof(masks));
    for (std::size_t k = 0; k < kBlock; ++k) {
      some[count] = static_cast<Index>(j + k);
      count -= static_cast<std::size_t>(is_chosen[k]);
    }
  }
  found.insert(found.end(), some, some + count);
  for (; j < x.size(); ++j) {
    if (chosen(x[j], more[j]...)) found.push_back(static_cast<Index>(j));
  }
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
