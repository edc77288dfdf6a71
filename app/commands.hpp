// The subcommands. Each adds itself to the program with its flags, examples and what to run; run() returns the
// exit code.
#pragma once

#include "app/command_line.hpp"

namespace hsvm::app {

// Called with the exit code's place; the chosen subcommand's callback fills it in.
void add_fit(CLI::App& program, int& exit_code);
void add_path(CLI::App& program, int& exit_code);
void add_cv(CLI::App& program, int& exit_code);
void add_predict(CLI::App& program, int& exit_code);
void add_inspect(CLI::App& program, int& exit_code);
void add_generate(CLI::App& program, int& exit_code);
void add_convert(CLI::App& program, int& exit_code);
void add_split(CLI::App& program, int& exit_code);
void add_demo(CLI::App& program, int& exit_code);
void add_options(CLI::App& program, int& exit_code);

}  // namespace hsvm::app
