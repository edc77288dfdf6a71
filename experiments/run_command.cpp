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

void add_list(app::Command program) {
  app::Command command = program.add_command("list", "The experiments, with the time they take");
  command.on_run(list);
}

void add_run(app::Command program) {
  auto command = std::make_shared<RunCommand>();
  app::Command run = program.add_command("run", "Run experiments: the paper's tables, ours beside the paper's");
  run.set_footer(
      "Every finished trial is kept in the results' folder: an interrupted run goes on where it was.\n"
      "Examples:\n  hsvm-lab run --quick --data data\n  hsvm-lab run synthetic_times --trials 3");
  run.add({.name = "NAME", .help = "Which (default: all; see hsvm-lab list)"}, command->names);
  run.add({.name = "--quick", .help = "Small sizes and few trials: minutes instead of hours"}, command->quick);
  run.add({.name = "--smallest", .help = "The smallest form of each, to see that it works"}, command->smallest);
  LabSettings& settings = command->settings;
  run.add({.name = "--trials", .help = "How often (default: as in the paper)", .value = "N"}, settings.trials);
  run.add({.name = "--data", .help = "Folder of datasets with a MANIFEST.tsv", .value = "DIR"}, settings.data);
  run.add({.name = "--results", .help = "Where results go", .value = "DIR", .shown_default = settings.results},
          settings.results);
  run.add({.name = "--time-limit",
           .help = "Stop a solve after so many seconds (default: 1800, 4 with --quick)",
           .value = "SECONDS"},
          settings.time_limit);
  run.on_run([command] { return command->run(); });
}

}  // namespace hsvm::lab
