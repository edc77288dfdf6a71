// hsvm-lab stats FILE.csv: which of several methods differ over several datasets.
#pragma once

#include "app/command_line.hpp"

namespace hsvm::lab {

void add_stats(app::Command program);

}  // namespace hsvm::lab
