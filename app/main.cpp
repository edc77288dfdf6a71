// hsvm: the command line. Parses, calls the library, prints; one line on standard error for whatever goes
// wrong.

#include "app/commands.hpp"

int main(int argc, char** argv) {
  using namespace hsvm::app;
  return run_command_line("hsvm", argc, argv, [](CLI::App& program, int& exit_code) {
    program.description(
        "Sparse linear support vector machines with the huberized hinge loss, with a proof of optimality.\n"
        "Start with: hsvm demo");
    add_fit(program, exit_code);
    add_path(program, exit_code);
    add_cv(program, exit_code);
    add_predict(program, exit_code);
    add_inspect(program, exit_code);
    add_generate(program, exit_code);
    add_convert(program, exit_code);
    add_split(program, exit_code);
    add_demo(program, exit_code);
    add_options(program, exit_code);
  });
}
