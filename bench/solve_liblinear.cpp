#include "bench/solve_liblinear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <vector>

#include "bench/support/liblinear_rival.hpp"
#include "bench/support/measure.hpp"

namespace hsvm::bench {
namespace {

constexpr double kLambda2 = 1e-10;
constexpr double kDeltaWithoutLiblinear = 64.0;

std::vector<double> signs(const Labels& labels) {
  std::vector<double> y;
  for (const Index k : labels.of_sample) y.push_back(k == 1 ? 1.0 : -1.0);
  return y;
}

struct Value {
  double objective = 0.0;  // G
  double smallest_margin = std::numeric_limits<double>::infinity();
};

Value evaluate(const Dataset& data, double cost, double l1_norm, const std::vector<double>& scores) {
  Value value{.objective = l1_norm};
  const std::vector<double> y = signs(*data.labels);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double margin = y[i] * scores[i];
    const double short_of = std::max(0.0, 1.0 - margin);
    value.objective += cost * short_of * short_of;
    value.smallest_margin = std::min(value.smallest_margin, margin);
  }
  return value;
}

double l1_norm(const std::vector<double>& w) {
  double sum = 0.0;
  for (const double value : w) sum += std::abs(value);
  return sum;
}

Value evaluate_dense(const Dataset& data, double cost, const std::vector<double>& w) {
  std::vector<double> scores(data.labels->of_sample.size());
  std::visit([&](const auto& x) { x.multiply(w, scores); }, data.design);
  return evaluate(data, cost, l1_norm(w), scores);
}

void print_rival(const Instance& instance, double ratio, double cost, double pass_seconds,
                 const LiblinearSolution& solution, const Value& value) {
  print_line({{"group", instance.group},
              {"instance", instance.name},
              {"solver", "LIBLINEAR -s 5"},
              {"tolerance", kLiblinearTolerance},
              {"status", "finished"},
              {"seconds", solution.seconds},
              {"call_seconds", solution.seconds},
              {"pass_seconds", pass_seconds},
              {"n_samples", instance.data.n_samples()},
              {"n_features", instance.data.n_features()},
              {"nonzeros", solution.w.size() - std::count(solution.w.begin(), solution.w.end(), 0.0)},
              {"ratio", ratio},
              {"cost", cost},
              {"common_objective", value.objective},
              {"smallest_margin", value.smallest_margin}});
}

}  // namespace

double liblinear_cost(const Dataset& data, double ratio) {
  std::vector<double> products(static_cast<std::size_t>(data.n_features()));
  std::visit([&](const auto& x) { x.multiply_transposed(signs(*data.labels), products); }, data.design);
  double largest = 0.0;
  for (const double product : products) largest = std::max(largest, std::abs(product));
  return 1.0 / (2.0 * ratio * largest);
}

void compare_with_liblinear(const std::string& name, const Dataset& data, Solver solver, double time_limit) {
  std::optional<LiblinearRival> rival;
  if (LiblinearRival::available()) {
    rival.emplace(data);
  } else {
    fmt::print(stderr, "LIBLINEAR: not in this build (liblinear-dev), left out\n");
  }
  for (const double ratio : kLiblinearRatios) {
    const double cost = liblinear_cost(data, ratio);
    Instance instance{"liblinear", name, data, {}, time_limit};
    instance.model.lambda1_ratio = ratio;
    instance.model.lambda2 = kLambda2;
    instance.model.no_intercept = true;
    instance.model.delta = kDeltaWithoutLiblinear;
    LiblinearSolution theirs;
    Value their_value;
    if (rival) {
      theirs = rival->train(cost);
      their_value = evaluate_dense(data, cost, theirs.w);
      instance.model.delta = std::max(2.0, 2.0 * (1.0 - their_value.smallest_margin));
    }
    double pass_seconds = std::numeric_limits<double>::infinity();
    for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
      const Measurements all = measure(instance, {{solver, tolerance}});
      pass_seconds = std::min(pass_seconds, all.pass_seconds);
      const LinearModel& model = all.runs.front().model;
      const Value value = evaluate(data, cost, l1_norm(model.coefficients), predict(model, data.design).scores);
      nlohmann::ordered_json line = to_json(instance, all, all.runs.front());
      line["ratio"] = ratio;
      line["cost"] = cost;
      line["common_objective"] = value.objective;
      line["smallest_margin"] = value.smallest_margin;
      print_line(line);
      if (model.report->status != Status::converged) break;  // the tighter ones will not do better
    }
    if (rival) {
      if (theirs.seconds < 5.0) theirs.seconds = std::min(theirs.seconds, rival->train(cost).seconds);
      print_rival(instance, ratio, cost, pass_seconds, theirs, their_value);
    }
  }
}

}  // namespace hsvm::bench
