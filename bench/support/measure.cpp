#include "bench/support/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "hsvm/core/stopwatch.hpp"

namespace hsvm::bench {
namespace {

constexpr int kPassRounds = 6;
constexpr int kFewRounds = 3;     // as long as a run has not taken kLongSeconds in all,
constexpr int kManyRounds = 300;  // as long as it has not taken kShortSeconds
constexpr double kLongSeconds = 3.0;
constexpr double kShortSeconds = 0.4;

bool wants_another_round(const Measured& measured, double spent) {
  return measured.rounds < kFewRounds ? spent < kLongSeconds
                                      : measured.rounds < kManyRounds && spent < kShortSeconds;
}

Index n_outputs(const Instance& instance) {
  const Index n_classes = instance.data.labels->classes.size();
  return n_classes > 2 ? n_classes : 1;
}

void run_once(const Instance& instance, Measured& measured) {
  FitOptions options = instance.model;
  options.solver = measured.run.solver;
  options.tolerance = measured.run.tolerance;
  options.max_iterations = 1'000'000'000;  // the time limit decides
  options.time_limit = instance.time_limit;
  options.threads = 1;
  const Stopwatch watch;
  LinearModel model = fit({instance.data}, options);
  const double seconds = watch.seconds();
  measured.call_seconds = measured.rounds == 0 ? seconds : std::min(measured.call_seconds, seconds);
  if (measured.rounds == 0 || model.report->seconds < measured.model.report->seconds) {
    measured.model = std::move(model);
  }
  ++measured.rounds;
}

}  // namespace

Measurements measure(const Instance& instance, const std::vector<Run>& runs) {
  Measurements all;
  all.pass_seconds = std::numeric_limits<double>::infinity();
  for (const Run& run : runs) all.runs.push_back({run, {}});
  std::vector<double> spent(runs.size(), 0.0);
  bool more = true;
  for (int round = 0; more; ++round) {
    more = false;
    if (round < kPassRounds) {
      all.pass_seconds =
          std::min(all.pass_seconds, measure_pass_seconds(instance.data.design, n_outputs(instance)));
    }
    for (std::size_t k = 0; k < runs.size(); ++k) {
      if (!wants_another_round(all.runs[k], spent[k])) continue;
      const Stopwatch watch;
      run_once(instance, all.runs[k]);
      spent[k] += watch.seconds();
      more = true;
    }
  }
  return all;
}

nlohmann::ordered_json to_json(const Instance& instance, const Measurements& all, const Measured& one) {
  const FitReport& report = *one.model.report;
  return {{"group", instance.group},
          {"instance", instance.name},
          {"solver", to_string(report.solver)},
          {"tolerance", one.run.tolerance},
          {"status", to_string(report.status)},
          {"objective", report.objective},
          {"relative_gap", report.relative_gap},
          {"iterations", report.iterations},
          {"passes", report.passes},
          {"seconds", report.seconds},
          {"call_seconds", one.call_seconds},
          {"pass_seconds", all.pass_seconds},
          {"rounds", one.rounds},
          {"n_samples", instance.data.n_samples()},
          {"n_features", instance.data.n_features()},
          {"n_outputs", one.model.n_outputs()},
          {"nonzeros", one.model.features.size()},
          {"lambda1", one.model.lambda1},
          {"lambda1_max", report.lambda1_max},
          {"lambda2", one.model.lambda2},
          {"delta", one.model.delta}};
}

void print_line(const nlohmann::ordered_json& object) {
  fmt::print("{}\n", object.dump());
  std::fflush(stdout);
}

void measure_and_print(const Instance& instance, const std::vector<Run>& runs) {
  const Measurements all = measure(instance, runs);
  for (const Measured& one : all.runs) print_line(to_json(instance, all, one));
}

}  // namespace hsvm::bench
