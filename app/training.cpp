#include "app/training.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "app/print.hpp"
#include "app/ranks.hpp"

namespace hsvm::app {
namespace {

// Numbers of one file that belong to the samples or features of another. The library checks them, too, but knows no file.
void require_one_for_each(const std::string& file, const std::vector<double>& numbers, Index expected,
                          const char* what, const char* of_what, const Dataset& data) {
  if (std::ssize(numbers) != expected) {
    throw InputError(fmt::format("{}: {} {} for {} {} of {}: there must be one for each", file, numbers.size(),
                                 what, expected, of_what, data.source));
  }
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (!(numbers[k] >= 0.0))
      throw InputError(
          fmt::format("{}: {} number {} is {}: must be at least 0", file, what, k + 1, numbers[k]));
  }
}

// Names, weights and factors, from files of their own.
void read_beside_data(const TrainingFlags& flags, TrainingData& result) {
  if (!flags.data_flags.names.empty())
    result.dataset.feature_names = read_feature_names(flags.data_flags, result.dataset);
  if (!flags.weights.empty()) {
    result.sample_weights = read_numbers(flags.weights);
    leave_out_dropped(result.dataset, result.sample_weights);
  }
  if (!flags.penalty_factors.empty()) {
    result.penalty_factors = read_factors(flags.penalty_factors);
    require_one_for_each(flags.penalty_factors, result.penalty_factors, result.dataset.n_features(),
                         "penalty factors", "features", result.dataset);
  }
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

void TrainingFlags::check(const std::vector<NamedFile>& more_inputs,
                          const std::vector<NamedFile>& more_outputs) const {
  std::vector<NamedFile> inputs = data_flags.files(more_inputs);
  inputs.insert(inputs.end(), {{"DATA", data}, {"--weights", weights}, {"--penalty-factors", penalty_factors}});
  std::vector<NamedFile> outputs = more_outputs;
  outputs.insert(outputs.end(), {{"--model", model}, {"--trace", trace}});
  refuse_overwriting(inputs, outputs);
}

bool is_left_alone(Status status, bool is_empty, const std::string& model) {
  std::error_code ignored;
  return status == Status::interrupted && is_empty && std::filesystem::is_regular_file(model, ignored);
}

std::string describe_written(const std::string& model, bool is_left_alone, const char* what_was) {
  if (model.empty()) return "";
  return is_left_alone ? fmt::format("; nothing was found yet, {} stays as it was", model)
                       : fmt::format("; {} written to {}", what_was, model);
}

TrainingData read_training_data(const TrainingFlags& flags, const Collective& ranks) {
  TrainingData result{.dataset = {}, .sample_weights = {}, .penalty_factors = {}, .ranks = ranks};
  ReadOptions reading = read_options(flags.data_flags);
  reading.precision = flags.precision;
  reading.ranks = &ranks;
  with_threads(threads_of_rank(ranks, flags.options.threads),
               [&] { result.dataset = read_dataset(flags.data, reading); });
  agree_on_errors(ranks, [&] { read_beside_data(flags, result); });
  if (!flags.weights.empty()) {
    keep_own(result.dataset, ranks, result.sample_weights);
    agree_on_errors(ranks, [&] {
      require_one_for_each(flags.weights, result.sample_weights, result.dataset.n_samples(), "sample weights",
                           "samples", result.dataset);
    });
  }
  const std::string described = describe_data(result.dataset, ranks);
  if (flags.prints_text()) fmt::print("data      {}: {}\n", result.dataset.source, described);
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
