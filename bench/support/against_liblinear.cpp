#include "bench/support/against_liblinear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "baselines/liblinear.hpp"
#include "baselines/linear_models.hpp"
#include "baselines/packages.hpp"
#include "bench/support/measure.hpp"

namespace hsvm::bench {
namespace {

using baselines::LiblinearKind;
using baselines::LiblinearResult;
using baselines::signs_of;

constexpr double kLambda2 = 1e-10;
constexpr double kDeltaWithoutLiblinear = 64.0;

// LIBLINEAR on these data, by its cost; nothing where the build has none.
std::function<LiblinearResult(double cost)> liblinear_on(const Dataset& data) {
  if constexpr (baselines::kHasLiblinear) {
    const auto rival = std::make_shared<baselines::Liblinear>(data.design, *data.labels);
    return
        [rival](double cost) { return rival->train({.kind = LiblinearKind::l1_squared_hinge, .cost = cost}); };
  }
  return {};
}

struct Value {
  double objective = 0.0;  // G
  double smallest_margin = std::numeric_limits<double>::infinity();
};

Value evaluate(const LinearModel& model, const Dataset& data, double cost) {
  Value value;
  for (const double w : model.coefficients) value.objective += std::abs(w);
  const std::vector<double> scores = predict(model, data.design).scores;
  const std::vector<double> y = signs_of(*data.labels);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double margin = y[i] * scores[i];
    const double short_of = std::max(0.0, 1.0 - margin);
    value.objective += cost * short_of * short_of;
    value.smallest_margin = std::min(value.smallest_margin, margin);
  }
  return value;
}

void print_with(nlohmann::ordered_json line, double ratio, double cost, const Value& value) {
  line["ratio"] = ratio;
  line["cost"] = cost;
  line["common_objective"] = value.objective;
  line["smallest_margin"] = value.smallest_margin;
  print_line(line);
}

nlohmann::ordered_json rival_json(const Instance& instance, double pass_seconds,
                                  const LiblinearResult& result) {
  return {{"group", instance.group},
          {"instance", instance.name},
          {"solver", "LIBLINEAR -s 5"},
          {"tolerance", default_tolerance(LiblinearKind::l1_squared_hinge)},
          {"status", "finished"},
          {"seconds", result.seconds},
          {"call_seconds", result.seconds},
          {"pass_seconds", pass_seconds},
          {"n_samples", instance.data.n_samples()},
          {"n_features", instance.data.n_features()},
          {"nonzeros", result.model.features.size()}};
}

}  // namespace

double liblinear_cost(const Dataset& data, double ratio) {
  std::vector<double> products(static_cast<std::size_t>(data.n_features()));
  data.design->multiply_transposed(signs_of(*data.labels), products);
  double largest = 0.0;
  for (const double product : products) largest = std::max(largest, std::abs(product));
  return 1.0 / (2.0 * ratio * largest);
}

void compare_with_liblinear(const std::string& name, const Dataset& data, Solver solver, double time_limit) {
  const auto train = liblinear_on(data);
  if (!train) fmt::print(stderr, "LIBLINEAR: not in this build (liblinear-dev), left out\n");
  for (const double ratio : kLiblinearRatios) {
    const double cost = liblinear_cost(data, ratio);
    Instance instance{"liblinear", name, data, {}, time_limit};
    instance.model.lambda1_ratio = ratio;
    instance.model.lambda2 = kLambda2;
    instance.model.no_intercept = true;
    instance.model.standardize = false;
    instance.model.delta = kDeltaWithoutLiblinear;
    LiblinearResult theirs;
    Value their_value;
    if (train) {
      theirs = train(cost);
      their_value = evaluate(theirs.model, data, cost);
      instance.model.delta = std::max(2.0, 2.0 * (1.0 - their_value.smallest_margin));
    }
    double pass_seconds = std::numeric_limits<double>::infinity();
    for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
      const Measurements all = measure(instance, {{solver, tolerance}});
      pass_seconds = std::min(pass_seconds, all.pass_seconds);
      const LinearModel& model = all.runs.front().model;
      print_with(to_json(instance, all, all.runs.front()), ratio, cost, evaluate(model, data, cost));
      if (model.report->status != Status::converged) break;  // the tighter ones will not do better
    }
    if (train) {
      if (theirs.seconds < 5.0) theirs.seconds = std::min(theirs.seconds, train(cost).seconds);
      print_with(rival_json(instance, pass_seconds, theirs), ratio, cost, their_value);
    }
  }
}

}  // namespace hsvm::bench
