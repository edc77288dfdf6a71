// Paths of some of the samples: what cross-validation and stability selection are made of. Inside of the
// library.
//
// A part is a set of sample weights, zero for what is left out: nothing is copied, whatever is learned from the
// data is learned from the part alone, and since a point carries the scores of all samples, those of the others
// come without a product. Paths are independent of each other and run in parallel.
#pragma once

#include <atomic>
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

// When to stop, and how far it is; for all threads.
class Pace {
 public:
  Pace(const TuneMonitor& monitor, double time_limit) : monitor_(monitor), time_limit_(time_limit) {}

  void expect(Count n_paths) { n_paths_ += n_paths; }
  void path_done();
  [[nodiscard]] std::optional<Status> stopped() const;
  [[nodiscard]] double seconds() const { return watch_.seconds(); }
  [[nodiscard]] double seconds_left() const;
  [[nodiscard]] Count n_done() const { return n_done_; }
  [[nodiscard]] bool all_done() const { return n_done_ == n_paths_; }
  [[nodiscard]] SolveMonitor solve_monitor() const;

 private:
  const TuneMonitor& monitor_;
  double time_limit_;
  Stopwatch watch_;
  std::mutex mutex_;
  Count n_done_ = 0;
  Count n_paths_ = 0;
};

// One line of the grid: what is fixed while lambda1 falls, and the path of all samples.
struct GridLine {
  FitOptions options;
  PathPenalty penalty;
  PathModel path;

  [[nodiscard]] std::vector<double> lambdas1() const;
};

// What a part says of the samples outside of it, and of itself, at each lambda1 of a line.
struct PartPath {
  bool complete = false;  // false where it was stopped
  double passes = 0.0;
  std::vector<Index> outside;  // the samples that were left out
  std::vector<float> scores;   // for each lambda1, for each of these: n_outputs numbers, to choose by
  std::vector<Index> nonzeros;
  std::vector<char> certified;
  std::vector<std::vector<Index>> entering;  // the features that are in the model for the first time
};
[[nodiscard]] double sum_of_passes(std::span<const PartPath> paths);

// The path of the samples for which `inside` is not zero, at the first n_points of the line.
[[nodiscard]] PartPath walk_part(const FitInput& input, std::span<const char> inside, const GridLine& line,
                                 std::size_t n_points, const Pace& pace);

// walk(0) .. walk(count - 1), each making a path and telling whether it came to its end, on as many threads as
// the options say; none is begun once the pace has been stopped. What a walk throws is thrown here.
void walk_all(Index count, const FitOptions& options, Pace& pace, const std::function<bool(Index)>& walk);

}  // namespace hsvm::detail
