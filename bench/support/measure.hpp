// Measures solves of one problem: each solver in turn, round after round, and the pass over the data in the
// same rounds, since a machine's speed drifts. The best of the rounds counts. One thread, data in memory.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hsvm/api.hpp"

namespace hsvm::bench {

struct Run {
  Solver solver = Solver::pg;
  double tolerance = 1e-6;  // of the relative gap
};

struct Instance {
  std::string group;
  std::string name;
  const Dataset& data;
  FitOptions model = {};     // its penalties; the solver's options are the run's
  double time_limit = 10.0;  // seconds a solve
};

// What a run was like at its best.
struct Measured {
  Run run;
  LinearModel model;
  double call_seconds = 0.0;  // of the call of fit, which also finds lambda1_max; report.seconds is the solve
  int rounds = 0;
};

struct Measurements {
  double pass_seconds = 0.0;
  std::vector<Measured> runs;
};

[[nodiscard]] Measurements measure(const Instance& instance, const std::vector<Run>& runs);

// One JSON object a run, with the keys of `hsvm fit --json` where they mean the same.
[[nodiscard]] nlohmann::ordered_json to_json(const Instance& instance, const Measurements& all,
                                             const Measured& one);

// Prints it on a line of its own.
void print_line(const nlohmann::ordered_json& object);

// Measures, and prints a line for each run.
void measure_and_print(const Instance& instance, const std::vector<Run>& runs);

}  // namespace hsvm::bench
