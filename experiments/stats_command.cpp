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

void add_stats(CLI::App& program, int& exit_code) {
  auto command = std::make_shared<StatsCommand>();
  CLI::App& stats = *program.add_subcommand("stats", "Compare methods over several datasets");
  stats.footer(
      "The first row of FILE has the names of the methods, the first column those of the datasets.\n"
      "Examples:\n  hsvm-lab stats accuracies.csv --control B-PGH\n  hsvm-lab stats seconds.csv "
      "--smaller-is-better --json");
  stats.add_option("FILE", command->file, "CSV file of scores, or - for standard input")->required();
  stats
      .add_option("--control", command->options.control,
                  "The method to compare the others with (default: the best)")
      ->type_name("NAME");
  stats.add_option("--alpha", command->options.alpha, "Level of significance, greater than 0 and less than 1")
      ->capture_default_str();
  stats.add_flag("--smaller-is-better", command->smaller_is_better, "Scores are errors or times");
  stats.add_flag("--json", command->json, "One JSON object on standard output");
  stats.callback([command, &exit_code] { exit_code = command->run(); });
}

}  // namespace hsvm::lab
