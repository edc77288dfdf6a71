#include "experiments/binary/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "experiments/lab/best_of_grid.hpp"
#include "hsvm/api.hpp"

namespace hsvm::lab {
namespace {

std::vector<double> lambda1_grid(const Dataset& train, const TuningGrid& grid) {
  const double lambda2 = *std::max_element(grid.lambda2s.begin(), grid.lambda2s.end());
  const double top = largest_lambda1(train, {.lambda2 = lambda2,
                                             .lambda3 = grid.intercept ? lambda2 : 0.0,
                                             .delta = grid.delta,
                                             .intercept = grid.intercept});
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(grid.n_lambda1));
  for (Index k = 0; k < grid.n_lambda1; ++k)
    result.push_back(top * std::pow(grid.lambda1_min_ratio, static_cast<double>(k + 1) / grid.n_lambda1));
  return result;
}

std::vector<double> scores_of_ours(const std::vector<Penalties>& candidates, const Dataset& train,
                                   const TuningGrid& grid, const std::vector<Index>& folds, const Lab& lab) {
  FitOptions options;
  options.no_intercept = !grid.intercept;
  options.delta = grid.delta;
  options.threads = 1;
  TuneOptions tuning;
  tuning.fold_of_sample = folds;
  tuning.lambda2_grid = grid.lambda2s;
  PathOptions path;
  for (const Penalties& one : candidates) {
    if (one.lambda2 == candidates.front().lambda2) path.lambda_grid.push_back(one.lambda1);
  }
  const Tuning tuned = tune({train}, options, path, tuning, lab.tune_monitor()).tuning;
  std::vector<double> scores;
  for (const Penalties& one : candidates) {
    const auto point = std::find_if(tuned.grid.begin(), tuned.grid.end(), [&](const TuningPoint& at) {
      return at.lambda1 == one.lambda1 && at.lambda2 == one.lambda2;
    });
    scores.push_back(point->score(Score::accuracy)->mean);
  }
  return scores;
}

// By solving for every candidate on every fold.
std::vector<double> scores_of(Method method, const std::vector<Penalties>& candidates, const Dataset& train,
                              const std::vector<Index>& folds, Index n_folds, const Lab& lab) {
  std::vector<double> scores(candidates.size(), 0.0);
  for (Index fold = 0; fold < n_folds; ++fold) {
    std::vector<Index> kept;
    std::vector<Index> held;
    for (std::size_t i = 0; i < folds.size(); ++i)
      (folds[i] == fold ? held : kept).push_back(static_cast<Index>(i));
    const Dataset part = take_rows(train, kept);
    const Dataset rest = take_rows(train, held);
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      const Solved solved = solve(method, part, candidates[k], {.limits = lab.limits()});
      if (solved.status == "out of memory") return scores;
      scores[k] += accuracy(solved.model, rest) / n_folds;
    }
  }
  return scores;
}

std::vector<Penalties> candidates_for(Method method, const Dataset& train, const TuningGrid& grid) {
  std::vector<Penalties> candidates;
  if (method == Method::liblinear) {
    for (const double cost : grid.costs)
      candidates.push_back({.delta = grid.delta, .intercept = grid.intercept, .cost = cost});
    return candidates;
  }
  std::vector<double> lambda2s = grid.lambda2s;
  std::sort(lambda2s.begin(), lambda2s.end(), std::greater<>());
  const std::vector<double> lambda1s = lambda1_grid(train, grid);
  for (const double lambda2 : lambda2s) {
    for (const double lambda1 : lambda1s) {
      candidates.push_back({.lambda1 = lambda1,
                            .lambda2 = lambda2,
                            .lambda3 = grid.intercept ? lambda2 : 0.0,
                            .delta = grid.delta,
                            .intercept = grid.intercept});
    }
  }
  return candidates;
}

}  // namespace

std::vector<Penalties> best_penalties(Method method, std::span<const Dataset> training_sets,
                                      const TuningGrid& grid, const Lab& lab) {
  const std::vector<Penalties> candidates = candidates_for(method, training_sets.front(), grid);
  std::vector<double> sums(candidates.size(), 0.0);
  for (const Dataset& train : training_sets) {
    const std::vector<Index> folds = stratified_folds(*train.labels, grid.folds, 1, grid.seed).of_sample[0];
    const std::vector<double> scores = minimises_f(method)
                                           ? scores_of_ours(candidates, train, grid, folds, lab)
                                           : scores_of(method, candidates, train, folds, grid.folds, lab);
    std::transform(sums.begin(), sums.end(), scores.begin(), sums.begin(), std::plus<>());
  }
  return best_of_grid(candidates, sums,
                      [](const Penalties& a, const Penalties& b) { return a.lambda2 == b.lambda2; });
}

Penalties tune_for(Method method, const Dataset& train, const TuningGrid& grid, const Lab& lab) {
  return middle_of(best_penalties(method, std::span(&train, 1), grid, lab));
}

}  // namespace hsvm::lab
