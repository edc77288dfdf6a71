#include "hsvm/core/lost_bytes.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <string_view>

#include "hsvm/core/mapped_file.hpp"

namespace hsvm {
namespace {

std::array<char, 64> program_name = {};
int lost_bytes_code = 1;

// Only what a signal handler may do.
void say_lost_bytes(int /*signal*/, siginfo_t* info, void* /*context*/) {
  const auto say = [](const char* text) {
    const ssize_t ignored = write(STDERR_FILENO, text, std::strlen(text));
    static_cast<void>(ignored);
  };
  if (const char* const file = mapped_file_at(info->si_addr)) {
    say(program_name.data());
    say(": ");
    say(file);
    say(": became shorter while it was read; expected a file that nobody writes to\n");
    _exit(lost_bytes_code);
  }
  signal(SIGBUS, SIG_DFL);  // none of ours: it happens again, and ends the program as it would have
}

}  // namespace

void end_on_lost_bytes(const char* program, int exit_code) {
  program_name.fill('\0');
  std::string_view(program).copy(program_name.data(), program_name.size() - 1);
  lost_bytes_code = exit_code;
  struct sigaction action {};
  action.sa_sigaction = say_lost_bytes;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace hsvm
