// hsvm-lab list and hsvm-lab run [NAME...]: the experiments, and running them.
#pragma once

#include "app/command_line.hpp"

namespace hsvm::lab {

void add_list(CLI::App& program, int& exit_code);
void add_run(CLI::App& program, int& exit_code);

}  // namespace hsvm::lab
