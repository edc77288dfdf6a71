// tune: the paths of all samples, the paths of the folds, the scores of the samples held out, the choice, and
// what is said about it.

#include <algorithm>
#include <utility>

#include "hsvm/api.hpp"
#include "hsvm/fit/setup.hpp"
#include "hsvm/path/follow.hpp"
#include "hsvm/select/calibrate.hpp"
#include "hsvm/select/choose.hpp"
#include "hsvm/select/part_paths.hpp"
#include "hsvm/select/scoring.hpp"

namespace hsvm {
namespace {

using detail::GridLine;
using detail::Pace;
using detail::PartPath;

// For each delta, for each lambda2; their paths are still empty.
std::vector<GridLine> make_lines(const FitOptions& options, const TuneOptions& tune_options) {
  std::vector<double> deltas = tune_options.delta_grid;
  if (deltas.empty()) deltas = {options.delta};
  std::vector<GridLine> lines;
  for (const double delta : deltas) {
    FitOptions fixed = options;
    fixed.delta = delta;
    fixed.measure_pass = false;
    if (tune_options.lambda2_grid.empty()) lines.push_back({fixed, detail::path_penalty(fixed), {}});
    for (const double lambda2 : tune_options.lambda2_grid) {
      fixed.lambda2 = lambda2;
      lines.push_back({fixed, detail::path_penalty(fixed), {}});
    }
  }
  return lines;
}

// The same lambda1 for all lines, from the largest of their lambda1_max down.
std::vector<double> common_grid(const FitInput& input, const std::vector<GridLine>& lines,
                                const PathOptions& path_options) {
  double lambda1_max = 0.0;
  for (const GridLine& line : lines) {
    if (!path_options.lambda_grid.empty()) break;
    with_threads(line.options.threads, [&] {
      const auto training = detail::make_training(input, line.options);
      lambda1_max = std::max(lambda1_max, detail::path_lambda1_max(*training, line.penalty));
    });
  }
  return detail::path_grid(input, path_options, lambda1_max);
}

Folds make_folds(const Labels& labels, const FitOptions& options, const TuneOptions& tune_options) {
  const auto n_samples = static_cast<Index>(labels.of_sample.size());
  Folds folds;
  if (!tune_options.fold_of_sample.empty()) {
    folds = folds_of(tune_options.fold_of_sample, n_samples);
  } else if (tune_options.leave_one_out) {
    folds = leave_one_out(n_samples);
  } else {
    const Index n_folds = tune_options.folds.value_or(std::min(kDefaultFolds, n_samples));
    folds = stratified_folds(labels, n_folds, tune_options.repeats, options.seed);
  }
  require_classes_in_training(folds, labels);
  return folds;
}

// Samples that were held out, with their scores at one point of the grid. Folds that were not done are left
// out.
struct HeldOut {
  std::vector<Index> samples;
  std::vector<Index> truth;
  std::vector<double> weights;
  std::vector<double> scores;  // n_outputs for each sample
  std::vector<Index> folds;    // 0 .. n_folds - 1
  Index n_folds = 0;
};

// All paths of the folds.
class FoldPaths {
 public:
  FoldPaths(const FitInput& input, const Folds& folds, const std::vector<GridLine>& lines)
      : input_(input),
        folds_(folds),
        lines_(lines),
        weights_(detail::given_weights(input)),
        paths_(lines.size() * folds.of_sample.size() * static_cast<std::size_t>(folds.n_folds)) {}

  void walk(Pace& pace) {
    detail::walk_all(size(), lines_.front().options, pace, [&](Index k) {
      const auto [line, repeat, fold] = fold_at(k);
      const std::vector<Index>& of_sample = folds_.of_sample[repeat];
      std::vector<char> inside(of_sample.size());
      for (std::size_t i = 0; i < inside.size(); ++i) inside[i] = of_sample[i] != fold ? 1 : 0;
      const GridLine& at = lines_[line];
      PartPath& path = paths_[static_cast<std::size_t>(k)];
      path = detail::walk_part(input_, inside, at, at.path.points.size(), pace);
      return path.complete;
    });
  }

