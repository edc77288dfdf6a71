#include "hsvm/select/fold_paths.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "hsvm/fit/setup.hpp"

namespace hsvm::detail {

FoldPaths::FoldPaths(const FitInput& input, const Folds& folds, const std::vector<GridPath>& grid)
    : input_(input), folds_(folds), grid_(grid), all_(gather_samples(input)) {}

SubsamplePath FoldPaths::walk_fold(Index k, const GridPath& grid_path, std::span<const double> lambda1,
                                   const TuneControl& control) const {
  const Index fold = k % folds_.n_folds;
  const std::vector<Index>& of_sample = folds_.of_sample[static_cast<std::size_t>(k / folds_.n_folds)];
  std::vector<char> inside(of_sample.size());
  for (std::size_t i = 0; i < inside.size(); ++i) inside[i] = of_sample[i] != fold ? 1 : 0;
  return walk_part(input_, inside, grid_path, lambda1, control);
}

void FoldPaths::fit(TuneControl& control) {
  const Index n_folds = static_cast<Index>(folds_.of_sample.size()) * folds_.n_folds;
  paths_ = walk_all(static_cast<Index>(grid_.size()) * n_folds, grid_.front().options, control, [&](Index k) {
    const GridPath& grid_path = grid_[static_cast<std::size_t>(k / n_folds)];
    return walk_fold(k % n_folds, grid_path, grid_path.lambda1(grid_path.model.points.size()), control);
  });
}

bool FoldPaths::continue_path(std::size_t grid_path, std::span<const double> lambda1, TuneControl& control) {
  const std::size_t n_folds = folds_.of_sample.size() * static_cast<std::size_t>(folds_.n_folds);
  const std::span<SubsamplePath> paths = std::span(paths_).subspan(grid_path * n_folds, n_folds);
  std::vector<SubsamplePath> more =
      walk_all(static_cast<Index>(n_folds), grid_[grid_path].options, control,
               [&](Index k) { return walk_fold(k, grid_[grid_path], lambda1, control); });
  if (!std::ranges::all_of(more, &SubsamplePath::finished)) return false;
  for (std::size_t k = 0; k < n_folds; ++k) append(std::move(more[k]), paths[k]);
  return true;
}

bool FoldPaths::add_path(TuneControl& control) {
  const GridPath& grid_path = grid_.back();
  std::vector<SubsamplePath> more =
      walk_all(static_cast<Index>(n_folds()), grid_path.options, control, [&](Index k) {
        return walk_fold(k, grid_path, grid_path.lambda1(grid_path.model.points.size()), control);
      });
  if (!std::ranges::all_of(more, &SubsamplePath::finished)) return false;
  std::ranges::move(more, std::back_inserter(paths_));
  return true;
}

std::span<const SubsamplePath> FoldPaths::paths_of(std::size_t grid_path, std::size_t repeat) const {
  const auto n_folds = static_cast<std::size_t>(folds_.n_folds);
  return std::span(paths_).subspan((grid_path * folds_.of_sample.size() + repeat) * n_folds, n_folds);
}

bool FoldPaths::enough_to_choose() const {
  for (std::size_t grid_path = 0; grid_path < grid_.size(); ++grid_path) {
    std::ptrdiff_t most = 0;
    for (std::size_t repeat = 0; repeat < folds_.of_sample.size(); ++repeat)
      most = std::max(most, std::ranges::count(paths_of(grid_path, repeat), true, &SubsamplePath::finished));
    if (most < 2) return false;
  }
  return true;
}

HeldOut FoldPaths::held_out(const GridPosition& at, std::size_t repeat) const {
  HeldOut result;
  const auto n_outputs = static_cast<std::size_t>(grid_[at.path].model.n_outputs());
  for (const SubsamplePath& path : paths_of(at.path, repeat)) {
    if (!path.finished) continue;
    result.samples.insert(result.samples.end(), path.outside.begin(), path.outside.end());
    for (const Index i : path.outside) {
      result.truth.push_back(all_.labels.of_sample[static_cast<std::size_t>(i)]);
      result.weights.push_back(all_.weights[static_cast<std::size_t>(i)]);
      result.folds.push_back(result.n_folds);
    }
    const std::size_t size = path.outside.size() * n_outputs;
    const auto begin = path.scores.begin() + static_cast<std::ptrdiff_t>(at.point * size);
    result.scores.insert(result.scores.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
    ++result.n_folds;
  }
  return result;
}

void FoldPaths::add_counts(const GridPosition& at, TuningPoint& target) const {
  double n_paths = 0.0;
  for (std::size_t repeat = 0; repeat < folds_.of_sample.size(); ++repeat) {
    for (const SubsamplePath& path : paths_of(at.path, repeat)) {
      if (!path.finished) continue;
      n_paths += 1.0;
      target.mean_nonzeros += static_cast<double>(path.nonzeros[at.point]);
      target.not_certified += path.certified[at.point] != 0 ? 0 : 1;
    }
  }
  target.mean_nonzeros /= n_paths;
}

}  // namespace hsvm::detail
