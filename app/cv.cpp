// hsvm cv DATA [-m MODEL]

#include <fmt/format.h>

#include <memory>

#include "app/commands.hpp"
#include "app/print.hpp"
#include "app/print_tuning.hpp"
#include "app/ranks.hpp"
#include "app/tables.hpp"
#include "app/terminal.hpp"
#include "app/training.hpp"
#include "hsvm/report/report.hpp"

namespace hsvm::app {
namespace {

struct CvCommand {
  TrainingFlags flags;
  PathOptions path_options;
  TuneOptions tune_options;
  std::string lambda_grid;
  std::string folds_file;
  std::string report;  // a page
  std::string table;

  [[nodiscard]] int run(const Collective& ranks, bool delta_given, const std::string& words);
  void check(bool delta_given) const;
  void check_folds(const Dataset& data, Count n_samples);
  void print(const TunedModel& model) const;
  void complain(const TunedModel& model) const;
};

void CvCommand::check(bool delta_given) const {
  check_for_path(flags.options);
  path_options.check();
  tune_options.check();
  refuse_both(!tune_options.lambda2_grid.empty(), "lambda2_grid", flags.options.lambda2.has_value(), "lambda2");
  refuse_both(!tune_options.lambda2_grid.empty(), "lambda2_grid", flags.options.alpha.has_value(), "alpha");
  refuse_both(!folds_file.empty(), "fold_of_sample", !flags.data_flags.groups.empty(), "group_of_sample");
  refuse_both(!tune_options.delta_grid.empty(), "delta_grid", delta_given, "delta");
}

// The library checks them, too, but knows no file.
void CvCommand::check_folds(const Dataset& data, Count n_samples) {
  std::vector<Index>& folds = tune_options.fold_of_sample;
  leave_out_dropped(data, folds);
  if (std::ssize(folds) != n_samples) {
    throw InputError(fmt::format("{}: {} folds for {} samples of {}: there must be one for each", folds_file,
                                 folds.size(), n_samples, data.source));
  }
}

int CvCommand::run(const Collective& ranks, bool delta_given, const std::string& words) {
  // Before reading the data, as in fit.
  flags.check({{"--lambda-grid", lambda_grid}, {"--folds-file", folds_file}},
              {{"--table", table}, {"--report", report}});
  path_options.lambda_grid = read_lambda_grid(lambda_grid, flags.lambda1_list);
  if (!folds_file.empty()) tune_options.fold_of_sample = numbers_of_words(read_words(folds_file));
  check(delta_given);
  probe_outputs(ranks, {flags.model, report, table});
  const TrainingData data = read_training_data(flags, ranks);
  const auto n_samples = static_cast<Count>(ranks.sum(static_cast<double>(data.dataset.n_samples())));
  agree_on_errors(ranks, [&] {
    if (!folds_file.empty()) check_folds(data.dataset, n_samples);
  });
  tune_options.group_of_sample = read_groups(flags.data_flags, data.dataset, ranks);
  flags.options.threads = threads_of_rank(ranks, flags.options.threads);

  const InterruptGuard guard;
  TunedModel model;
  try {
    model = tune(data.input(), flags.options, path_options, tune_options, tune_monitor(flags.print.quiet));
  } catch (const StoppedError& stopped) {
    clear_progress(flags.print.quiet);
    tell(fmt::format("hsvm: {}\n", stopped.what()));
    return exit_code_of(stopped.status());
  }
  clear_progress(flags.print.quiet);
  if (model.evidence) model.evidence->command = words;
  const bool writes = ranks.rank() == 0;
  if (!flags.model.empty() && writes) save_tuned(model, flags.model);
  if (!report.empty() && writes)
    report::save_report({{.name = flags.data, .model = model}}, report, {.spell = spell_name});
  if (!table.empty() && writes) write_tuning_points(model.tuning, table);
  if (flags.print.json) fmt::print("{}\n", tuning_report_to_json(model));
  if (flags.prints_text()) print(model);
  if (model.tuning.status != Status::converged) complain(model);
  return exit_code_of(model.tuning.status);
}

void CvCommand::print(const TunedModel& model) const {
  const Tuning& tuning = model.tuning;
  fmt::print(
      "folds     {}\ngrid      {}\n{}solve     {}: {} paths, {:.1f} passes over the data, {:.3g} s\n\n{}\n",
      describe_folds(tuning), describe_grid(tuning), tuning_notes(model), to_string(tuning.status),
      tuning.n_paths, tuning.passes, tuning.seconds, tuning_table(model, flags.print.verbose));
  const std::string indent(10, ' ');
  fmt::print("best      {}", describe_choice(model.best, tuning.grid[tuning.best], indent));
  if (tuning.one_se == tuning.best) {
    fmt::print("one_se    the same: no sparser one is within one standard error\n");
  } else {
    fmt::print("one_se    {}", describe_choice(model.one_se, tuning.grid[tuning.one_se], indent));
  }
  if (tuning.nested) fmt::print("nested    {}", describe_nested(model, indent));
  fmt::print("\n{}", out_of_fold_table(model));
  if (!flags.model.empty()) fmt::print("saved     {}\n", flags.model);
  if (!report.empty()) fmt::print("report    {}\n", report);
}

void CvCommand::complain(const TunedModel& model) const {
  const Tuning& tuning = model.tuning;
  const bool cut_short = tuning.status == Status::time_limit || tuning.status == Status::interrupted;
  tell(fmt::format("hsvm: stopped before the {}: {}; {}{}\n",
                   cut_short ? "end of the cross-validation" : "tolerance", to_string(tuning.status),
                   cut_short ? fmt::format("chosen by what was done, {} paths", tuning.n_paths)
                             : "some models are not certified",
                   flags.model.empty() ? "" : "; the models were written to " + flags.model));
}

}  // namespace

void add_cv(Command program) {
  auto command = std::make_shared<CvCommand>();
  Command cv = program.add_command("cv", "Choose lambda1 and lambda2 (and delta) by cross-validation, and fit");
  cv.set_footer(
      "The file has the best model and the sparser one within one standard error (--one-se in predict and "
      "inspect),\nboth fitted to all samples, with class probabilities.\n"
      "--max-iterations holds for each model, --time-limit for everything.\n"
      "Examples:\n"
      "  hsvm cv train.libsvm.xz -m model.json --report report.html\n"
      "  hsvm cv genes.csv --label tumour --class-weight balanced --score balanced_accuracy -m model.json\n"
      "  hsvm cv genes.csv --groups patient --nested -m model.json\n"
      "  hsvm cv train.libsvm.xz --folds 5 --repeats 10 --stability 100 -m model.json\n"
      "  hsvm predict model.json test.libsvm.xz --probability");
  add_training_flags(cv, command->flags, "Where to write the two models and the grid");
  cv.add({.name = "--table", .help = "Where to write a table of the grid's points (CSV)", .value = "FILE"},
         command->table);
  hide_lambda1_flags(cv);
  add_path_flags(cv, command->path_options);
  add_lambda_grid_flag(cv, command->lambda_grid);
  add_tune_flags(cv, command->tune_options);
  const std::string group = "Cross-validation";
  cv.add({.name = "--folds-file",
          .help = "File with the fold of each sample, a number or word a line",
          .value = "FILE",
          .group = group},
         command->folds_file);
  cv.add({.name = "--lambda2-grid",
          .help = "values of lambda2 to try (default: 1,0.1,0.01,0.001, unless --lambda2 or --alpha is given)",
          .value = "LIST",
          .group = group},
         command->tune_options.lambda2_grid);
  cv.add({.name = "--delta-grid",
          .help = "values of delta to try, such as 2,1,0.5",
          .value = "LIST",
          .group = group},
         command->tune_options.delta_grid);
  cv.add({.name = "--report",
          .help = "Also write a web page that shows it all",
          .value = "FILE",
          .group = "Output"},
         command->report);
  cv.on_run([command, cv] {
    return run_over_ranks(
        [&](const Collective& ranks) { return command->run(ranks, cv.was_given("--delta"), cv.words()); });
  });
}

}  // namespace hsvm::app