  [[nodiscard]] Index size() const { return static_cast<Index>(paths_.size()); }
  [[nodiscard]] double passes() const { return detail::sum_of_passes(paths_); }
  // Whether there are two folds to choose by for each line in some repeat.
  [[nodiscard]] bool enough() const {
    for (std::size_t line = 0; line < lines_.size(); ++line) {
      std::ptrdiff_t most = 0;
      for (std::size_t repeat = 0; repeat < folds_.of_sample.size(); ++repeat)
        most = std::max(most, std::ranges::count(paths_of(line, repeat), true, &PartPath::complete));
      if (most < 2) return false;
    }
    return true;
  }
  [[nodiscard]] HeldOut held_out(std::size_t line, std::size_t repeat, std::size_t point) const;
  // Adds up what the folds say of a point.
  void count(std::size_t line, std::size_t point, TuningPoint& target) const;

 private:
  struct Fold {
    std::size_t line, repeat;
    Index fold;
  };
  [[nodiscard]] Fold fold_at(Index k) const {
    const auto n_repeats = static_cast<Index>(folds_.of_sample.size());
    return {static_cast<std::size_t>(k / folds_.n_folds / n_repeats),
            static_cast<std::size_t>(k / folds_.n_folds % n_repeats), k % folds_.n_folds};
  }
  // The paths of a line in a repeat.
  [[nodiscard]] std::span<const PartPath> paths_of(std::size_t line, std::size_t repeat) const {
    const auto n_folds = static_cast<std::size_t>(folds_.n_folds);
    return std::span(paths_).subspan((line * folds_.of_sample.size() + repeat) * n_folds, n_folds);
  }

