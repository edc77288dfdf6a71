// Which of several equally good parameters is chosen. With few held-out samples many points of a grid tie: the first
// of them has the emptiest model, the last the densest.
#pragma once

#include <algorithm>
#include <vector>

namespace hsvm::lab {

// Candidates come in blocks, each a path from the sparsest model on. Gives those with the best score, up to rounding,
// of the first block that has it; in order.
template <class Candidate, class SameBlock>
[[nodiscard]] std::vector<Candidate> best_of_grid(const std::vector<Candidate>& candidates,
                                                  const std::vector<double>& scores,
                                                  const SameBlock& same_block) {
  constexpr double kRounding = 1e-9;
  const double best = std::ranges::max(scores);
  std::vector<Candidate> equals;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    if (scores[k] < best - kRounding) continue;
    if (equals.empty() || same_block(equals.front(), candidates[k])) equals.push_back(candidates[k]);
  }
  return equals;
}

// The middle one of equals: neither the sparsest nor the densest.
template <class Candidate>
[[nodiscard]] const Candidate& middle_of(const std::vector<Candidate>& equals) {
  return equals[equals.size() / 2];
}

}  // namespace hsvm::lab
