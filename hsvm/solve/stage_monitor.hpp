// Shows a solve, often over some columns alone, as a part of a longer one: all it counts goes on from `so_far`. A dual bound
// of the restricted problem is none of the full one, so the gap is to the last bound over all features, and the last
// iteration is traced only after the check that brings a new one.
#pragma once

#include <optional>

#include "hsvm/core/stopwatch.hpp"
#include "hsvm/solve/solve_report.hpp"

namespace hsvm {

class StageMonitor {
 public:
  StageMonitor(const SolveMonitor& whole, const Stopwatch& watch, const SolveReport& so_far, double share)
      : whole_(whole), watch_(watch), before_(so_far), share_(share) {
    monitor_.interrupted = whole.interrupted;
    monitor_.interval = whole.interval;
    monitor_.ranks = whole.ranks;
    if (whole.progress) monitor_.progress = [this](const Progress& p) { whole_.progress(seen_whole(p)); };
    if (whole.trace) {
      monitor_.trace = [this](const Progress& p) {
        if (last_) whole_.trace(*last_);
        last_ = seen_whole(p);
      };
    }
  }
  StageMonitor(const StageMonitor&) = delete;
  StageMonitor& operator=(const StageMonitor&) = delete;

  [[nodiscard]] const SolveMonitor& monitor() const { return monitor_; }

  // Traces the last iteration, with what the check has cost and found.
  void finish(const SolveReport& checked) {
    if (!last_) return;
    last_->gap = checked.gap();
    last_->passes = checked.passes;
    last_->seconds = watch_.seconds();
    whole_.trace(*last_);
  }

 private:
  [[nodiscard]] Progress seen_whole(Progress p) const {
    p.iteration += before_.iterations;
    p.gap = p.objective - before_.dual_objective;
    p.passes = before_.passes + share_ * p.passes;
    p.seconds = watch_.seconds();
    return p;
  }

  const SolveMonitor& whole_;
  const Stopwatch& watch_;
  SolveReport before_;
  double share_;  // of the columns
  SolveMonitor monitor_;
  std::optional<Progress> last_;
};

}  // namespace hsvm
