// Runs a program as a user would.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace hsvm::test {

struct Outcome {
  int exit_code = -1;  // 128 + the signal where one ended it, as shells say
  std::string output;  // standard output
  std::string errors;  // standard error
};

// A program on its way.
struct Running {
  int process;
  std::string shown;  // on its terminal so far
};

// When Ctrl-C is pressed. A program that does not catch it yet simply ends, so wait for something that proves it
// is solving: what it shows, what it writes, or catches_interrupts().
struct Interrupt {
  std::function<bool(const Running&)> when = {};  // asked again and again; absent: never pressed
  bool on_terminal = false;                       // standard error is a terminal, where progress is shown
};
// Whether the process has a handler for Ctrl-C by now.
[[nodiscard]] bool catches_interrupts(int process);

// The program named by an environment variable, so that one build of the tests serves every build of the program.
[[nodiscard]] std::string program_in(const char* variable);

// Runs `program` with the arguments, `input` on its standard input, in the folder `folder`.
[[nodiscard]] Outcome run_program(const std::string& program, const std::vector<std::string>& arguments,
                                  const std::string& folder, const std::string& input = "",
                                  const Interrupt& interrupt = {});

}  // namespace hsvm::test
