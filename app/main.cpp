// hsvm: the command line. Parses, calls the library, prints; one line on standard error for whatever goes wrong.

#include "app/commands.hpp"
#include "app/ranks.hpp"

int main(int argc, char** argv) {
  using namespace hsvm::app;
  const bool is_silent = silence_other_ranks();
  if (is_silent && !takes_ranks(argc > 1 ? argv[1] : "")) return kDone;
  const int code = run_command_line("hsvm", argc, argv, [](Command program) {
    program.set_description(
        "Sparse linear support vector machines with the huberized hinge loss, with a proof of optimality.\n"
        "Start with: hsvm demo");
    add_fit(program);
    add_path(program);
    add_cv(program);
    add_predict(program);
    add_inspect(program);
    add_report(program);
    add_generate(program);
    add_convert(program);
    add_split(program);
    add_demo(program);
    add_options(program);
  });
  // mpirun ends all when one returns another code: the first rank does so, once it has said what is wrong.
  return is_silent ? int{kDone} : code;
}