  const FitInput& input_;
  const Folds& folds_;
  const std::vector<GridLine>& lines_;
  std::vector<double> weights_;
  std::vector<PartPath> paths_;  // for each line, for each repeat, for each fold
};

HeldOut FoldPaths::held_out(std::size_t line, std::size_t repeat, std::size_t point) const {
  HeldOut result;
  const auto n_outputs = static_cast<std::size_t>(lines_[line].path.n_outputs());
  for (const PartPath& path : paths_of(line, repeat)) {
    if (!path.complete) continue;
    result.samples.insert(result.samples.end(), path.outside.begin(), path.outside.end());
    for (const Index i : path.outside) {
      result.truth.push_back(input_.data.labels->of_sample[static_cast<std::size_t>(i)]);
      result.weights.push_back(weights_[static_cast<std::size_t>(i)]);
      result.folds.push_back(result.n_folds);
    }
    const std::size_t size = path.outside.size() * n_outputs;
    const auto begin = path.scores.begin() + static_cast<std::ptrdiff_t>(point * size);
    result.scores.insert(result.scores.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
    ++result.n_folds;
  }
  return result;
}

void FoldPaths::count(std::size_t line, std::size_t point, TuningPoint& target) const {
  double n_paths = 0.0;
  for (std::size_t repeat = 0; repeat < folds_.of_sample.size(); ++repeat) {
    for (const PartPath& path : paths_of(line, repeat)) {
      if (!path.complete) continue;
      n_paths += 1.0;
      target.mean_nonzeros += static_cast<double>(path.nonzeros[point]);
      target.not_certified += path.certified[point] != 0 ? 0 : 1;
    }
  }
  target.mean_nonzeros /= n_paths;
}

ScoredSamples scored(const HeldOut& samples, const PathModel& path) {
  return {.n_classes = path.classes.size(),
          .n_outputs = path.n_outputs(),
          .truth = samples.truth,
          .weights = samples.weights,
          .scores = samples.scores};
}

// A place in the grid.
struct Place {
  std::size_t line = 0;
  std::size_t point = 0;
};

Place place_in(const std::vector<GridLine>& lines, std::size_t number) {
  Place place{0, number};
  while (place.point >= lines[place.line].path.points.size())
    place.point -= lines[place.line++].path.points.size();
  return place;
}

// Every point of the grid, line by line, with its scores.
std::vector<TuningPoint> score_grid(const FoldPaths& paths, const std::vector<GridLine>& lines, Index repeats) {
  std::vector<TuningPoint> grid;
  for (const GridLine& line : lines) {
    for (const PathPoint& fitted : line.path.points) {
      grid.push_back({.lambda1 = fitted.lambda1,
                      .lambda2 = fitted.lambda2,
                      .lambda3 = fitted.lambda3,
                      .delta = line.options.delta,
                      .nonzeros = static_cast<Index>(fitted.features.size()),
                      .scores = {}});
    }
  }
  parallel_for(static_cast<Index>(grid.size()), [&](Index k) {
    const auto [line, point] = place_in(lines, static_cast<std::size_t>(k));
    TuningPoint& target = grid[static_cast<std::size_t>(k)];
    paths.count(line, point, target);
    std::vector<ScoreSummaries> summaries;
    for (std::size_t repeat = 0; repeat < static_cast<std::size_t>(repeats); ++repeat) {
      const HeldOut samples = paths.held_out(line, repeat, point);
      if (samples.n_folds < 2) continue;
      summaries.push_back(summarise_folds(scored(samples, lines[line].path), samples.folds, samples.n_folds,
                                          margin_loss(lines[line].options.loss, target.delta)));
    }
    target.scores = average(summaries);
  });
  return grid;
}

// The model of all samples at a place of the grid, with probabilities from the scores of the samples held out.
LinearModel chosen_model(const FoldPaths& paths, const Folds& folds, const std::vector<GridLine>& lines,
                         const Place& chosen) {
  const PathModel& path = lines[chosen.line].path;
  LinearModel model = at(path, path.points[chosen.point].lambda1);
  // A sample is held out once in each repeat; by the folds of the first one it is kept apart from itself.
  HeldOut all;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (std::size_t repeat = 0; repeat < folds.of_sample.size(); ++repeat) {
    const HeldOut part = paths.held_out(chosen.line, repeat, chosen.point);
    for (const Index i : part.samples) all.folds.push_back(folds.of_sample[0][static_cast<std::size_t>(i)]);
    append(all.truth, part.truth);
    // A sample counts once, however often it was held out.
    for (const double weight : part.weights)
      all.weights.push_back(weight / static_cast<double>(folds.of_sample.size()));
    append(all.scores, part.scores);
  }
  model.calibration = calibrate(scored(all, path), all.folds, folds.n_folds);
  return model;
}

// The paths of random halves of the samples, down to the model's lambda1.
class HalfPaths {
 public:
  HalfPaths(const FitInput& input, const GridLine& line, std::size_t n_points,
            const std::vector<std::vector<char>>& halves, Pace& pace)
      : paths_(halves.size()) {
    detail::walk_all(static_cast<Index>(halves.size()), line.options, pace, [&](Index k) {
      const auto half = static_cast<std::size_t>(k);
      paths_[half] = detail::walk_part(input, halves[half], line, n_points, pace);
      return paths_[half].complete;
    });
  }

  [[nodiscard]] double passes() const { return detail::sum_of_passes(paths_); }
  // Of the model at a point; halves that were not done do not count.
  [[nodiscard]] std::optional<Stability> at_point(std::size_t point, Index n_features) const {
    std::vector<double> counts(static_cast<std::size_t>(n_features), 0.0);
    Stability result;
    for (const PartPath& path : paths_) {
      if (!path.complete) continue;
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

 private:
  std::vector<PartPath> paths_;
};

void add_stability(const FitInput& input, const std::vector<GridLine>& lines, const Place& best,
                   const Place& one_se, const std::vector<std::vector<char>>& halves, Pace& pace,
                   TunedModel& model) {
  const Index p = input.data.n_features();
  const bool one_line = best.line == one_se.line;
  const HalfPaths of_best(input, lines[best.line],
                          1 + (one_line ? std::max(best.point, one_se.point) : best.point), halves, pace);
  model.best.stability = of_best.at_point(best.point, p);
  model.tuning.passes += of_best.passes();
  if (one_line) {
    model.one_se.stability = of_best.at_point(one_se.point, p);
    return;
  }
  pace.expect(std::ssize(halves));  // the two models have different lambda2 or delta
  const HalfPaths of_one_se(input, lines[one_se.line], 1 + one_se.point, halves, pace);
  model.one_se.stability = of_one_se.at_point(one_se.point, p);
  model.tuning.passes += of_one_se.passes();
}

[[noreturn]] void throw_stopped(Status status, const char* before) {
  throw StoppedError(status,
                     std::string(status == Status::interrupted ? "interrupted" : "the time limit was reached") +
                         " before " + before + ": there is no model to choose yet");
}

}  // namespace

TunedModel tune(const FitInput& input, const FitOptions& options, const PathOptions& path_options,
                const TuneOptions& tune_options, const TuneMonitor& monitor) {
  check_for_path(options);
  path_options.check();
  tune_options.check();
  detail::check_input(input);
  if (!tune_options.lambda2_grid.empty() && (options.lambda2 || options.alpha))
    throw OptionError(std::string("--lambda2-grid and ") + (options.alpha ? "--alpha" : "--lambda2") +
                      " exclude each other: give one of them");
  const Labels& labels = *input.data.labels;
  if (tune_options.score == Score::auc && labels.classes.size() > 2)
    throw OptionError("--score auc: must be another one with more than two classes");

  const Folds folds = make_folds(labels, options, tune_options);
  const auto repeats = static_cast<Index>(folds.of_sample.size());
  const std::vector<std::vector<char>> halves = random_halves(labels, tune_options.stability, options.seed);
  std::vector<GridLine> lines = make_lines(options, tune_options);
  Pace pace(monitor, options.time_limit);
  pace.expect(std::ssize(lines) * (1 + Count{repeats} * folds.n_folds) + tune_options.stability);

  PathOptions on_grid;
  on_grid.lambda_grid = common_grid(input, lines, path_options);
  on_grid.max_nonzeros = path_options.max_nonzeros;
  TunedModel result;
  for (GridLine& line : lines) {
    FitOptions fit_options = line.options;
    fit_options.time_limit = pace.seconds_left();
    if (const auto stopped = pace.stopped()) throw_stopped(*stopped, "the path of all samples");
    line.path = fit_path(input, fit_options, on_grid, pace.solve_monitor());
    if (const auto stopped = pace.stopped()) throw_stopped(*stopped, "the end of the path of all samples");
    pace.path_done();
    result.tuning.passes += line.path.passes;
  }

  FoldPaths paths(input, folds, lines);
  paths.walk(pace);
  if (!paths.enough()) throw_stopped(pace.stopped().value_or(Status::interrupted), "two folds were done");

  Tuning& tuning = result.tuning;
  with_threads(options.threads, [&] { tuning.grid = score_grid(paths, lines, repeats); });
  const Choice choice = choose(tuning.grid, tune_options.score);
  const Place best = place_in(lines, choice.best);
  const Place one_se = place_in(lines, choice.one_se);
  result.best = chosen_model(paths, folds, lines, best);
  result.one_se = chosen_model(paths, folds, lines, one_se);
  if (!halves.empty()) add_stability(input, lines, best, one_se, halves, pace, result);

  tuning.score = tune_options.score;
  tuning.best = choice.best;
  tuning.one_se = choice.one_se;
  tuning.n_folds = folds.n_folds;
  tuning.repeats = repeats;
  tuning.leave_one_out = folds.n_folds == input.data.n_samples();
  tuning.seed = options.seed;
  tuning.n_paths = static_cast<Index>(pace.n_done());
  tuning.seconds = pace.seconds();
  tuning.passes += paths.passes();
  // The two models are what is certified; what the folds' solves came to stands in the grid. A stop that came
  // when all was done has stopped nothing.
  tuning.status = result.best.report->status;
  if (tuning.status == to_string(Status::converged)) tuning.status = result.one_se.report->status;
  if (!pace.all_done()) tuning.status = std::string(to_string(pace.stopped().value_or(Status::interrupted)));
  return result;
}

}  // namespace hsvm
