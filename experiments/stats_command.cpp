#include "experiments/stats_command.hpp"

#include <fmt/format.h>

#include <memory>

#include "experiments/score_file.hpp"
#include "experiments/stats_report.hpp"

namespace hsvm::lab {
namespace {

struct StatsCommand {
  std::string file;
  bool smaller_is_better = false;
  bool json = false;
  stats::CompareOptions options;

  [[nodiscard]] int run() const {
    stats::ScoreTable table = read_scores(file);
    table.smaller_is_better = smaller_is_better;
    const stats::Comparison comparison = stats::compare(table, options);
    fmt::print("{}", json ? to_json(table, comparison) + "\n" : to_markdown(table, comparison));
    return app::kDone;
  }
};

}  // namespace

void add_stats(app::Command program) {
  auto command = std::make_shared<StatsCommand>();
  app::Command stats = program.add_command("stats", "Compare methods over several datasets");
  stats.set_footer(
      "The first row of FILE has the names of the methods, the first column those of the datasets.\n"
      "Examples:\n  hsvm-lab stats accuracies.csv --control B-PGH\n  hsvm-lab stats seconds.csv "
      "--smaller-is-better --json");
  stats.add({.name = "FILE", .help = "CSV file of scores, or - for standard input", .required = true},
            command->file);
  stats.add({.name = "--control",
             .help = "The method to compare the others with (default: the best)",
             .value = "NAME"},
            command->options.control);
  stats.add({.name = "--alpha",
             .help = "Level of significance, greater than 0 and less than 1",
             .value = "NUMBER",
             .shown_default = fmt::format("{}", command->options.alpha)},
            command->options.alpha);
  stats.add({.name = "--smaller-is-better", .help = "Scores are errors or times"}, command->smaller_is_better);
  stats.add({.name = "--json", .help = "One JSON object on standard output"}, command->json);
  stats.on_run([command] { return command->run(); });
}

}  // namespace hsvm::lab
