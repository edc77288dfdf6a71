// Paths of some of the samples: what cross-validation and stability selection are made of. Inside of the library.
//
// A subsample is a set of sample weights, zero for the samples that are left out. So nothing is copied, and whatever is
// learned from the data is learned from the subsample alone. A point of a path carries the scores of all samples, so
// those of the samples left out cost no product. Paths are independent of each other and run in parallel.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "hsvm/core/stopwatch.hpp"
#include "hsvm/fit/input.hpp"
#include "hsvm/model/path_model.hpp"
#include "hsvm/path/grid.hpp"
#include "hsvm/select/tune_options.hpp"

namespace hsvm::detail {

// Tells all threads when to stop, and the monitor how many paths are done.
class TuneControl {
 public:
  TuneControl(const TuneMonitor& monitor, double time_limit, const Collective& ranks = single_process())
      : monitor_(monitor), time_limit_(time_limit), ranks_(ranks) {}

  void add_paths(Count n_paths) { n_paths_ += n_paths; }  // that are to be done
  void path_done();
  [[nodiscard]] std::optional<Status> stopped() const;  // all ranks must ask, and have the same answer
  [[nodiscard]] double seconds() const { return watch_.seconds(); }
  [[nodiscard]] double seconds_left() const;
  [[nodiscard]] Count n_done() const { return n_done_; }
  [[nodiscard]] bool all_done() const { return n_done_ == n_paths_; }
  [[nodiscard]] SolveMonitor solve_monitor() const;
  [[nodiscard]] bool is_alone() const { return ranks_.is_alone(); }

 private:
  const TuneMonitor& monitor_;
  [[nodiscard]] std::optional<Status> stopped_here() const;

  double time_limit_;
  const Collective& ranks_;
  Stopwatch watch_;
  std::mutex mutex_;
  Count n_done_ = 0;
  Count n_paths_ = 0;
};

// One path of the grid: what is fixed while lambda1 falls, and the path of all samples.
struct GridPath {
  FitOptions options;
  PathPenalty penalty;
  PathModel model;

  // Of its first n_points points.
  [[nodiscard]] std::vector<double> lambda1(std::size_t n_points) const {
    std::vector<double> values;
    for (std::size_t k = 0; k < n_points; ++k) values.push_back(model.points[k].lambda1);
    return values;
  }
};

// A point of the grid: which of its paths, and which point of that.
struct GridPosition {
  std::size_t path = 0;
  std::size_t point = 0;
};

// What a subsample says of the samples outside of it, and of itself, at each lambda1 of a path of the grid.
struct SubsamplePath {
  bool finished = false;  // false where it was stopped
  double passes = 0.0;
  std::vector<Index> outside;  // the samples of all ranks that were left out
  std::vector<float> scores;   // for each lambda1, for each of these: n_outputs numbers, to choose by
  std::vector<Index> nonzeros;
  std::vector<char> certified;
  std::vector<std::vector<Index>> entering;  // the features that are in the model for the first time
};
// The same path further down: adds what comes below.
void append(SubsamplePath more, SubsamplePath& path);
[[nodiscard]] double sum_of_passes(std::span<const SubsamplePath> paths);

// The path of the samples, of all ranks, for which `inside` is not zero, at some values of lambda1, falling.
[[nodiscard]] SubsamplePath walk_part(const FitInput& input, std::span<const char> inside, const GridPath& line,
                                      std::span<const double> lambda1, const TuneControl& control);

// The paths walk(0) .. walk(count - 1), made on as many threads as the options say (over ranks one after the other, each on all of them); none is begun after a stop. What a
// walk throws is thrown here.
[[nodiscard]] std::vector<SubsamplePath> walk_all(Index count, const FitOptions& options, TuneControl& control,
                                                  const std::function<SubsamplePath(Index)>& walk);

// Stability selection [MB10]: how often features are selected on random halves of the samples. Fits the paths of the
// halves down to the lambda1 of both models, and tells what they selected in model.best and model.one_se; their passes
// are added to the tuning's. Halves that a stop has cut short do not count.
void add_stability(const FitInput& input, const std::vector<GridPath>& grid, const GridPosition& best,
                   const GridPosition& one_se, const std::vector<std::vector<char>>& halves,
                   TuneControl& control, TunedModel& model);

}  // namespace hsvm::detail
