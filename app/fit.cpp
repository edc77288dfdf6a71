// hsvm fit DATA [-m MODEL]

#include <fmt/format.h>

#include <memory>

#include "app/commands.hpp"
#include "app/pick_model.hpp"
#include "app/print.hpp"
#include "app/ranks.hpp"
#include "app/terminal.hpp"
#include "app/training.hpp"

namespace hsvm::app {
namespace {

struct FitCommand {
  TrainingFlags flags;
  std::string start;
  bool json_coefficients = false;

  [[nodiscard]] int run(const Collective& ranks) const;
};

int FitCommand::run(const Collective& ranks) const {
  // Before reading: a wrong flag, or a file that cannot be written, should not cost a minute.
  const std::string model = written_by_first(ranks, flags.model);
  const PrintFlags& print = flags.print;
  flags.check({{"--start", start}});
  if (!flags.lambda1_list.empty())
    throw OptionError("--lambda1: a fit has one value; hsvm path and hsvm cv take several");
  flags.options.check();
  std::optional<LinearModel> begin;
  if (!start.empty()) begin = pick_model(load_any_model(start), start, {});
  probe_outputs(ranks, {flags.model, flags.trace});
  TraceFile trace(written_by_first(ranks, flags.trace), false);
  const TrainingData data = read_training_data(flags, ranks);

  FitOptions options = flags.options;
  options.measure_pass = print.json || print.verbose;
  options.threads = threads_of_rank(ranks, options.threads);
  const InterruptGuard guard;
  SolveMonitor monitor = terminal_monitor(print.quiet);
  trace.watch(monitor);
  FitInput input = data.input();
  if (begin) input.start = &*begin;
  const LinearModel fitted = fit(input, options, monitor);
  clear_progress(print.quiet);
  const bool keeps_model = is_left_alone(fitted.report->status, fitted.features.empty(), model);
  if (!model.empty() && !keeps_model) save_model(fitted, model);
  trace.commit();

  const FitReport& report = *fitted.report;
  if (print.json)
    fmt::print("{}\n", report_to_json(fitted, json_coefficients ? ReportCoefficients::included
                                                                : ReportCoefficients::left_out));
  if (flags.prints_text()) {
    std::string solve = describe_solve(report);
    solve.insert(solve.find('\n') + 1, "          ");
    fmt::print("model     {}\nsolve     {}\nselected  {} of {} features\n", describe_parameters(fitted), solve,
               fitted.features.size(), fitted.n_features);
    if (print.verbose) fmt::print("ended     {}\n", report.reason);
    if (report.pass_seconds) {
      fmt::print("pass      {:.4g} s on one thread: the solve took {:.1f} of them\n", *report.pass_seconds,
                 report.seconds / *report.pass_seconds);
    }
    if (print.verbose && fitted.kind == ModelKind::binary) fmt::print("{}", list_features(fitted, 0, 20));
    if (print.verbose && fitted.kind == ModelKind::multiclass)
      fmt::print("by class  {}\n", count_by_class(fitted));
    if (!model.empty() && !keeps_model) fmt::print("saved     {}\n", model);
  }
  if (report.status == Status::converged) return kDone;
  tell(fmt::format(
      "hsvm: stopped before the tolerance: {} after {} iterations, relative gap {:.3g} (wanted {:.3g}): {}{}\n",
      to_string(report.status), report.iterations, report.relative_gap, report.tolerance, report.reason,
      describe_written(model, keeps_model, "the best point was")));
  return exit_code_of(report.status);
}

}  // namespace

void add_fit(Command program) {
  auto command = std::make_shared<FitCommand>();
  Command fit = program.add_command("fit", "Fit one model");
  fit.set_footer(
      "Examples:\n"
      "  hsvm fit train.libsvm.xz -m model.json\n"
      "  hsvm fit genes.csv --label tumour --lambda1-ratio 0.2 --lambda2 1 -m model.json\n"
      "  zcat train.gz | hsvm fit - --json --class-weight balanced");
  add_training_flags(fit, command->flags, "Where to write the model");
  add_trace_flag(fit, command->flags);
  fit.add(
      {.name = "--start",
       .help =
           "Model file to begin with, of the same classes and features: the solve is shorter where it is near",
       .value = "FILE"},
      command->start);
  add_json_coefficients_flag(fit, command->flags, command->json_coefficients);
  fit.on_run(
      [command] { return run_over_ranks([&](const Collective& ranks) { return command->run(ranks); }); });
}

}  // namespace hsvm::app
