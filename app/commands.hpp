// The commands. Each adds itself to the program: its flags, its examples and what it runs.
#pragma once

#include "app/command_line.hpp"

namespace hsvm::app {

void add_fit(Command program);
void add_path(Command program);
void add_cv(Command program);
void add_predict(Command program);
void add_inspect(Command program);
void add_report(Command program);
void add_generate(Command program);
void add_convert(Command program);
void add_split(Command program);
void add_demo(Command program);
void add_options(Command program);

}  // namespace hsvm::app
