#include "hsvm/solve/reason_to_stop.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hsvm {

std::string Sentence::text() const {
  return fmt::format(fmt::runtime(pattern), first, second);
}

StopReason reason_certified(const SolveReport& report, double tolerance) {
  return {Status::converged,
          {"the relative gap is {:.2g}, at most the tolerance of {:.2g}", std::max(0.0, report.relative_gap()),
           tolerance}};
}

StopReason reason_small_changes(double tolerance) {
  return {Status::converged,
          {"objective and coefficients changed by at most {:.2g} three times in a row", tolerance}};
}

StopReason reason_stalled(const SolveReport& report) {
  return {Status::stalled,
          {"neither the objective nor the bound moves any more, at a relative gap of {:.2g}",
           report.relative_gap()}};
}

StopReason reason_doubtful(const SolveReport& report) {
  return {
      Status::stalled,
      {"rounding leaves the objective or its bound in doubt, at a relative gap of {:.2g}: scale the features",
       report.relative_gap()}};
}

StopReason reason_not_finite() {
  return {Status::not_finite, {"the objective or its gradient is no finite number"}};
}

StopReason reason_iteration_limit(int iterations) {
  return {Status::iteration_limit,
          {"{:.0f} iterations were made, the most allowed", static_cast<double>(iterations)}};
}

std::optional<StopReason> reason_at_limit(int iterations, int max_iterations, double seconds, double time_limit,
                                          const SolveMonitor& monitor) {
  if (iterations >= max_iterations) return reason_iteration_limit(iterations);
  if (seconds >= time_limit)
    return StopReason{Status::time_limit, {"the time limit of {:.3g} s was reached", time_limit}};
  if (monitor.interrupted && monitor.interrupted())
    return StopReason{Status::interrupted, {"it was interrupted"}};
  return std::nullopt;
}

}  // namespace hsvm
