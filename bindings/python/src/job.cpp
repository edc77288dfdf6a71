#include "job.hpp"

#include <nanobind/stl/string.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace hsvm::python {
namespace {

constexpr double kLookInterval = 0.03;  // seconds
constexpr double kStopPatience = 0.04;  // for a job that was told to stop

std::mutex left_mutex;
std::condition_variable left_ended;
int n_left = 0;  // jobs that nobody waits for
std::atomic<bool> forked = false;

}  // namespace

void run_here(Job& job, const nb::object& on_look) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point due =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(kLookInterval));
  std::exception_ptr raised;
  job.look_here_ = [&] {
    if (raised || Clock::now() < due) return;
    const nb::gil_scoped_acquire locked;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (const auto look = job.take_look(); look && !on_look.is_none())
        on_look(look->done, look->total, look->words);
    } catch (...) {
      raised = std::current_exception();
      job.stop();
    }
    due = Clock::now() +
          std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(kLookInterval));
  };
  {
    const nb::gil_scoped_release unlocked;
    job.run([&] { job.work(); });
  }
  if (raised) std::rethrow_exception(raised);
  job.rethrow();
}

void run_job(const std::shared_ptr<Job>& job, const nb::object& on_look, bool is_small) {
  if (is_small) return run_here(*job, on_look);
  std::thread thread([job = std::shared_ptr(job)]() mutable {
    job->run([&] { job->work(); });
    // The last reference, where the caller has left, gives Python objects back: what follows it must not need the job.
    job.reset();
  });
  const auto show = [&] {
    if (const auto look = job->take_look(); look && !on_look.is_none())
      on_look(look->done, look->total, look->words);
  };
  try {
    while (true) {
      {
        const nb::gil_scoped_release unlocked;
        if (job->wait(kLookInterval)) break;
      }
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      show();
    }
  } catch (...) {
    job->stop();
    const nb::gil_scoped_release unlocked;
    if (job->wait(kStopPatience)) {
      thread.join();
    } else {
      {
        const std::lock_guard lock(left_mutex);
        ++n_left;
      }
      std::thread([thread = std::move(thread)]() mutable {
        thread.join();
        const std::lock_guard lock(left_mutex);
        --n_left;
        left_ended.notify_all();
      }).detach();
    }
    throw;
  }
  {
    const nb::gil_scoped_release unlocked;
    thread.join();
  }
  show();
  job->rethrow();
}

void wait_for_left_jobs() {
  const nb::gil_scoped_release unlocked;
  std::unique_lock lock(left_mutex);
  left_ended.wait(lock, [] { return n_left == 0; });
}

void note_fork() {
  forked = true;
  n_left = 0;  // they are the parent's
}

bool is_forked_child() {
  return forked;
}

}  // namespace hsvm::python
