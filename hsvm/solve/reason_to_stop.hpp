// The reasons for which solves stop. Each is a function that names the status and writes the sentence a user reads, with
// the numbers in it. Measuring is the solver's business, deciding is done here and in stopping.hpp.
#pragma once

#include <optional>
#include <string>

#include "hsvm/core/status.hpp"
#include "hsvm/solve/solve_report.hpp"

namespace hsvm {

struct StopReason {
  Status status = Status::converged;
  Sentence sentence;
};

// F - D <= tolerance * F(0).
[[nodiscard]] StopReason reason_certified(const SolveReport& report, double tolerance);
// The rule of [XAC15, eq. 20] held.
[[nodiscard]] StopReason reason_small_changes(double tolerance);
// Neither F nor D moves any more.
[[nodiscard]] StopReason reason_stalled(const SolveReport& report);
// The objective is known no better, by rounding, than the tolerance asks for, or no bound withstands it.
[[nodiscard]] StopReason reason_doubtful(const SolveReport& report);
[[nodiscard]] StopReason reason_not_finite();
[[nodiscard]] StopReason reason_iteration_limit(int iterations);

// What clocks and callers say, as all ranks see it: late where one of them is, asked where one was.
struct OutsideReasons {
  bool is_late = false;
  bool was_asked = false;
};
[[nodiscard]] OutsideReasons ask_outside(double seconds, double time_limit, const SolveMonitor& monitor);

// The limits, in this order: iterations, seconds, the caller's wish.
[[nodiscard]] std::optional<StopReason> reason_at_limit(int iterations, int max_iterations, double seconds,
                                                        double time_limit, const SolveMonitor& monitor);

}  // namespace hsvm
