// Which of several equally good parameters is chosen. With few held-out samples many points of a grid tie, and
// the first of them would be the emptiest model, the last the densest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace hsvm::lab {

// Candidates stand in blocks, each a path from the sparsest model on. Of those with the best score, up to
// rounding, the first block has it, and of that block's the middle one.
template <class Candidate, class Number, class SameBlock>
[[nodiscard]] const Candidate& middle_of_best(std::span<const Candidate> candidates,
                                              std::span<const Number> scores, const SameBlock& same_block) {
  constexpr double kRounding = 1e-9;
  const auto best = static_cast<double>(*std::max_element(scores.begin(), scores.end()));
  const auto is_best = [&](std::size_t k) { return static_cast<double>(scores[k]) >= best - kRounding; };
  std::size_t first = 0;
  while (!is_best(first)) ++first;
  std::size_t equals = 0;
  for (std::size_t k = first; k < candidates.size(); ++k)
    equals += is_best(k) && same_block(candidates[first], candidates[k]) ? 1 : 0;
  std::size_t middle = first;
  for (std::size_t to_pass = equals / 2; to_pass > 0;) {
    ++middle;
    if (is_best(middle) && same_block(candidates[first], candidates[middle])) --to_pass;
  }
  return candidates[middle];
}

}  // namespace hsvm::lab
