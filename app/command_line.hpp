// What all programs of the project share: how a command line is read, what is said on standard error when
// something goes wrong, and the exit codes.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace hsvm::app {

enum ExitCode : int {
  kDone = 0,          // and, where something was solved, certified to the tolerance
  kBadInput = 1,      // bad data, bad model, a file that cannot be read or written
  kUsage = 2,         // wrong command line
  kNotCertified = 3,  // stopped before the tolerance; the best point was still written
  kInterrupted = 130
};

// A name of the library as the command line has it: lambda1_ratio is --lambda1-ratio, fit() is hsvm fit.
[[nodiscard]] std::string spell_name(const std::string& name);

// Runs a program: `add_commands` says what it is and adds its subcommands, of which the one that is chosen
// fills in the exit code. Returns that, or another after one line on standard error for whatever went wrong.
[[nodiscard]] int run_command_line(const char* name, int argc, char** argv,
                                   void (*add_commands)(CLI::App& program, int& exit_code));

}  // namespace hsvm::app
