#include "hsvm/solve/reason_to_stop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

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

OutsideReasons ask_outside(double seconds, double time_limit, const SolveMonitor& monitor) {
  const bool is_late = seconds >= time_limit;
  const bool was_asked = monitor.interrupted && monitor.interrupted();
  const bool nothing_to_ask = std::isinf(time_limit) && !monitor.interrupted;
  if (monitor.ranks->is_alone() || nothing_to_ask) return {is_late, was_asked};
  std::array<double, 2> seen = {is_late ? 1.0 : 0.0, was_asked ? 1.0 : 0.0};
  monitor.ranks->maximum(seen);
  return {seen[0] > 0.0, seen[1] > 0.0};
}

std::optional<StopReason> reason_at_limit(int iterations, int max_iterations, double seconds, double time_limit,
                                          const SolveMonitor& monitor) {
  if (iterations >= max_iterations) return reason_iteration_limit(iterations);
  const OutsideReasons outside = ask_outside(seconds, time_limit, monitor);
  if (outside.is_late)
    return StopReason{Status::time_limit, {"the time limit of {:.3g} s was reached", time_limit}};
  if (outside.was_asked) return StopReason{Status::interrupted, {"it was interrupted"}};
  return std::nullopt;
}

}  // namespace hsvm
