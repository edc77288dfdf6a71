// What fit, path and cv have in common: the data, its weights, and a trace of the solve.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "app/files.hpp"
#include "app/flags.hpp"
#include "hsvm/api.hpp"

namespace hsvm::app {

// DATA, --model, the data, model, solver and print flags, --weights, --penalty-factors and --precision. --trace is
// added by itself, because cv has none.
struct TrainingFlags {
  std::string data;
  std::string model;
  std::string weights;
  std::string penalty_factors;
  Precision precision = Precision::double_precision;
  std::string trace;
  std::vector<double> lambda1_list;  // of --lambda1 0.5,0.1: a grid
  DataFlags data_flags;
  FitOptions options;
  PrintFlags print;

  // Throws OptionError where a file that would be written is one of those that are read; more are those of a verb.
  void check(const std::vector<NamedFile>& more_inputs = {},
             const std::vector<NamedFile>& more_outputs = {}) const;
  // Whether text for people is printed.
  [[nodiscard]] bool prints_text() const { return !print.quiet && !print.json; }
};
void add_training_flags(Command& command, TrainingFlags& flags, const std::string& model_help);
// --json-coefficients, which means --json, too.
void add_json_coefficients_flag(Command& command, TrainingFlags& flags, bool& wanted);
void add_trace_flag(Command& command, TrainingFlags& flags);
// Keeps --lambda1, --lambda1-ratio and --lambda out of the help. They are still read, so that they can be
// refused with what would be right.
void hide_lambda1_flags(Command& command);

struct TrainingData {
  Dataset dataset;
  std::vector<double> sample_weights;
  std::vector<double> penalty_factors;

  const Collective& ranks;

  [[nodiscard]] FitInput input() const {
    return {
        .data = dataset, .sample_weights = sample_weights, .penalty_factors = penalty_factors, .ranks = ranks};
  }
};
// Reads the files the flags name, and prints a line on the data unless told not to.
[[nodiscard]] TrainingData read_training_data(const TrainingFlags& flags, const Collective& ranks);
// Of numbers or words for each sample of a file those of this rank's samples; of the others as they are.
template <class T>
void keep_own(const Dataset& dataset, const Collective& ranks, std::vector<T>& of_samples) {
  if (ranks.is_alone()) return;
  const Count before = ranks.before(dataset.n_samples());
  const auto total = static_cast<Count>(ranks.sum(static_cast<double>(dataset.n_samples())));
  if (std::ssize(of_samples) != total) return;  // the number will be complained about
  of_samples.erase(of_samples.begin(), of_samples.begin() + before);
  of_samples.resize(static_cast<std::size_t>(dataset.n_samples()));
}

// Whether an interrupted solve leaves the model file as it is: there is one, and what was found is nothing.
[[nodiscard]] bool is_left_alone(Status status, bool is_empty, const std::string& model);
// "; the best point was written to m.json"
[[nodiscard]] std::string describe_written(const std::string& model, bool is_left_alone, const char* what_was);

// --trace FILE: a line for each iteration (docs/formats.md). Opened before any data is read; complete or absent.
class TraceFile {
 public:
  TraceFile(const std::string& path, bool of_path);  // an empty path: no trace
  // Writes a line at every iteration of the solve that is monitored.
  void watch(SolveMonitor& monitor);
  void commit();

 private:
  std::unique_ptr<OutputFile> file_;
  bool of_path_;
  std::exception_ptr failure_;  // of writing; kept until commit, because a solve should not end by it
};

}  // namespace hsvm::app
