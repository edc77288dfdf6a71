#include "app/training.hpp"

#include <fmt/format.h>

#include "app/print.hpp"

namespace hsvm::app {
namespace {

Precision parse_precision(const std::string& text) {
  if (text == "double") return Precision::double_precision;
  if (text == "single") return Precision::single_precision;
  throw FlagError("--precision " + text + ": must be one of double, single");
}

}  // namespace

void add_training_flags(Command& command, TrainingFlags& flags, const std::string& model_help) {
  command.add({.name = "DATA", .help = "Data file, or - for standard input", .required = true}, flags.data);
  command.add({.name = "-m,--model", .help = model_help, .value = "FILE"}, flags.model);
  add_data_flags(command, flags.data_flags);
  add_fit_flags(command, flags.options, flags.lambda1_list);
  command.add({.name = "--weights",
               .help = "File with a weight for each sample, one a line",
               .value = "FILE",
               .group = "Model"},
              flags.weights);
  command.add({.name = "--penalty-factors",
               .help = "File with a factor on lambda1 for each feature, one a line; inf leaves a feature out",
               .value = "FILE",
               .group = "Model"},
              flags.penalty_factors);
  command.add({.name = "--precision",
               .help = "How the data is stored: double or single; sums are always double",
               .value = "WORD",
               .group = "Solver"},
              [&flags](const std::string& text) { flags.precision = parse_precision(text); });
  add_print_flags(command, flags.print, true);
}

void add_json_coefficients_flag(Command& command, TrainingFlags& flags, bool& wanted) {
  command.add({.name = "--json-coefficients",
               .help = "Print the JSON object with the coefficients and the features' names in it",
               .group = "Output"},
              [&flags, &wanted] { flags.print.json = wanted = true; });
}

void add_trace_flag(Command& command, TrainingFlags& flags) {
  command.add({.name = "--trace", .help = "Where to write a line of CSV for every iteration", .value = "FILE"},
              flags.trace);
}

void hide_lambda1_flags(Command& command) {
  for (const char* flag : {"--lambda1", "--lambda1-ratio", "--lambda"}) command.hide(flag);
}

void TrainingFlags::check() const {
  if (!trace.empty() && trace == model)
    throw OptionError("--trace " + trace + ": must be another file than --model");
}

TrainingData read_training_data(const TrainingFlags& flags) {
  TrainingData result;
  ReadOptions reading = read_options(flags.data_flags);
  reading.precision = flags.precision;
  with_threads(flags.options.threads, [&] { result.dataset = read_dataset(flags.data, reading); });
  if (!flags.data_flags.names.empty())
    result.dataset.feature_names = read_feature_names(flags.data_flags, result.dataset);
  if (!flags.weights.empty()) result.sample_weights = read_numbers(flags.weights);
  if (!flags.penalty_factors.empty()) result.penalty_factors = read_factors(flags.penalty_factors);
  if (flags.prints_text())
    fmt::print("data      {}: {}\n", result.dataset.source, describe_data(result.dataset));
  return result;
}

TraceFile::TraceFile(const std::string& path, bool of_path) : of_path_(of_path) {
  if (!path.empty()) file_ = std::make_unique<OutputFile>(path);
}

void TraceFile::watch(SolveMonitor& monitor) {
  if (!file_) return;
  file_->write(of_path_ ? "lambda1,seconds,passes,objective,gap,working_set,nonzeros\n"
                        : "seconds,passes,objective,gap,working_set,nonzeros\n");
  monitor.trace = [this](const Progress& p) {
    if (failure_) return;
    try {
      if (of_path_) file_->write(fmt::format("{},", p.lambda1));
      file_->write(fmt::format("{},{},{},{},{},{}\n", p.seconds, p.passes, p.objective, p.gap, p.working_set,
                               p.nonzeros));
    } catch (const Error&) {
      failure_ = std::current_exception();
    }
  };
}

void TraceFile::commit() {
  if (!file_) return;
  if (failure_) std::rethrow_exception(failure_);
  file_->commit();
}

}  // namespace hsvm::app
