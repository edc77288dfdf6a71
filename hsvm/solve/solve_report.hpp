// What a solve says of itself.
//
//   status            the returned point                                 gap
//   converged         meets the stopping rule that was asked for         <= tolerance * F(0) under the rule
//   `gap` iteration_limit   the best point found so far                        what it is time_limit        the
//   same                                           what it is interrupted       the same: the caller asked to
//   stop                 what it is stalled           neither bound moves any more (rounding)            what
//   it is not_finite        the last point with a finite objective             what it was there
//
// objective, dual_objective and the gap between them always belong to the returned point: whatever the status,
// the minimum lies between the two.
#pragma once

#include <functional>
#include <limits>
#include <string_view>

#include "hsvm/core/types.hpp"

namespace hsvm {

enum class Status { converged, iteration_limit, time_limit, interrupted, stalled, not_finite };

[[nodiscard]] constexpr std::string_view to_string(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::iteration_limit:
      return "iteration_limit";
    case Status::time_limit:
      return "time_limit";
    case Status::interrupted:
      return "interrupted";
    case Status::stalled:
      return "stalled";
    case Status::not_finite:
      return "not_finite";
  }
  return "";
}

struct SolveReport {
  Status status = Status::iteration_limit;
  int iterations = 0;
  double objective = std::numeric_limits<double>::infinity();
  double dual_objective = 0.0;     // F >= 0, so 0 is always a bound
  double objective_at_zero = 1.0;  // F(0), the scale of the relative gap
  double passes = 0.0;             // products with X and X' over the whole matrix, half a pass each
  double seconds = 0.0;

  [[nodiscard]] double gap() const { return objective - dual_objective; }
  [[nodiscard]] double relative_gap() const { return gap() / objective_at_zero; }
};

// A look at a solve on its way.
struct Progress {
  int iteration = 0;
  double objective = 0.0;
  double gap = 0.0;
  Index nonzeros = 0;
  double seconds = 0.0;
};

struct SolveMonitor {
  std::function<bool()> interrupted;              // asked at every iteration; true stops the solve
  std::function<void(const Progress&)> progress;  // called every `interval` seconds
  double interval = 0.1;
};

}  // namespace hsvm
