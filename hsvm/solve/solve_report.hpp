// What a solve says of itself.
//
//   status            the returned point                                    gap
//   converged         meets the stopping rule that was asked for            <= tolerance * F(0) under the rule `gap`
//   iteration_limit   the best point found so far                           what it is
//   time_limit        the same                                              what it is
//   interrupted       the same: the caller asked to stop                    what it is
//   stalled           neither bound moves any more, or rounding leaves     what it is
//                     them in doubt (certificate.hpp)
//   not_finite        the last point with a finite objective                what it was there
//
// objective, dual_objective and the gap between them always belong to the returned point: whatever the status,
// the minimum lies between the two, and both are finite.
#pragma once

#include <functional>
#include <limits>
#include <string>

#include "hsvm/core/collective.hpp"
#include "hsvm/core/status.hpp"
#include "hsvm/core/types.hpp"

namespace hsvm {

// A sentence with up to two numbers in it, put into words only when somebody reads it: a small solve takes 40 microseconds.
struct Sentence {
  const char* pattern = "";  // with {:...} for the numbers
  double first = 0.0;
  double second = 0.0;

  [[nodiscard]] std::string text() const;
};

struct SolveReport {
  Status status = Status::iteration_limit;
  Sentence reason = {};  // why it stopped
  int iterations = 0;
  double objective = std::numeric_limits<double>::infinity();
  double dual_objective = 0.0;     // F >= 0, so 0 is always a bound
  double objective_at_zero = 1.0;  // F(0), the scale of the relative gap
  double passes = 0.0;             // products with X and X' over the whole matrix, half a pass each
  double seconds = 0.0;
  bool fell_back = false;  // newton: the proximal-gradient loop has finished what its steps could not

  [[nodiscard]] double gap() const { return objective - dual_objective; }
  [[nodiscard]] double relative_gap() const { return gap() / objective_at_zero; }
};

// A look at a solve on its way.
struct Progress {
  int iteration = 0;
  double objective = 0.0;
  double gap = 0.0;  // objective - best dual bound so far
  Index nonzeros = 0;
  double seconds = 0.0;
  double passes = 0.0;
  Index working_set = 0;  // how many features the iteration worked on
  // On a path, whose seconds and passes count from its first point:
  int point = 0;  // from 1; 0 where a single model is solved for
  int n_points = 0;
  double lambda1 = 0.0;
};

struct SolveMonitor {
  std::function<bool()> interrupted;              // asked at every iteration; true stops the solve
  std::function<void(const Progress&)> progress;  // called every `interval` seconds
  double interval = 0.1;
  std::function<void(const Progress&)> trace = {};  // called at every iteration
  // Where samples are divided over ranks: those that have to agree on when to stop.
  const Collective* ranks = &single_process();
};

// Shows a solve to its monitor: to be called after every iteration. look() makes the Progress, which may cost
// something, and is called only where somebody looks.
class ProgressTeller {
 public:
  explicit ProgressTeller(const SolveMonitor& monitor) : monitor_(monitor), due_(monitor.interval) {}

  template <class Look>
  void operator()(double seconds, const Look& look) {
    const bool shows = monitor_.progress && seconds >= due_;
    if (!shows && !monitor_.trace) return;
    const Progress progress = look();
    if (monitor_.trace) monitor_.trace(progress);
    if (shows) {
      due_ = seconds + monitor_.interval;
      monitor_.progress(progress);
    }
  }

 private:
  const SolveMonitor& monitor_;
  double due_;
};

}  // namespace hsvm
