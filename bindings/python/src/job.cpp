#include "job.hpp"

#include <nanobind/stl/string.h>

#include <chrono>
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

void Job::show(Look look) {
  const std::lock_guard lock(mutex_);
  look_ = std::move(look);
}

void Job::run() {
  try {
    work();
  } catch (...) {
    error_ = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  done_ = true;
  ended_.notify_all();
}

bool Job::wait(double seconds) {
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return done_; });
}

std::optional<Look> Job::take_look() {
  const std::lock_guard lock(mutex_);
  return std::exchange(look_, std::nullopt);
}

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
      job.stop_ = true;
    }
    due = Clock::now() +
          std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(kLookInterval));
  };
  {
    const nb::gil_scoped_release unlocked;
    job.run();
  }
  if (raised) std::rethrow_exception(raised);
  if (job.error_) std::rethrow_exception(job.error_);
}

void run_job(const std::shared_ptr<Job>& job, const nb::object& on_look, bool is_small) {
  if (is_small) return run_here(*job, on_look);
  std::thread thread([job = std::shared_ptr(job)]() mutable {
    job->run();
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
    job->stop_ = true;
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
  if (job->error_) std::rethrow_exception(job->error_);
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
