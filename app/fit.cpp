// hsvm fit DATA [-m MODEL]

#include <fmt/format.h>

#include <memory>

#include "app/commands.hpp"
#include "app/flags.hpp"
#include "app/print.hpp"
#include "app/terminal.hpp"
#include "hsvm/io/output_file.hpp"

namespace hsvm::app {
namespace {

struct FitCommand {
  std::string data;
  std::string model;
  std::string weights;
  std::string penalty_factors;
  std::string precision = "double";
  DataFlags data_flags;
  FitOptions options;
  Speech speech;

  [[nodiscard]] int run() const;
};

std::vector<double> read_optional_numbers(const std::string& path) {
  return path.empty() ? std::vector<double>{} : read_numbers(path);
}

int FitCommand::run() const {
  // Before reading: a wrong flag, or a place that cannot be written to, should not cost a minute.
  options.check();
  if (!model.empty()) const OutputFile probe(model);
  ReadOptions reading = read_options(data_flags);
  reading.precision = precision == "single" ? Precision::single_precision : Precision::double_precision;
  Dataset dataset;
  with_threads(options.threads, [&] { dataset = read_dataset(data, reading); });
  if (!data_flags.names.empty()) dataset.feature_names = read_feature_names(data_flags, dataset);
  const std::vector<double> sample_weights = read_optional_numbers(weights);
  const std::vector<double> factors = read_optional_numbers(penalty_factors);
  const bool talks = !speech.quiet && !speech.json;
  if (talks) fmt::print("data      {}: {}\n", dataset.source, describe_data(dataset));

  FitOptions fit_options = options;
  fit_options.measure_pass = speech.json || speech.verbose;
  const InterruptGuard guard;
  const LinearModel fitted =
      fit({dataset, sample_weights, factors}, fit_options, terminal_monitor(speech.quiet));
  clear_progress(speech.quiet);
  if (!model.empty()) save_model(fitted, model);

  const FitReport& report = *fitted.report;
  if (speech.json) fmt::print("{}\n", report_to_json(fitted));
  if (talks) {
    std::string solve = describe_solve(report);
    solve.insert(solve.find('\n') + 1, "          ");
    fmt::print("model     {}\nsolve     {}\nselected  {} of {} features\n", describe_parameters(fitted), solve,
               fitted.features.size(), fitted.n_features);
    if (report.pass_seconds) {
      fmt::print("pass      {:.4g} s on one thread: the solve took {:.1f} of them\n", *report.pass_seconds,
                 report.seconds / *report.pass_seconds);
    }
    if (speech.verbose && fitted.kind == ModelKind::binary) fmt::print("{}", list_features(fitted, 0, 20));
    if (speech.verbose && fitted.kind == ModelKind::multiclass)
      fmt::print("by class  {}\n", count_by_class(fitted));
    if (!model.empty()) fmt::print("saved     {}\n", model);
  }
  if (report.status == to_string(Status::converged)) return kDone;
  fmt::print(
      stderr,
      "hsvm: stopped before the tolerance: {} after {} iterations, relative gap {:.3g} (wanted {:.3g}){}\n",
      report.status, report.iterations, report.relative_gap, report.tolerance,
      model.empty() ? "" : "; the best point was written to " + model);
  return report.status == to_string(Status::interrupted) ? kInterrupted : kNotCertified;
}

}  // namespace

void add_fit(CLI::App& program, int& exit_code) {
  auto command = std::make_shared<FitCommand>();
  CLI::App& fit = *program.add_subcommand("fit", "Fit one model");
  fit.footer(
      "Examples:\n"
      "  hsvm fit train.libsvm.xz -m model.json\n"
      "  hsvm fit genes.csv --label tumour --lambda1-ratio 0.2 --lambda2 1 -m model.json\n"
      "  zcat train.gz | hsvm fit - --json --class-weight balanced");
  fit.add_option("DATA", command->data, "Data file, or - for standard input")->required();
  fit.add_option("-m,--model", command->model, "Where to write the model")->type_name("FILE");
  add_data_flags(fit, command->data_flags);
  add_fit_flags(fit, command->options);
  fit.add_option("--weights", command->weights, "File with a weight for each sample, one a line")
      ->group("Model")
      ->type_name("FILE");
  fit.add_option("--penalty-factors", command->penalty_factors,
                 "File with a factor on lambda1 for each feature, one a line")
      ->group("Model")
      ->type_name("FILE");
  fit.add_option("--precision", command->precision,
                 "How the data is stored: double or single; sums are always double")
      ->group("Solver")
      ->type_name("WORD")
      ->check([](const std::string& text) {
        return text == "double" || text == "single" ? std::string()
                                                    : "--precision " + text + ": must be one of double, single";
      });
  add_speech_flags(fit, command->speech, true);
  fit.callback([command, &exit_code] { exit_code = command->run(); });
}

}  // namespace hsvm::app
