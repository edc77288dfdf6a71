#include "app/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "app/command_line.hpp"

namespace hsvm::app {
namespace {

volatile std::sig_atomic_t interrupt_seen = 0;  // all a signal handler may touch

void on_interrupt(int signal) {
  interrupt_seen = 1;
  std::signal(signal, SIG_DFL);
}

bool shows_progress(bool quiet) {
  return !quiet && isatty(STDERR_FILENO) != 0;
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupt_seen = 0;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool InterruptGuard::interrupted() {
  return interrupt_seen != 0;
}

SolveMonitor terminal_monitor(bool quiet) {
  SolveMonitor monitor;
  monitor.interrupted = InterruptGuard::interrupted;
  if (shows_progress(quiet)) {
    monitor.progress = [](const Progress& p) {
      fmt::print(stderr, "\r");
      if (p.point > 0) fmt::print(stderr, "point {} of {}  lambda1 {:.4g}  ", p.point, p.n_points, p.lambda1);
      fmt::print(stderr, "iteration {:>6}  objective {:.8g}  gap {:.2e}  nonzeros {}  {:.1f} s\x1b[K",
                 p.iteration, p.objective, p.gap, p.nonzeros, p.seconds);
      std::fflush(stderr);
    };
  }
  return monitor;
}

TuneMonitor tune_monitor(bool quiet) {
  TuneMonitor monitor;
  monitor.interrupted = InterruptGuard::interrupted;
  if (shows_progress(quiet)) {
    monitor.progress = [](const TuneProgress& p) {
      fmt::print(stderr, "\r{}\x1b[K", progress_bar(p));
      std::fflush(stderr);
    };
  }
  return monitor;
}

std::string progress_bar(const TuneProgress& progress) {
  constexpr Count kWidth = 30;
  const Count n_paths = std::max<Count>(progress.n_paths, 1);
  const auto done =
      static_cast<std::size_t>(std::clamp<Count>(kWidth * progress.paths_done / n_paths, 0, kWidth));
  std::string text =
      fmt::format("[{}{}] {} of {} paths  {:.1f} s", std::string(done, '#'), std::string(kWidth - done, '.'),
                  progress.paths_done, progress.n_paths, progress.seconds);
  if (progress.paths_done > 0 && progress.paths_done < progress.n_paths)
    text += fmt::format(", about {:.{}f} s left", progress.seconds_left, progress.seconds_left < 10.0 ? 1 : 0);
  return text;
}

int exit_code_of(Status status) {
  if (status == Status::converged) return kDone;
  return status == Status::interrupted ? kInterrupted : kNotCertified;
}

void clear_progress(bool quiet) {
  if (shows_progress(quiet)) fmt::print(stderr, "\r\x1b[K");
}

}  // namespace hsvm::app
