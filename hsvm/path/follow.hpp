// Goes along a path: solves at one lambda1 after the other, each from the point before. fit_path and tune go along paths
// with it, and with nothing else. Inside of the library.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "hsvm/fit/training.hpp"
#include "hsvm/model/path_model.hpp"
#include "hsvm/path/grid.hpp"
#include "hsvm/path/options.hpp"

namespace hsvm::detail {

// lambda2 and lambda3 along a path, from the options of a fit.
[[nodiscard]] PathPenalty path_penalty(const FitOptions& options);
// The smallest lambda1 of a path as a fraction of lambda1_max: what was asked for, or what fits the problem.
[[nodiscard]] double path_min_ratio(const FitInput& input, const FitOptions& options,
                                    const PathOptions& path_options);
// The values of lambda1, falling: those given, or as many as asked for from lambda1_max down.
[[nodiscard]] std::vector<double> path_grid(const PathOptions& options, double lambda1_max, double min_ratio);
// The smallest lambda1 from which the model is empty along a path. Moves the training to a model without penalised features.
[[nodiscard]] double path_lambda1_max(Training& training, const PathPenalty& penalty);

struct PathLimits {
  double time_limit = kNoLimit;                            // seconds, for the whole path
  Index max_nonzeros = std::numeric_limits<Index>::max();  // the first point with more is the last one
  bool end_when_learned = false;                           // by the rule of path_end.hpp
};

// A given grid is always fitted whole.
[[nodiscard]] PathLimits path_limits(const PathOptions& options, double time_limit);

struct PathReport {
  Status status = Status::converged;  // of what ended the path early, else of the first point not certified
  PathEnd ended = PathEnd::grid;
  double explained = 0.0;  // by the last point: 1 - loss/null loss
  int n_points = 0;        // those handed to `keep`
  double passes = 0.0;     // also of a point that was dropped
  double seconds = 0.0;
};

// Called at each point, where the training stands then.
using KeepPoint = std::function<void(const Lambdas& lambdas, const SolveReport& report)>;

// Solves at every lambda1 of `grid` (falling), from the empty model on.
//
// A point that is not certified is kept, with its status, and the path goes on. Only the time limit and an interruption end
// it: the point they cut short is dropped unless it is the first. After the first point with more than max_nonzeros
// nonzeros, which is kept, the path ends as well, and so it does after the first point that leaves nothing to learn.
PathReport follow_path(Training& training, std::span<const double> grid, const PathPenalty& penalty,
                       const PathLimits& limits, const SolveMonitor& monitor, const KeepPoint& keep);

// A path without points yet: its shape and lambda1_max. Moves the training to a model without penalised features.
[[nodiscard]] PathModel begin_path(const FitInput& input, const FitOptions& options, const PathPenalty& penalty,
                                   Training& training);
// Goes along `grid`, below the points that are there, and adds what comes of it to the path.
void continue_path(const FitInput& input, const FitOptions& options, const PathPenalty& penalty,
                   std::span<const double> grid, const PathLimits& limits, const SolveMonitor& monitor,
                   Training& training, PathModel& path);

}  // namespace hsvm::detail
