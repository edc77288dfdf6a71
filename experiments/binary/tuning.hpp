// Penalties by cross-validation, as the paper's experiments choose them: over a grid of lambda1 and lambda2, or
// of LIBLINEAR's cost, the one with the best accuracy on held-out samples; of equals that with the largest
// lambda2, and of its lambda1 the middle one (lab/best_of_grid.hpp).
#pragma once

#include <span>
#include <vector>

#include "experiments/binary/methods.hpp"
#include "experiments/lab/lab.hpp"

namespace hsvm::lab {

struct TuningGrid {
  Index folds = 10;
  Index n_lambda1 = 20;  // from lambda1_max down, geometrically
  double lambda1_min_ratio = 0.01;
  std::vector<double> lambda2s = {1.0};
  std::vector<double> costs = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100};  // LIBLINEAR's
  double delta = 1.0;
  bool intercept = true;
  bool tune_admm = true;  // by itself; else it takes the penalties of the others
  std::uint64_t seed = 1;
};

// The methods that minimise F share its penalties: they are tuned once, by hsvm::tune, with the certified
// solver. ADMM and LIBLINEAR are tuned by themselves, on the same folds.
[[nodiscard]] Penalties tune_for(Method method, const Dataset& train, const TuningGrid& grid, const Lab& lab);

// All the equally good ones with the largest lambda2 that has any, from the sparsest on; by the mean accuracy
// over several training sets of one kind, for penalties that suit the kind. lambda1 counts from the first one's
// lambda1_max.
[[nodiscard]] std::vector<Penalties> best_penalties(Method method, std::span<const Dataset> training_sets,
                                                    const TuningGrid& grid, const Lab& lab);

}  // namespace hsvm::lab
