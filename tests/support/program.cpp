#include "tests/support/program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {

Outcome run_program(const std::string& program, const std::vector<std::string>& arguments,
                    const std::string& folder, const std::string& input,
                    std::optional<std::chrono::milliseconds> interrupt_after) {
  const TemporaryFolder streams;
  const std::string input_file = streams.write("input", input);
  const std::string output_file = streams.path("output");
  const std::string errors_file = streams.path("errors");

  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    std::vector<char*> argv = {const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    const auto redirect = [](const std::string& file, int flags, int to) {
      const int from = open(file.c_str(), flags, 0600);
      return from >= 0 && dup2(from, to) >= 0;
    };
    const bool ready = chdir(folder.c_str()) == 0 && redirect(input_file, O_RDONLY, STDIN_FILENO) &&
                       redirect(output_file, O_WRONLY | O_CREAT, STDOUT_FILENO) &&
                       redirect(errors_file, O_WRONLY | O_CREAT, STDERR_FILENO);
    if (ready) execv(program.c_str(), argv.data());
    _exit(126);
  }
  if (interrupt_after) {
    std::this_thread::sleep_for(*interrupt_after);
    kill(child, SIGINT);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), read_text(output_file),
          read_text(errors_file)};
}

}  // namespace hsvm::test
