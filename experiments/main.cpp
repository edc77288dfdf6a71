// hsvm-lab: the paper's experiments, and the statistics that compare their results.

#include "experiments/report_command.hpp"
#include "experiments/run_command.hpp"
#include "experiments/stats_command.hpp"

int main(int argc, char** argv) {
  return hsvm::app::run_command_line("hsvm-lab", argc, argv, [](hsvm::app::Command program) {
    program.set_description("Experiments with sparse huberized support vector machines.");
    hsvm::lab::add_list(program);
    hsvm::lab::add_run(program);
    hsvm::lab::add_report(program);
    hsvm::lab::add_stats(program);
  });
}
