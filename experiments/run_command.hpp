// hsvm-lab list and hsvm-lab run [NAME...]: the experiments, and running them.
#pragma once

#include "app/command_line.hpp"

namespace hsvm::lab {

void add_list(app::Command program);
void add_run(app::Command program);

}  // namespace hsvm::lab
