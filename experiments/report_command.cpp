#include "experiments/report_command.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "experiments/lab/run_experiment.hpp"
#include "experiments/registry.hpp"
#include "hsvm/core/error.hpp"
#include "hsvm/io/streams/output_file.hpp"

namespace hsvm::lab {
namespace {

struct ReportCommand {
  std::string results = "results";
  std::string output = "-";

  [[nodiscard]] int run() const {
    OutputFile file(output);
    file.write(report_page(results));
    file.commit();
    return app::kDone;
  }
};

constexpr const char* kOpening =
    "# The paper's experiments, run again\n\n"
    "Written by `hsvm-lab report` from the results of `hsvm-lab run`; not edited by hand. A cell has our "
    "number\n"
    "and, in parentheses, the paper's with ours/paper's (x) or ours - paper's (+, -). The paper's times are\n"
    "MATLAB's on an i7-620m; ours are C++ on one core of the machine named: compare methods within a row.\n";

}  // namespace

std::string report_page(const std::string& results) {
  std::string text = kOpening;
  std::string missing;
  std::string previous;
  for (const Experiment& experiment : all_experiments()) {
    const std::string path = (std::filesystem::path(results) / (experiment.name + ".json")).string();
    std::ifstream file(path);
    if (!file) {
      missing +=
          fmt::format("- {} ({}): `hsvm-lab run {}`\n", experiment.title, experiment.table, experiment.name);
      continue;
    }
    const Json result = Json::parse(file, nullptr, false);
    if (result.is_discarded()) throw InputError(path + ": not JSON; expected a result of hsvm-lab run");
    try {
      text += "\n" + result_to_markdown(result, 2);
      const std::string machine = provenance(result);
      if (machine != previous) text += "\n" + machine + "\n";
      previous = machine;
    } catch (const InputError& error) {
      throw InputError(path + ": " + error.what());
    }
  }
  if (!missing.empty()) text += "\n## Not run\n\n" + missing;
  return text;
}

void add_report(app::Command program) {
  auto command = std::make_shared<ReportCommand>();
  app::Command report = program.add_command("report", "One page of all results");
  report.add(
      {.name = "--results", .help = "Where results are", .value = "DIR", .shown_default = command->results},
      command->results);
  report.add({.name = "-o,--output", .help = "Markdown file (default: standard output)", .value = "FILE"},
             command->output);
  report.on_run([command] { return command->run(); });
}

}  // namespace hsvm::lab
