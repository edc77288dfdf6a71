#include "experiments/run_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "app/terminal.hpp"
#include "experiments/lab/lab.hpp"
#include "experiments/lab/run_experiment.hpp"
#include "experiments/registry.hpp"
#include "hsvm/core/error.hpp"

namespace hsvm::lab {
namespace {

constexpr double kMinutesPerHour = 60.0;

double expected_minutes(const Experiment& experiment, const LabSettings& settings) {
  if (settings.scale == Scale::smallest) return 0.0;
  const bool quick = settings.scale == Scale::quick;
  const double own_trials = quick ? experiment.quick_trials : experiment.trials;
  return (quick ? experiment.quick_minutes : experiment.minutes) * trials_of(experiment, settings) / own_trials;
}

std::string shown_minutes(double minutes) {
  return minutes < kMinutesPerHour ? fmt::format("{:.2g} minutes", minutes)
                                   : fmt::format("{:.1f} hours", minutes / kMinutesPerHour);
}

int list() {
  for (const Experiment& experiment : all_experiments()) {
    fmt::print("{:<22} {:<10} {}\n{:<33} trials: {}, about {}; --quick: {}\n", experiment.name,
               experiment.table, experiment.title, "", experiment.trials, shown_minutes(experiment.minutes),
               shown_minutes(experiment.quick_minutes));
  }
  return app::kDone;
}

struct RunCommand {
  std::vector<std::string> names;
  bool quick = false;
  bool smallest = false;
  LabSettings settings;

  [[nodiscard]] std::vector<const Experiment*> chosen() const {
    std::vector<const Experiment*> result;
    for (const std::string& name : names) result.push_back(&find_experiment(name));
    if (names.empty()) {
      for (const Experiment& experiment : all_experiments()) result.push_back(&experiment);
    }
    return result;
  }

  void check() const {
    if (quick && smallest) throw OptionError("--quick and --smallest: only one of them can be given");
    if (settings.trials && *settings.trials < 1)
      throw OptionError(fmt::format("trials = {}: must be at least 1", *settings.trials));
    if (settings.time_limit && !(*settings.time_limit > 0.0))
      throw OptionError(fmt::format("time-limit = {:g}: must be greater than 0", *settings.time_limit));
  }

  [[nodiscard]] int run() {
    check();
    settings.scale = smallest ? Scale::smallest : quick ? Scale::quick : Scale::full;
    settings.show_progress = isatty(STDERR_FILENO) != 0;
    settings.interrupted = app::InterruptGuard::interrupted;
    settings.tell = [](const std::string& word) { fmt::print(stderr, "hsvm-lab: {}\n", word); };
    const std::vector<const Experiment*> experiments = chosen();
    double minutes = 0.0;
    for (const Experiment* experiment : experiments) minutes += expected_minutes(*experiment, settings);
    if (minutes > 0.0)
      fmt::print("experiments: {}, about {} in all\n", experiments.size(), shown_minutes(minutes));
    std::fflush(stdout);

    const app::InterruptGuard guard;
    for (const Experiment* experiment : experiments) {
      try {
        const Json result = run_experiment(*experiment, settings);
        app::clear_progress(false);
        fmt::print("{}: {:.1f} s, {}/{}.md\n", experiment->name, result.at("seconds").get<double>(),
                   settings.results, experiment->name);
        std::fflush(stdout);
      } catch (const Interrupted&) {
        return interrupted_in(*experiment);
      } catch (const StoppedError&) {
        if (app::InterruptGuard::interrupted()) return interrupted_in(*experiment);
        throw;
      }
    }
    return app::kDone;
  }

  [[nodiscard]] static int interrupted_in(const Experiment& experiment) {
    app::clear_progress(false);
    fmt::print(stderr, "hsvm-lab: interrupted in {}; the same command goes on from there\n", experiment.name);
    return app::kInterrupted;
  }
};

}  // namespace

void add_list(CLI::App& program, int& exit_code) {
  CLI::App& command = *program.add_subcommand("list", "The experiments, with the time they take");
  command.callback([&exit_code] { exit_code = list(); });
}

void add_run(CLI::App& program, int& exit_code) {
  auto command = std::make_shared<RunCommand>();
  CLI::App& run =
      *program.add_subcommand("run", "Run experiments: the paper's tables, ours beside the paper's");
  run.footer(
      "Every finished trial is kept in the results' folder: an interrupted run goes on where it was.\n"
      "Examples:\n  hsvm-lab run --quick --data data\n  hsvm-lab run synthetic_times --trials 3");
  run.add_option("NAME", command->names, "Which (default: all; see hsvm-lab list)");
  run.add_flag("--quick", command->quick, "Small sizes and few trials: minutes instead of hours");
  run.add_flag("--smallest", command->smallest, "The smallest form of each, to see that it works");
  run.add_option("--trials", command->settings.trials, "How often (default: as in the paper)")->type_name("N");
  run.add_option("--data", command->settings.data, "Folder of datasets with a MANIFEST.tsv")->type_name("DIR");
  run.add_option("--results", command->settings.results, "Where results go")
      ->type_name("DIR")
      ->capture_default_str();
  run.add_option("--time-limit", command->settings.time_limit,
                 "Stop a solve after so many seconds (default: 1800, 4 with --quick)")
      ->type_name("SECONDS");
  run.callback([command, &exit_code] { exit_code = command->run(); });
}

}  // namespace hsvm::lab
