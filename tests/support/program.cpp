#include "tests/support/program.hpp"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <thread>

#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

// A pseudo-terminal: the program writes to its one end, the test reads from the other.
class Terminal {
 public:
  Terminal() {
    if (openpty(&reading_, &writing_, nullptr, nullptr, nullptr) != 0) throw std::runtime_error("no terminal");
    fcntl(reading_, F_SETFL, O_NONBLOCK);
  }
  ~Terminal() {
    close(reading_);
    close(writing_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  [[nodiscard]] int writing_end() const { return writing_; }
  void read_into(std::string& text) const {
    char bytes[4096];
    for (ssize_t n = 0; (n = read(reading_, bytes, sizeof bytes)) > 0;)
      text.append(bytes, static_cast<std::size_t>(n));
  }

 private:
  int reading_ = -1;
  int writing_ = -1;
};

// Becomes the program; never returns.
[[noreturn]] void become(const std::string& program, const std::vector<std::string>& arguments,
                         const std::string& folder, int input, int output, int errors) {
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const bool ready = chdir(folder.c_str()) == 0 && dup2(input, STDIN_FILENO) >= 0 &&
                     dup2(output, STDOUT_FILENO) >= 0 && dup2(errors, STDERR_FILENO) >= 0;
  if (ready) execv(program.c_str(), argv.data());
  _exit(126);
}

// The wait status of a child. Presses Ctrl-C once, when it is time to.
int wait_for(pid_t child, const Interrupt& interrupt, const std::optional<Terminal>& terminal,
             std::string& shown) {
  int status = 0;
  bool pressed = !interrupt.when;
  while (waitpid(child, &status, pressed && !terminal ? 0 : WNOHANG) == 0) {
    if (terminal) terminal->read_into(shown);
    if (!pressed && interrupt.when({child, shown})) {
      kill(child, SIGINT);
      pressed = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (terminal) terminal->read_into(shown);
  return status;
}

}  // namespace

bool catches_interrupts(int process) {
  const std::string text = read_text("/proc/" + std::to_string(process) + "/status");
  const std::string key = "SigCgt:";  // a mask of the caught signals, hexadecimal, the first one lowest
  const auto mask = std::stoull(text.substr(text.find(key) + key.size()), nullptr, 16);
  return (mask >> (SIGINT - 1) & 1U) != 0;
}

std::string program_in(const char* variable) {
  const char* const program = std::getenv(variable);
  if (program == nullptr || !std::filesystem::exists(program)) {
    throw std::runtime_error(std::string(variable) + " must name the program to test, as ctest does: " +
                             (program ? program : "(unset)"));
  }
  return program;
}

Outcome run_program(const std::string& program, const std::vector<std::string>& arguments,
                    const std::string& folder, const std::string& input, const Interrupt& interrupt) {
  const TemporaryFolder streams;
  const std::string output_file = streams.path("output");
  const std::string errors_file = streams.path("errors");
  std::optional<Terminal> terminal;
  if (interrupt.on_terminal) terminal.emplace();
  const int in = open(streams.write("input", input).c_str(), O_RDONLY | O_CLOEXEC);
  const int out = open(output_file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const int err = open(errors_file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) become(program, arguments, folder, in, out, terminal ? terminal->writing_end() : err);
  std::string shown;
  const int status = wait_for(child, interrupt, terminal, shown);
  for (const int file : {in, out, err}) close(file);
  return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), read_text(output_file),
          terminal ? shown : read_text(errors_file)};
}

}  // namespace hsvm::test
