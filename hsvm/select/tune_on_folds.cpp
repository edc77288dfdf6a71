// The paths of all samples, the paths of the folds, the scores of the samples held out, the choice, and what is said about
// it.

#include "hsvm/select/tune_on_folds.hpp"

#include <algorithm>
#include <numeric>

#include "hsvm/core/parallel.hpp"
#include "hsvm/fit/setup.hpp"
#include "hsvm/select/calibrate.hpp"
#include "hsvm/select/choose.hpp"
#include "hsvm/select/evidence.hpp"
#include "hsvm/select/fold_paths.hpp"
#include "hsvm/select/fold_scores.hpp"
#include "hsvm/select/grid_paths.hpp"
#include "hsvm/select/notes.hpp"

namespace hsvm::detail {
namespace {

constexpr Index kMaxLambda2Lowered = 2;  // times a factor of ten
constexpr Index kMaxContinued = 3;       // times a factor of ten in lambda1

[[noreturn]] void throw_stopped(Status status, const char* before) {
  throw StoppedError(status,
                     std::string(status == Status::interrupted ? "interrupted" : "the time limit was reached") +
                         " before " + before + ": there is no model to choose yet");
}

// Fits the paths of all samples.
void fit_all_samples(const FitInput& input, const PathOptions& path_options, const Lambda1Grid& lambda1,
                     std::vector<GridPath>& grid, TuneControl& control) {
  for (GridPath& path : grid) {
    const Lambdas least = path.penalty.at(lambda1.values.back());
    require_penalty(least.lambda1, least.lambda2);
    require_penalty(input, least.lambda2);
    if (const auto stopped = control.stopped()) throw_stopped(*stopped, "the path of all samples");
    walk_all_samples(input, path, lambda1.values, path_options, control, path.model);
    if (const auto stopped = control.stopped()) throw_stopped(*stopped, "the end of the path of all samples");
    control.path_done();
  }
}

ScoredSamples scored(const HeldOut& samples, const ModelShape& shape) {
  return {.n_classes = shape.classes.size(),
          .n_outputs = shape.n_outputs(),
          .truth = samples.truth,
          .weights = samples.weights,
          .scores = samples.scores,
          .margins = shape.margins};
}

// The position of a point that has this number in the whole grid.
GridPosition position_of(std::size_t number, const std::vector<GridPath>& grid) {
  GridPosition at{0, number};
  while (at.point >= grid[at.path].model.points.size()) at.point -= grid[at.path++].model.points.size();
  return at;
}

// Every point of the grid, path by path, with its scores.
std::vector<TuningPoint> score_grid(const FoldPaths& paths, const std::vector<GridPath>& grid, Index repeats,
                                    Score chosen_by) {
  std::vector<TuningPoint> points;
  for (const GridPath& path : grid) {
    for (const PathPoint& fitted : path.model.points) {
      TuningPoint& point = points.emplace_back(TuningPoint{fitted});
      point.delta = path.options.delta;
      point.nonzeros = static_cast<Index>(fitted.features.size());
    }
  }
  parallel_for(static_cast<Index>(points.size()), [&](Index k) {
    const GridPosition at = position_of(static_cast<std::size_t>(k), grid);
    TuningPoint& target = points[static_cast<std::size_t>(k)];
    paths.add_counts(at, target);
    std::vector<ScoreSummaries> summaries;
    for (std::size_t repeat = 0; repeat < static_cast<std::size_t>(repeats); ++repeat) {
      const HeldOut samples = paths.held_out(at, repeat);
      if (samples.n_folds < 2) continue;
      ScoredSamples said = scored(samples, grid[at.path].model);
      // What costs much is computed where it is asked for.
      said.with_auc = said.n_classes == 2 || chosen_by == Score::auc;
      std::vector<double> probabilities;
      if (info_of(chosen_by).input == ScoreInput::probabilities)
        probabilities = cross_fitted_probabilities(said, samples.folds, samples.n_folds);
      said.probabilities = probabilities;
      summaries.push_back(summarise_folds(said, samples.folds, samples.n_folds,
                                          margin_loss(grid[at.path].options.loss, target.delta)));
    }
    target.scores = average(summaries);
  });
  return points;
}

// The model of all samples at a point of the grid, with probabilities from the scores of the samples held out.
LinearModel chosen_model(const FoldPaths& paths, const Folds& folds, const std::vector<GridPath>& grid,
                         const GridPosition& chosen) {
  const PathModel& path = grid[chosen.path].model;
  LinearModel model{path, path.points[chosen.point]};
  // A sample is held out once in each repeat; by the folds of the first one it is kept apart from itself.
  HeldOut all;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (std::size_t repeat = 0; repeat < folds.of_sample.size(); ++repeat) {
    const HeldOut held_out = paths.held_out(chosen, repeat);
    for (const Index i : held_out.samples) all.folds.push_back(folds.of_sample[0][static_cast<std::size_t>(i)]);
    append(all.truth, held_out.truth);
    // A sample counts once, however often it was held out.
    for (const double weight : held_out.weights)
      all.weights.push_back(weight / static_cast<double>(folds.of_sample.size()));
    append(all.scores, held_out.scores);
  }
  model.calibration = calibrate(scored(all, path), all.folds, folds.n_folds);
  return model;
}

// What the scores stand on.
void count_held_out(const HeldOut& samples, const Labels& labels, Tuning& tuning) {
  std::vector<double> weights(labels.classes.names.size(), 0.0);
  tuning.held_out.assign(weights.size(), 0);
  double total = 0.0;
  for (std::size_t i = 0; i < samples.truth.size(); ++i) {
    ++tuning.held_out[static_cast<std::size_t>(samples.truth[i])];
    weights[static_cast<std::size_t>(samples.truth[i])] += samples.weights[i];
    total += samples.weights[i];
  }
  if (total > 0.0) tuning.majority_share = std::min(1.0, std::ranges::max(weights) / total);
}

// The scores of held-out samples at a point, by sample.
std::vector<float> scores_by_sample(const HeldOut& held_out, std::span<const std::size_t> order) {
  const std::size_t n_outputs = held_out.samples.empty() ? 1 : held_out.scores.size() / held_out.samples.size();
  std::vector<float> scores;
  for (const std::size_t place : order) {
    for (std::size_t k = 0; k < n_outputs; ++k)
      scores.push_back(static_cast<float>(held_out.scores[place * n_outputs + k]));
  }
  return scores;
}

// The places of held-out samples, by sample.
std::vector<std::size_t> order_of(const HeldOut& held_out) {
  std::vector<std::size_t> order(held_out.samples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t place) { return held_out.samples[place]; });
  return order;
}

// What the folds of the first repeat say at the two chosen points.
OutOfFold out_of_fold_at(const FoldPaths& paths, const Folds& folds, const GridPosition& best,
                         const GridPosition& one_se) {
  const HeldOut held_out = paths.held_out(best, 0);
  const std::vector<std::size_t> order = order_of(held_out);
  OutOfFold result;
  for (const std::size_t place : order) {
    result.samples.push_back(held_out.samples[place]);
    result.truth.push_back(held_out.truth[place]);
    result.folds.push_back(folds.of_sample[0][static_cast<std::size_t>(held_out.samples[place])]);
  }
  result.best = scores_by_sample(held_out, order);
  if (one_se.path != best.path || one_se.point != best.point)
    result.one_se = scores_by_sample(paths.held_out(one_se, 0), order);
  return result;
}

// What they say at every point of a path.
std::vector<std::vector<float>> scores_along(const FoldPaths& paths, const std::vector<GridPath>& grid,
                                             std::size_t path) {
  std::vector<std::vector<float>> scores;
  for (std::size_t point = 0; point < grid[path].model.points.size(); ++point) {
    const HeldOut held_out = paths.held_out({path, point}, 0);
    scores.push_back(scores_by_sample(held_out, order_of(held_out)));
  }
  return scores;
}

}  // namespace

