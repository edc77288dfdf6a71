// The grid of a cross-validation: for each delta and each lambda2 a path of all samples, and how it goes on downwards while the
// best point lies at its end. Inside of the library.
#pragma once

#include <span>
#include <vector>

#include "hsvm/select/choose.hpp"
#include "hsvm/select/fold_paths.hpp"
#include "hsvm/select/subsample_paths.hpp"

namespace hsvm::detail {

// For each delta, for each lambda2; their models are still empty.
[[nodiscard]] std::vector<GridPath> make_grid(const FitOptions& options, const TuneOptions& tune_options);

// The values of lambda1 that all paths of a grid have in common.
struct Lambda1Grid {
  std::vector<double> values;  // falling
  Index n_asked = 0;           // for the step of values below them
  double min_ratio = 0.0;
  bool may_continue = false;  // nobody has said where it should end
};
// From the largest of the paths' lambda1_max down, or those given.
[[nodiscard]] Lambda1Grid common_lambda1(const FitInput& input, const std::vector<GridPath>& grid,
                                         const PathOptions& path_options);

// Goes along values of lambda1 with all samples, below the points that `model` has.
void walk_all_samples(const FitInput& input, const GridPath& path, std::span<const double> lambda1,
                      const PathOptions& path_options, const TuneControl& control, PathModel& model);

// Whether the last of these points has, up to a factor of 1.25, the same lambda1 as the chosen one: lambda1 falls among them.
[[nodiscard]] bool is_at_end(std::span<const TuningPoint> points, std::size_t chosen);

// Continues each path that has ended with the grid, has its own best point at its end and is within one standard error of the
// best of all there: by a factor of ten in lambda1, for all samples and all folds. Returns whether there was one; after a
// stop a path stays as it was.
[[nodiscard]] bool continue_grid_paths(const FitInput& input, const PathOptions& path_options,
                                       const Lambda1Grid& lambda1, std::span<const TuningPoint> points,
                                       Score score, TuneControl& control, std::vector<GridPath>& grid,
                                       FoldPaths& folds);

// Where the best of all points has the smallest lambda2 of its delta: adds a path with a tenth of it, for all samples and all
// folds. Returns whether it did; after a stop the grid stays as it was.
[[nodiscard]] bool add_smaller_lambda2(const FitInput& input, const PathOptions& path_options,
                                       const Lambda1Grid& lambda1, std::span<const TuningPoint> points,
                                       Score score, TuneControl& control, std::vector<GridPath>& grid,
                                       FoldPaths& folds);

}  // namespace hsvm::detail
