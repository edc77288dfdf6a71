// What fit, path and cv have in common: the data, its weights, and a trace of the solve.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <vector>

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

  // Throws OptionError where the model and the trace are one file.
  void check() const;
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

  [[nodiscard]] FitInput input() const { return {dataset, sample_weights, penalty_factors}; }
};
// Reads the files the flags name, and prints a line on the data unless told not to.
[[nodiscard]] TrainingData read_training_data(const TrainingFlags& flags);

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
