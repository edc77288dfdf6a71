// Runs a program as a user would.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace hsvm::test {

struct Outcome {
  int exit_code = -1;  // 128 + the signal where one ended it, as shells say
  std::string output;  // standard output
  std::string errors;  // standard error
};

// Runs `program` with the arguments, `input` on its standard input, in the folder `folder`; with
// `interrupt_after` Ctrl-C is pressed so much later. A program that is still reading then simply ends: wait
// until it has surely begun to solve.
[[nodiscard]] Outcome run_program(const std::string& program, const std::vector<std::string>& arguments,
                                  const std::string& folder, const std::string& input = "",
                                  std::optional<std::chrono::milliseconds> interrupt_after = {});

}  // namespace hsvm::test
