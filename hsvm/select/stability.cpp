#include <algorithm>
#include <optional>

#include "hsvm/select/subsample_paths.hpp"

namespace hsvm::detail {
namespace {

std::optional<Stability> stability_at(const std::vector<SubsamplePath>& paths, std::size_t point,
                                      Index n_features) {
  std::vector<double> counts(static_cast<std::size_t>(n_features), 0.0);
  Stability result;
  for (const SubsamplePath& path : paths) {
    if (!path.finished) continue;
    ++result.n_halves;
    for (std::size_t k = 0; k <= point; ++k) {
      for (const Index j : path.entering[k]) counts[static_cast<std::size_t>(j)] += 1.0;
    }
  }
  if (result.n_halves == 0) return std::nullopt;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    if (counts[j] == 0.0) continue;
    result.features.push_back(static_cast<Index>(j));
    result.frequencies.push_back(counts[j] / static_cast<double>(result.n_halves));
    result.mean_selected += result.frequencies.back();
  }
  return result;
}

}  // namespace

void add_stability(const FitInput& input, const std::vector<GridPath>& grid, const GridPosition& best,
                   const GridPosition& one_se, const std::vector<std::vector<char>>& halves,
                   TuneControl& control, TunedModel& model) {
  const Index n_features = input.data.n_features();
  const auto fit_halves = [&](const GridPath& grid_path, std::size_t last_point) {
    const std::vector<double> lambda1 = grid_path.lambda1(last_point + 1);
    return walk_all(static_cast<Index>(halves.size()), grid_path.options, control, [&](Index k) {
      return walk_part(input, halves[static_cast<std::size_t>(k)], grid_path, lambda1, control);
    });
  };
  const bool one_path = best.path == one_se.path;
  const std::size_t last = one_path ? std::max(best.point, one_se.point) : best.point;
  std::vector<SubsamplePath> paths = fit_halves(grid[best.path], last);
  model.best.stability = stability_at(paths, best.point, n_features);
  model.tuning.passes += sum_of_passes(paths);
  if (!one_path) {  // the two models have different lambda2 or delta
    control.add_paths(std::ssize(halves));
    paths = fit_halves(grid[one_se.path], one_se.point);
    model.tuning.passes += sum_of_passes(paths);
  }
  model.one_se.stability = stability_at(paths, one_se.point, n_features);
}

}  // namespace hsvm::detail
