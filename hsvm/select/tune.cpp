// tune: the paths of all samples, the paths of the folds, the scores of the samples held out, the choice, and what is
// said about it.

#include <algorithm>

#include "hsvm/api.hpp"
#include "hsvm/fit/setup.hpp"
#include "hsvm/select/calibrate.hpp"
#include "hsvm/select/choose.hpp"
#include "hsvm/select/evidence.hpp"
#include "hsvm/select/fold_paths.hpp"
#include "hsvm/select/fold_scores.hpp"
#include "hsvm/select/grid_paths.hpp"
#include "hsvm/select/notes.hpp"

namespace hsvm {
namespace {

constexpr Index kMaxLambda2Lowered = 2;  // times a factor of ten
constexpr Index kMaxContinued = 3;       // times a factor of ten in lambda1

using detail::FoldPaths;
using detail::GridPath;
using detail::GridPosition;
using detail::HeldOut;
using detail::TuneControl;

void check_options(const FitOptions& options, const PathOptions& path_options,
                   const TuneOptions& tune_options) {
  check_for_path(options);
  path_options.check();
  tune_options.check();
  refuse_both(!tune_options.lambda2_grid.empty(), "lambda2_grid", options.alpha.has_value(), "alpha");
  refuse_both(!tune_options.lambda2_grid.empty(), "lambda2_grid", options.lambda2.has_value(), "lambda2");
}

Folds make_folds(const Labels& labels, const FitOptions& options, const TuneOptions& tune_options) {
  Folds folds;
  if (!tune_options.fold_of_sample.empty()) {
    folds = folds_of(tune_options.fold_of_sample, static_cast<Index>(labels.of_sample.size()));
  } else if (const Index n_samples = count_to_hold_out(labels); tune_options.leave_one_out || n_samples < 2) {
    folds = leave_one_out(labels);
  } else {
    const Index n_folds = tune_options.folds.value_or(std::min(kDefaultFolds, n_samples));
    folds = stratified_folds(labels, n_folds, tune_options.repeats, options.seed, SingleSamples::kept);
  }
  require_classes_in_training(folds, labels);
  return folds;
}

[[noreturn]] void throw_stopped(Status status, const char* before) {
  throw StoppedError(status,
                     std::string(status == Status::interrupted ? "interrupted" : "the time limit was reached") +
                         " before " + before + ": there is no model to choose yet");
}

// Fits the paths of all samples.
void fit_all_samples(const FitInput& input, const PathOptions& path_options, const detail::Lambda1Grid& lambda1,
                     std::vector<GridPath>& grid, TuneControl& control) {
  for (GridPath& path : grid) {
    const Lambdas least = path.penalty.at(lambda1.values.back());
    detail::require_penalty(least.lambda1, least.lambda2);
    detail::require_penalty(input, least.lambda2);
    if (const auto stopped = control.stopped()) throw_stopped(*stopped, "the path of all samples");
    detail::walk_all_samples(input, path, lambda1.values, path_options, control, path.model);
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
std::vector<TuningPoint> score_grid(const FoldPaths& paths, const std::vector<GridPath>& grid, Index repeats) {
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
      summaries.push_back(summarise_folds(scored(samples, grid[at.path].model), samples.folds, samples.n_folds,
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

// The two models are what is certified; what the folds' solves came to is in the grid. A stop that came when all was
// done has stopped nothing.
Status status_of(const TunedModel& model, const TuneControl& control) {
  if (!control.all_done()) return control.stopped().value_or(Status::interrupted);
  const Status best = model.best.report->status;
  return best != Status::converged ? best : model.one_se.report->status;
}

}  // namespace

TunedModel tune(const FitInput& input, const FitOptions& options, const PathOptions& path_options,
                const TuneOptions& tune_options, const TuneMonitor& monitor) {
  check_options(options, path_options, tune_options);
  detail::check_input(input);
  const Labels& labels = *input.data.labels;
  if (labels.classes.size() > info_of(tune_options.score).max_classes)
    throw value_error("score", std::string(to_string(tune_options.score)),
                      "must be another one with more than two classes");

  const Folds folds = make_folds(labels, options, tune_options);
  const auto repeats = static_cast<Index>(folds.of_sample.size());
  const std::vector<std::vector<char>> halves = random_halves(labels, tune_options.stability, options.seed);
  std::vector<GridPath> grid = detail::make_grid(options, tune_options);
  TuneControl control(monitor, options.time_limit);
  control.add_paths(std::ssize(grid) * (1 + Count{repeats} * folds.n_folds) + tune_options.stability);

  TunedModel result;
  Tuning& tuning = result.tuning;
  tuning.score = tune_options.score;
  const detail::Lambda1Grid lambda1 = detail::common_lambda1(input, grid, path_options);
  fit_all_samples(input, path_options, lambda1, grid, control);
  FoldPaths paths(input, folds, grid);
  paths.fit(control);
  if (!paths.enough_to_choose())
    throw_stopped(control.stopped().value_or(Status::interrupted), "two folds were done");

  const auto score_all = [&] {
    with_threads(options.threads, [&] { tuning.grid = score_grid(paths, grid, repeats); });
  };
  score_all();
  const bool may_lower_lambda2 = tune_options.lambda2_grid.empty() && !options.lambda2 && !options.alpha;
  while (may_lower_lambda2 && tuning.lambda2_lowered < kMaxLambda2Lowered &&
         detail::add_smaller_lambda2(input, path_options, lambda1, tuning.grid, tuning.score, control, grid,
                                     paths)) {
    ++tuning.lambda2_lowered;
    score_all();
  }
  while (tuning.continued < kMaxContinued &&
         detail::continue_grid_paths(input, path_options, lambda1, tuning.grid, tuning.score, control, grid,
                                     paths)) {
    ++tuning.continued;
    score_all();
  }
  const Choice choice = choose(tuning.grid, tuning.score);
  const GridPosition best = position_of(choice.best, grid);
  const GridPosition one_se = position_of(choice.one_se, grid);
  result.best = chosen_model(paths, folds, grid, best);
  result.one_se = chosen_model(paths, folds, grid, one_se);
  if (!halves.empty()) detail::add_stability(input, grid, best, one_se, halves, control, result);
  with_threads(options.threads,
               [&] { result.evidence = detail::gather_evidence(input, grid[best.path].model, result); });
  result.evidence->held_out = detail::held_out_scores(paths, best, one_se);

  tuning.best = choice.best;
  tuning.one_se = choice.one_se;
  tuning.n_folds = folds.n_folds;
  tuning.repeats = repeats;
  tuning.leave_one_out =
      folds.n_folds == std::ssize(labels.of_sample) - std::ranges::count(folds.of_sample[0], kNeverHeldOut);
  tuning.seed = options.seed;
  tuning.n_paths = static_cast<Index>(control.n_done());
  tuning.seconds = control.seconds();
  tuning.passes += paths.passes();
  for (const GridPath& path : grid) {
    tuning.passes += path.model.passes;
    tuning.ends.push_back(path.model.ended);
  }
  count_held_out(paths.held_out({}, 0), labels, tuning);
  tuning.notes = detail::find_notes(tuning, choice, labels, options, tune_options);
  tuning.status = status_of(result, control);
  return result;
}

}  // namespace hsvm
