// The library computes on other threads than R's, which may call nothing of R. R's own thread wakes up every now and then, asks
// R whether somebody has pressed Esc or Ctrl-C, and shows how far the work is.

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "glue.hpp"

namespace hsvm::r {
namespace {

constexpr std::chrono::milliseconds kLookInterval(30);

const pid_t loaded_by = getpid();

class Control final : public JobControl {
 public:
  [[nodiscard]] bool stopped() const override { return stop_.load(std::memory_order_relaxed); }
  void show(Look look) override {
    const std::lock_guard lock(mutex_);
    look_ = std::move(look);
  }

  void stop() { stop_ = true; }
  void end(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    error_ = std::move(error);
    done_ = true;
    ended_.notify_all();
  }
  [[nodiscard]] bool wait() {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, kLookInterval, [this] { return done_; });
  }
  [[nodiscard]] std::optional<Look> take_look() {
    const std::lock_guard lock(mutex_);
    return std::exchange(look_, std::nullopt);
  }
  [[nodiscard]] std::exception_ptr error() const { return error_; }

 private:
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::exception_ptr error_;
  std::optional<Look> look_;
};

// What is called of R here may leave by a jump, which no C++ object may be in the way of: it arrives as an exception, and goes on as
// a jump when the entry point has been left. So handlers of interrupts and of R's time limits see what they would see elsewhere.
void call_r(const std::function<void()>& body) {
  Rcpp::unwindProtect([&]() -> SEXP {
    body();
    return R_NilValue;
  });
}

// A line that is written over and over.
class ProgressLine {
 public:
  void show(const Look& look) {
    call_r([&] {
      Rprintf("\r%5.1f%%  %-60s", 100.0 * look.done / std::max(1.0, look.total), look.words.c_str());
      R_FlushConsole();
    });
    shown_ = true;
  }
  void clear() {
    if (std::exchange(shown_, false)) call_r([] { Rprintf("\r%68s\r", ""); });
  }

 private:
  bool shown_ = false;
};

}  // namespace

bool is_forked_child() {
  return getpid() != loaded_by;
}

void run_job(const std::function<void(JobControl&)>& job, bool shows) {
  Control control;
  std::thread thread([&] {
    std::exception_ptr error;
    try {
      job(control);
    } catch (...) {
      error = std::current_exception();
    }
    control.end(std::move(error));
  });
  try {
    ProgressLine line;
    while (!control.wait()) {
      call_r([] { R_CheckUserInterrupt(); });
      if (const auto look = control.take_look(); look && shows) line.show(*look);
    }
    line.clear();
  } catch (...) {
    control.stop();
    thread.join();
    throw;
  }
  thread.join();
  if (control.error()) std::rethrow_exception(control.error());
}

}  // namespace hsvm::r
