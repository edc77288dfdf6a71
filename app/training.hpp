// What fit, path and cv have in common: the data, its weights, and a trace of the solve.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "app/flags.hpp"
#include "hsvm/api.hpp"

namespace hsvm::app {

// DATA, --model, the data, model and solver flags, --weights, --penalty-factors, --precision and the print
// flags; --trace by itself.
struct TrainingFlags {
  std::string data;
  std::string model;
  std::string weights;
  std::string penalty_factors;
  Precision precision = Precision::double_precision;
  std::string trace;
  DataFlags data_flags;
  FitOptions options;
  PrintFlags print;

  // That the two outputs are two files.
  void check() const;
  [[nodiscard]] bool prints_text() const { return !print.quiet && !print.json; }
};
void add_training_flags(Command& command, TrainingFlags& flags, const std::string& model_help);
void add_trace_flag(Command& command, TrainingFlags& flags);
// --lambda1, --lambda1-ratio and --lambda are still known, so that they can be refused with what would be
// right, but not shown.
void hide_lambda1_flags(Command& command);

struct TrainingData {
  Dataset dataset;
  std::vector<double> sample_weights;
  std::vector<double> penalty_factors;

  [[nodiscard]] FitInput input() const { return {dataset, sample_weights, penalty_factors}; }
};
// Reads what the flags name, and says so.
[[nodiscard]] TrainingData read_training_data(const TrainingFlags& flags);

// --trace FILE: a line for each iteration (docs/formats.md). Opened before anything is read; complete or
// absent.
class TraceFile {
 public:
  TraceFile(const std::string& path, bool of_path);  // an empty path: no trace
  // Has every iteration written down.
  void watch(SolveMonitor& monitor);
  void commit();

 private:
  std::unique_ptr<OutputFile> file_;
  bool of_path_;
  std::exception_ptr failure_;  // of writing: kept until commit, for no solve should end by it
};

}  // namespace hsvm::app
