#include "app/training.hpp"

#include <fmt/format.h>

#include "app/print.hpp"

namespace hsvm::app {

void add_training_flags(CLI::App& command, TrainingFlags& flags, const std::string& model_help) {
  command.add_option("DATA", flags.data, "Data file, or - for standard input")->required();
  command.add_option("-m,--model", flags.model, model_help)->type_name("FILE");
  add_data_flags(command, flags.data_flags);
  add_fit_flags(command, flags.options);
  command.add_option("--weights", flags.weights, "File with a weight for each sample, one a line")
      ->group("Model")
      ->type_name("FILE");
  command
      .add_option("--penalty-factors", flags.penalty_factors,
                  "File with a factor on lambda1 for each feature, one a line")
      ->group("Model")
      ->type_name("FILE");
  command
      .add_option("--precision", flags.precision,
                  "How the data is stored: double or single; sums are always double")
      ->group("Solver")
      ->type_name("WORD")
      ->check([](const std::string& text) {
        return text == "double" || text == "single" ? std::string()
                                                    : "--precision " + text + ": must be one of double, single";
      });
  add_speech_flags(command, flags.speech, true);
}

void add_trace_flag(CLI::App& command, TrainingFlags& flags) {
  command.add_option("--trace", flags.trace, "Where to write a line of CSV for every iteration")
      ->type_name("FILE");
}

void hide_lambda1_flags(CLI::App& command) {
  for (const char* flag : {"--lambda1", "--lambda1-ratio", "--lambda"}) command.get_option(flag)->group("");
}

void TrainingFlags::check() const {
  if (!trace.empty() && trace == model)
    throw OptionError("--trace " + trace + ": must be another file than --model");
}

TrainingData read_training_data(const TrainingFlags& flags) {
  TrainingData result;
  ReadOptions reading = read_options(flags.data_flags);
  reading.precision = flags.precision == "single" ? Precision::single_precision : Precision::double_precision;
  with_threads(flags.options.threads, [&] { result.dataset = read_dataset(flags.data, reading); });
  if (!flags.data_flags.names.empty())
    result.dataset.feature_names = read_feature_names(flags.data_flags, result.dataset);
  if (!flags.weights.empty()) result.sample_weights = read_numbers(flags.weights);
  if (!flags.penalty_factors.empty()) result.penalty_factors = read_numbers(flags.penalty_factors);
  if (flags.talks()) fmt::print("data      {}: {}\n", result.dataset.source, describe_data(result.dataset));
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
