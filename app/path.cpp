// hsvm path DATA [-m FILE]

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/commands.hpp"
#include "app/print.hpp"
#include "app/ranks.hpp"
#include "app/tables.hpp"
#include "app/terminal.hpp"
#include "app/training.hpp"

namespace hsvm::app {
namespace {

struct PathCommand {
  TrainingFlags flags;
  PathOptions path_options;
  std::string lambda_grid;
  std::string table;
  bool json_coefficients = false;

  [[nodiscard]] int run(const Collective& ranks) const;
  void complain(const PathModel& path, const std::string& model, bool keeps_model) const;
};

int PathCommand::run(const Collective& ranks) const {
  // Before reading the data, as in fit.
  const PrintFlags& print = flags.print;
  flags.check({{"--lambda-grid", lambda_grid}}, {{"--table", table}});
  PathOptions wanted = path_options;
  check_for_path(flags.options);
  wanted.lambda_grid = read_lambda_grid(lambda_grid, flags.lambda1_list);
  wanted.check();
  const std::string model = written_by_first(ranks, flags.model);
  probe_outputs(ranks, {flags.model, table, flags.trace});
  TraceFile trace(written_by_first(ranks, flags.trace), true);
  const TrainingData data = read_training_data(flags, ranks);

  FitOptions options = flags.options;
  options.measure_pass = print.json || print.verbose;
  options.threads = threads_of_rank(ranks, options.threads);
  const InterruptGuard guard;
  SolveMonitor monitor = terminal_monitor(print.quiet);
  trace.watch(monitor);
  const PathModel path = fit_path(data.input(), options, wanted, monitor);
  clear_progress(print.quiet);
  const bool is_empty = std::ranges::all_of(path.points, [](const PathPoint& p) { return p.features.empty(); });
  const bool keeps_model = is_left_alone(path.status, is_empty, model);
  if (!model.empty() && !keeps_model) save_path(path, model);
  if (!table.empty() && ranks.rank() == 0) write_path_points(path, table);
  trace.commit();

  if (print.json)
    fmt::print("{}\n", path_report_to_json(path, json_coefficients ? ReportCoefficients::included
                                                                   : ReportCoefficients::left_out));
  if (flags.prints_text()) {
    fmt::print("path      {}\nended     {}\nsolve     {}\n\n{}\n", describe_path_range(path),
               describe_path_end(path), describe_path_solve(path), path_table(path, print.verbose));
    if (path.pass_seconds) {
      fmt::print("pass      {:.4g} s on one thread: the path took {:.1f} of them\n", *path.pass_seconds,
                 path.seconds / *path.pass_seconds);
    }
    if (!model.empty() && !keeps_model) fmt::print("saved     {}\n", model);
  }
  if (path.status != Status::converged) complain(path, model, keeps_model);
  return exit_code_of(path.status);
}

void PathCommand::complain(const PathModel& path, const std::string& model, bool keeps_model) const {
  const auto not_certified = std::count_if(path.points.begin(), path.points.end(), [](const PathPoint& p) {
    return p.report->status != Status::converged;
  });
  const bool cut_short = path.status == Status::time_limit || path.status == Status::interrupted;
  tell(fmt::format(
      "hsvm: stopped before the {}: {}; {} of {} points are certified, down to lambda1 = {:.6g}{}\n",
      cut_short ? "end of the path" : "tolerance", to_string(path.status),
      std::ssize(path.points) - not_certified, path.points.size(), path.points.back().lambda1,
      describe_written(model, keeps_model, "they were")));
}

}  // namespace

void add_path(Command program) {
  auto command = std::make_shared<PathCommand>();
  Command path = program.add_command("path", "Fit a whole regularisation path, lambda1 from lambda1_max down");
  path.set_footer(
      "--lambda2 and --lambda3 stay as they are along the path; with --alpha A, lambda2 = lambda1 (1 - A)/A.\n"
      "--max-iterations holds for each point, --time-limit for the whole path.\n"
      "Examples:\n"
      "  hsvm path train.libsvm.xz -m path.json\n"
      "  hsvm path genes.csv --label tumour --alpha 0.9 --max-nonzeros 50 -m path.json\n"
      "  hsvm predict path.json test.libsvm.xz --lambda1 0.05");
  add_training_flags(path, command->flags, "Where to write the path");
  add_trace_flag(path, command->flags);
  add_json_coefficients_flag(path, command->flags, command->json_coefficients);
  path.add({.name = "--table", .help = "Where to write a table of the points (CSV)", .value = "FILE"},
           command->table);
  hide_lambda1_flags(path);
  add_path_flags(path, command->path_options);
  add_lambda_grid_flag(path, command->lambda_grid);
  path.on_run(
      [command] { return run_over_ranks([&](const Collective& ranks) { return command->run(ranks); }); });
}

}  // namespace hsvm::app
