// Chooses among the points of a grid by their cross-validated scores.
#pragma once

#include <cstddef>
#include <span>

#include "hsvm/model/tuning.hpp"

namespace hsvm {

struct Choice {
  std::size_t best = 0;  // the best mean; of equals the sparser, then the larger lambda1, then lambda2
  std::size_t one_se =
      0;  // the sparsest of those no more than one standard error of the best worse than it; of equals
          // the better mean, then the larger lambda1, then lambda2. Empty only where the best is
  bool passed_over_empty = false;  // an empty model is within that error, too
};

// The sparser is the one with fewer features in the model fitted to all samples; of what is equal to the last,
// the first point is taken. Means that differ by rounding alone (a relative 1e-12) count as equal. Points
// without that score have no part in it; throws InputError where no point has it.
[[nodiscard]] Choice choose(std::span<const TuningPoint> grid, Score score);

}  // namespace hsvm