TunedModel tune_on_folds(const FitInput& input, const FitOptions& options, const PathOptions& path_options,
                         const TuneOptions& tune_options, const Folds& folds,
                         const std::vector<std::vector<char>>& halves, bool with_evidence,
                         TuneControl& control) {
  const Labels& labels = *input.data.labels;
  const auto repeats = static_cast<Index>(folds.of_sample.size());
  std::vector<GridPath> grid = make_grid(options, tune_options);
  TunedModel result;
  Tuning& tuning = result.tuning;
  tuning.score = tune_options.score;
  const Lambda1Grid lambda1 = common_lambda1(input, grid, path_options);
  fit_all_samples(input, path_options, lambda1, grid, control);
  FoldPaths paths(input, folds, grid);
  paths.fit(control);
  if (!paths.enough_to_choose())
    throw_stopped(control.stopped().value_or(Status::interrupted), "two folds were done");

  const auto score_all = [&] {
    with_threads(options.threads, [&] { tuning.grid = score_grid(paths, grid, repeats, tuning.score); });
  };
  score_all();
  const bool may_lower_lambda2 = tune_options.lambda2_grid.empty() && !options.lambda2 && !options.alpha;
  while (may_lower_lambda2 && tuning.lambda2_lowered < kMaxLambda2Lowered &&
         add_smaller_lambda2(input, path_options, lambda1, tuning.grid, tuning.score, control, grid, paths)) {
    ++tuning.lambda2_lowered;
    score_all();
  }
  while (tuning.continued < kMaxContinued &&
         continue_grid_paths(input, path_options, lambda1, tuning.grid, tuning.score, control, grid, paths)) {
    ++tuning.continued;
    score_all();
  }
  const Choice choice = choose(tuning.grid, tuning.score);
  const GridPosition best = position_of(choice.best, grid);
  const GridPosition one_se = position_of(choice.one_se, grid);
  result.best = chosen_model(paths, folds, grid, best);
  result.one_se = chosen_model(paths, folds, grid, one_se);
  tuning.out_of_fold = out_of_fold_at(paths, folds, best, one_se);
  if (!halves.empty()) add_stability(input, grid, best, one_se, halves, control, result);
  if (with_evidence)
    with_threads(options.threads,
                 [&] { result.evidence = gather_evidence(input, grid[best.path].model, result); });

  tuning.best = choice.best;
  tuning.one_se = choice.one_se;
  tuning.n_folds = folds.n_folds;
  tuning.repeats = repeats;
  tuning.leave_one_out =
      folds.n_folds == std::ssize(labels.of_sample) - std::ranges::count(folds.of_sample[0], kNeverHeldOut);
  tuning.seed = options.seed;
  tuning.passes += paths.passes();
  for (const GridPath& path : grid) {
    tuning.passes += path.model.passes;
    tuning.ends.push_back(path.model.ended);
  }
  count_held_out(paths.held_out({}, 0), labels, tuning);
  tuning.notes = find_notes(tuning, choice, labels, options, tune_options);
  if (tune_options.keep_scores) result.path_scores = scores_along(paths, grid, best.path);
  result.path = std::move(grid[best.path].model);
  return result;
}

Count count_paths(const FitOptions& options, const TuneOptions& tune_options, const Folds& folds) {
  return std::ssize(make_grid(options, tune_options)) *
         (1 + std::ssize(folds.of_sample) * Count{folds.n_folds});
}

}  // namespace hsvm::detail
