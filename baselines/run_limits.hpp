// How long a baseline may run, and the clock that keeps it to that.
#pragma once

#include <functional>
#include <optional>

#include "hsvm/core/stopwatch.hpp"
#include "hsvm/solve/proximal_gradient.hpp"
#include "hsvm/solve/solve_report.hpp"

namespace hsvm::baselines {

struct RunLimits {
  double time_limit = kNoLimit;            // seconds
  std::function<bool()> interrupted = {};  // asked now and then; true stops the run
};

class RunClock {
 public:
  explicit RunClock(const RunLimits& limits) : limits_(limits) {}

  [[nodiscard]] double seconds() const { return watch_.seconds(); }
  // Why the run has to end now, if it has to.
  [[nodiscard]] std::optional<Status> reason_to_stop() const {
    if (seconds() >= limits_.time_limit) return Status::time_limit;
    if (limits_.interrupted && limits_.interrupted()) return Status::interrupted;
    return std::nullopt;
  }

 private:
  RunLimits limits_;
  Stopwatch watch_;
};

}  // namespace hsvm::baselines
