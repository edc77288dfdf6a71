#include "hsvm/select/grid_paths.hpp"

#include <algorithm>
#include <iterator>

#include "hsvm/core/parallel.hpp"
#include "hsvm/path/follow.hpp"

namespace hsvm::detail {
namespace {

// Whether a path should be continued, by its own points and what the best of the whole grid is.
bool goes_on(const PathModel& model, std::span<const TuningPoint> points, Score score,
             const ScoreSummary& best) {
  if (model.ended != PathEnd::grid || points.size() < 2) return false;
  if (std::ranges::none_of(points, [&](const TuningPoint& point) { return point.score(score).has_value(); }))
    return false;
  const std::size_t own = choose(points, score).best;
  const double lost =
      (points[own].score(score)->mean - best.mean) * (info_of(score).larger_is_better ? -1.0 : 1.0);
  return is_at_end(points, own) && lost <= best.standard_error;
}

// Adds the points of `more`, which lie below, to a path and to those of the folds. False where that was stopped.
bool continue_one(const FitInput& input, const PathOptions& path_options, std::span<const double> lambda1,
                  std::size_t which, TuneControl& control, std::vector<GridPath>& grid, FoldPaths& folds) {
  PathModel& model = grid[which].model;
  PathModel longer = model;
  walk_all_samples(input, grid[which], lambda1, path_options, control, longer);
  if (longer.ended == PathEnd::stopped || control.stopped()) return false;
  control.path_done();
  std::vector<double> added;
  for (std::size_t k = model.points.size(); k < longer.points.size(); ++k)
    added.push_back(longer.points[k].lambda1);
  if (!folds.continue_path(which, added, control)) return false;
  model = std::move(longer);
  return true;
}

}  // namespace

std::vector<GridPath> make_grid(const FitOptions& options, const TuneOptions& tune_options) {
  std::vector<double> deltas = tune_options.delta_grid;
  if (deltas.empty()) deltas = {options.delta};
  std::vector<double> lambda2s = tune_options.lambda2_grid;
  if (lambda2s.empty() && !options.lambda2 && !options.alpha)
    lambda2s.assign(kDefaultLambda2Grid.begin(), kDefaultLambda2Grid.end());
  std::vector<GridPath> grid;
  for (const double delta : deltas) {
    FitOptions fixed = options;
    fixed.delta = delta;
    fixed.measure_pass = false;
    if (lambda2s.empty()) grid.push_back({fixed, path_penalty(fixed), {}});
    for (const double lambda2 : lambda2s) {
      fixed.lambda2 = lambda2;
      grid.push_back({fixed, path_penalty(fixed), {}});
    }
  }
  return grid;
}

Lambda1Grid common_lambda1(const FitInput& input, const std::vector<GridPath>& grid,
                           const PathOptions& path_options) {
  double lambda1_max = 0.0;
  for (const GridPath& path : grid) {
    if (!path_options.lambda_grid.empty()) break;
    with_threads(path.options.threads, [&] {
      const auto training = make_training(input, path.options);
      lambda1_max = std::max(lambda1_max, path_lambda1_max(*training, path.penalty));
    });
  }
  Lambda1Grid result;
  result.n_asked = path_options.nlambda.value_or(kDefaultNlambda);
  result.min_ratio = path_min_ratio(input, grid.front().options, path_options);
  result.values = path_grid(path_options, lambda1_max, result.min_ratio);
  result.may_continue =
      path_options.lambda_grid.empty() && !path_options.lambda_min_ratio && result.values.size() > 1;
  return result;
}

void walk_all_samples(const FitInput& input, const GridPath& path, std::span<const double> lambda1,
                      const PathOptions& path_options, const TuneControl& control, PathModel& model) {
  with_threads(path.options.threads, [&] {
    const auto training = make_training(input, path.options, true);
    if (model.points.empty()) model = begin_path(input, path.options, path.penalty, *training);
    continue_path(input, path.options, path.penalty, lambda1, path_limits(path_options, control.seconds_left()),
                  control.solve_monitor(), *training, model);
  });
}

bool is_at_end(std::span<const TuningPoint> points, std::size_t chosen) {
  constexpr double kNear = 1.25;
  return points[chosen].lambda1 <= kNear * points.back().lambda1;
}

bool continue_grid_paths(const FitInput& input, const PathOptions& path_options, const Lambda1Grid& lambda1,
                         std::span<const TuningPoint> points, Score score, TuneControl& control,
                         std::vector<GridPath>& grid, FoldPaths& folds) {
  if (!lambda1.may_continue || control.stopped()) return false;
  const ScoreSummary best = *points[choose(points, score).best].score(score);
  std::vector<std::size_t> going_on;
  for (std::size_t which = 0, begin = 0; which < grid.size(); ++which) {
    const std::size_t size = grid[which].model.points.size();
    if (goes_on(grid[which].model, points.subspan(begin, size), score, best)) going_on.push_back(which);
    begin += size;
  }
  control.add_paths(std::ssize(going_on) * (1 + folds.n_folds()));
  bool any = false;
  for (const std::size_t which : going_on) {
    const double last = grid[which].model.points.back().lambda1;
    const std::vector<double> below = continue_grid(last, lambda1.n_asked, lambda1.min_ratio);
    if (!continue_one(input, path_options, below, which, control, grid, folds)) break;
    any = true;
  }
  return any;
}

bool add_smaller_lambda2(const FitInput& input, const PathOptions& path_options, const Lambda1Grid& lambda1,
                         std::span<const TuningPoint> points, Score score, TuneControl& control,
                         std::vector<GridPath>& grid, FoldPaths& folds) {
  if (control.stopped()) return false;
  const TuningPoint& best = points[choose(points, score).best];
  for (const GridPath& path : grid) {
    if (path.options.delta == best.delta && path.penalty.lambda2 < best.lambda2) return false;
  }
  FitOptions options = grid.front().options;
  options.delta = best.delta;
  options.lambda2 = 0.1 * best.lambda2;
  GridPath smaller{options, path_penalty(options), {}};
  control.add_paths(1 + folds.n_folds());
  walk_all_samples(input, smaller, lambda1.values, path_options, control, smaller.model);
  if (smaller.model.ended == PathEnd::stopped || control.stopped()) return false;
  control.path_done();
  grid.push_back(std::move(smaller));
  if (folds.add_path(control)) return true;
  grid.pop_back();
  return false;
}

}  // namespace hsvm::detail
