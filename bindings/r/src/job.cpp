// The library computes on other threads than R's, which may call nothing of R. R's own thread wakes up every now and then, asks
// R whether somebody has pressed Esc or Ctrl-C, and shows how far the work is.

#include <unistd.h>

#include <thread>

#include "glue.hpp"

namespace hsvm::r {
namespace {

constexpr double kLookInterval = 0.03;  // seconds

const pid_t loaded_by = getpid();

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
  void show(const bindings::Look& look) {
    const std::string of_total = look.total > 0.0 ? " of " + std::to_string(std::lround(look.total)) : "";
    call_r([&] {
      Rprintf("\r%5.0f%s %-50s", look.done, of_total.c_str(), look.words.c_str());
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

void run_job(const std::function<void(JobState&)>& body, bool shows) {
  JobState job;
  std::thread thread([&] { job.run([&] { body(job); }); });
  try {
    ProgressLine line;
    while (!job.wait(kLookInterval)) {
      call_r([] { R_CheckUserInterrupt(); });
      if (const auto look = job.take_look(); look && shows) line.show(*look);
    }
    line.clear();
  } catch (...) {
    job.stop();
    thread.join();
    throw;
  }
  thread.join();
  job.rethrow();
}

}  // namespace hsvm::r
