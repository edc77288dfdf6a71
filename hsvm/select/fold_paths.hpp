// The paths of all folds of a cross-validation, and what they say of the samples held out. Inside of the library.
#pragma once

#include <span>
#include <vector>

#include "hsvm/select/all_samples.hpp"
#include "hsvm/select/folds.hpp"
#include "hsvm/select/subsample_paths.hpp"

namespace hsvm::detail {

// Samples that were held out, with their scores at one point of the grid. Folds that were not done are left out.
struct HeldOut {
  std::vector<Index> samples;
  std::vector<Index> truth;
  std::vector<double> weights;
  std::vector<double> scores;  // n_outputs for each sample
  std::vector<Index> folds;    // 0 .. n_folds - 1
  Index n_folds = 0;
};

class FoldPaths {
 public:
  // All of them must outlive it.
  FoldPaths(const FitInput& input, const Folds& folds, const std::vector<GridPath>& grid);

  // Fits the path of each fold, for each path of the grid and each repeat.
  void fit(TuneControl& control);
  // Continues the paths of all folds that are done, for one path of the grid. False where that was stopped: then all is as
  // it was.
  [[nodiscard]] bool continue_path(std::size_t grid_path, std::span<const double> lambda1,
                                   TuneControl& control);

  // Fits the paths of all folds for a path of the grid that has come in at its end. False where that was stopped: then all is
  // as it was.
  [[nodiscard]] bool add_path(TuneControl& control);

  // Of all repeats.
  [[nodiscard]] Count n_folds() const { return std::ssize(folds_.of_sample) * Count{folds_.n_folds}; }
  [[nodiscard]] double passes() const { return sum_of_passes(paths_); }
  // Whether each path of the grid has two folds to choose by in some repeat.
  [[nodiscard]] bool enough_to_choose() const;
  [[nodiscard]] const AllSamples& all_samples() const { return all_; }
  [[nodiscard]] HeldOut held_out(const GridPosition& at, std::size_t repeat) const;
  // Adds up what the folds say of a point: mean_nonzeros and not_certified.
  void add_counts(const GridPosition& at, TuningPoint& target) const;

 private:
  // The path of a fold, which is k % n_folds, in the repeat k/n_folds.
  [[nodiscard]] SubsamplePath walk_fold(Index k, const GridPath& grid_path, std::span<const double> lambda1,
                                        const TuneControl& control) const;
  // The folds' paths for one path of the grid, in one repeat.
  [[nodiscard]] std::span<const SubsamplePath> paths_of(std::size_t grid_path, std::size_t repeat) const;

  const FitInput& input_;
  const Folds& folds_;
  const std::vector<GridPath>& grid_;
  AllSamples all_;
  std::vector<SubsamplePath> paths_;  // by path of the grid, then repeat, then fold
};

}  // namespace hsvm::detail
