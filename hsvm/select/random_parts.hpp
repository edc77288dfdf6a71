// The random numbers of folds, halves and splits. Inside of the library.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "hsvm/core/random.hpp"
#include "hsvm/core/types.hpp"

namespace hsvm::detail {

// What random numbers are drawn for: uses with the same seed must not share them, nor share them with generated
// data, whose streams are the numbers of its rows.
enum class Use : std::uint64_t { folds = 1, halves = 2, split = 3 };

[[nodiscard]] inline Random random_for(Use use, std::uint64_t seed, Index number) {
  return Random(seed, (static_cast<std::uint64_t>(use) << 32U) + static_cast<std::uint64_t>(number));
}

// Fisher and Yates.
inline void shuffle(std::vector<Index>& samples, Random& random) {
  for (std::size_t end = samples.size(); end > 1; --end)
    std::swap(samples[end - 1], samples[random.below(end)]);
}

}  // namespace hsvm::detail
