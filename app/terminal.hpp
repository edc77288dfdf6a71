// What a person at a terminal sees and does while a solve runs: a progress line on standard error, and Ctrl-C.
#pragma once

#include <string>

#include "hsvm/api.hpp"

namespace hsvm::app {

// Catches SIGINT and SIGTERM while it lives: the first one asks the solve to stop, a second one ends the program.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  [[nodiscard]] static bool interrupted();
};

// Stops the solve when interrupted. Shows progress on standard error when that is a terminal and `quiet` is not set.
[[nodiscard]] SolveMonitor terminal_monitor(bool quiet);
// The same for a cross-validation: a bar, and the time that is left.
[[nodiscard]] TuneMonitor tune_monitor(bool quiet);
[[nodiscard]] std::string progress_bar(const TuneProgress& progress);
// 0, 3 or 130: converged, stopped early, interrupted.
[[nodiscard]] int exit_code_of(Status status);
// Removes the progress line, if there is one.
void clear_progress(bool quiet);

}  // namespace hsvm::app
