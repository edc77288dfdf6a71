// A piece of the library at work for another language, as both packages see it: it runs on a thread of its own, while the
// language's thread looks for interrupts and shows how far the work is.
//
//   JobState job;
//   std::thread thread([&] { job.run([&] { model = fit(input, options, solve_monitor(job, true)); }); });
//   while (!job.wait(0.03)) ...                        // interrupted? then job.stop(); what has job.take_look() to show?
//   thread.join();
//   job.rethrow();
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "hsvm/api.hpp"

namespace hsvm::bindings {

// A look at work on its way: `done` of `total` (0: unknown) and a few words.
struct Look {
  double done = 0.0;
  double total = 0.0;
  std::string words;
};

class JobState {
 public:
  virtual ~JobState() = default;

  // The job's side, from any thread. To be asked often.
  [[nodiscard]] virtual bool stopped() { return stop_.load(std::memory_order_relaxed); }
  void show(Look look) {
    const std::lock_guard lock(mutex_);
    look_ = std::move(look);
  }
  // Once; what `work` throws is kept.
  template <class Work>
  void run(const Work& work) {
    std::exception_ptr error;
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    error_ = std::move(error);
    done_ = true;
    ended_.notify_all();
  }

  // The side of who waits for it.
  void stop() { stop_ = true; }
  [[nodiscard]] bool wait(double seconds) {  // whether it is done
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return done_; });
  }
  [[nodiscard]] std::optional<Look> take_look() {
    const std::lock_guard lock(mutex_);
    return std::exchange(look_, std::nullopt);
  }
  void rethrow() const {  // after the end
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::exception_ptr error_;
  std::optional<Look> look_;
};

// What the library's verbs ask and tell on the way: of a fit iterations, of a path points, of cross-validation paths.
inline SolveMonitor solve_monitor(JobState& job, bool shows) {
  SolveMonitor monitor;
  monitor.interrupted = [&job] { return job.stopped(); };
  if (!shows) return monitor;
  monitor.progress = [&job](const Progress& p) {
    const std::string nonzeros = ", nonzeros " + std::to_string(p.nonzeros);
    if (p.n_points > 0) {
      job.show({static_cast<double>(p.point), static_cast<double>(p.n_points),
                "lambda1 " + std::to_string(p.lambda1) + nonzeros});
    } else {
      job.show({static_cast<double>(p.iteration), 0.0, "gap " + std::to_string(p.gap) + nonzeros});
    }
  };
  return monitor;
}

inline TuneMonitor tune_monitor(JobState& job, bool shows) {
  TuneMonitor monitor;
  monitor.interrupted = [&job] { return job.stopped(); };
  if (!shows) return monitor;
  monitor.progress = [&job](const TuneProgress& p) {
    job.show({static_cast<double>(p.paths_done), static_cast<double>(p.n_paths), "paths"});
  };
  return monitor;
}

}  // namespace hsvm::bindings
