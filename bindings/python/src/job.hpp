// Runs a piece of the library for Python: without the interpreter lock, on a thread of its own, while the thread that
// called looks for signals and shows progress.
//
// A small job, whose iterations are short, runs on the caller's own thread instead and looks for itself: starting a thread
// takes longer than a small fit.
//
// The caller wakes up every kLookInterval. Where a signal handler raises (Ctrl-C), the job is told to stop. A job that does
// not stop at once, being amid a pass over much data, is left to end by itself: the caller goes on within a tenth of a
// second, and what the job refers to stays alive until it has ended. wait_for_left_jobs() is for the end of the interpreter.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>
#include <optional>

#include "bindings/shared/job.hpp"

namespace hsvm::python {

namespace nb = nanobind;

using bindings::solve_monitor;
using bindings::tune_monitor;

class Job : public bindings::JobState {
 public:
  [[nodiscard]] bool stopped() override {
    if (look_here_) look_here_();
    return JobState::stopped();
  }

  // What the job is; called on its own thread, once.
  virtual void work() = 0;

 private:
  friend void run_here(Job& job, const nb::object& on_look);

  std::function<void()> look_here_;  // of a job on the caller's thread
};

// Returns when the job is done; throws what it threw, or what a signal handler or on_look(done, total, words) raised.
void run_job(const std::shared_ptr<Job>& job, const nb::object& on_look, bool is_small);

// The same for a function of the job.
template <class Result>
Result run(std::function<Result(Job&)> function, const nb::object& on_look, bool is_small = false) {
  struct FunctionJob final : Job {
    std::function<Result(Job&)> function;
    std::optional<Result> result;
    void work() override { result.emplace(function(*this)); }
  };
  const auto job = std::make_shared<FunctionJob>();
  job->function = std::move(function);
  run_job(job, on_look, is_small);
  return std::move(*job->result);
}

void wait_for_left_jobs();

// After a fork only the forking thread is there: the child's work runs on one thread.
void note_fork();
[[nodiscard]] bool is_forked_child();

}  // namespace hsvm::python
