#include "app/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
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

// A line that is longer than the terminal is wide would stay there for good: it is cut.
void show_progress(std::string line) {
  winsize size{};
  constexpr std::size_t kUnknownWidth = 80;
  const bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  const std::size_t width = is_known ? size.ws_col : kUnknownWidth;
  if (line.size() >= width) line.resize(width - 1);
  tell("\r" + line + "\x1b[K");
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
      std::string line;
      if (p.point > 0) line = fmt::format("point {} of {}  lambda1 {:.4g}  ", p.point, p.n_points, p.lambda1);
      show_progress(line + fmt::format("iteration {:>6}  objective {:.8g}  gap {:.2e}  nonzeros {}  {:.1f} s",
                                       p.iteration, p.objective, p.gap, p.nonzeros, p.seconds));
    };
  }
  return monitor;
}

TuneMonitor tune_monitor(bool quiet) {
  TuneMonitor monitor;
  monitor.interrupted = InterruptGuard::interrupted;
  if (shows_progress(quiet)) {
    monitor.progress = [](const TuneProgress& p) { show_progress(progress_bar(p)); };
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
  if (shows_progress(quiet)) tell("\r\x1b[K");
}

}  // namespace hsvm::app
