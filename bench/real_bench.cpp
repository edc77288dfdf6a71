// One part of `make bench-real` on one dataset: a JSON line with the best seconds of several rounds, the data being in
// memory. bench/run-real sets it beside glmnet's.
//
//   real_bench path FILE [relative|absolute]     100 points to 0.01 lambda1_max, standardised, one thread
//   real_bench cv FILE                           the default cross-validation, two threads
//   real_bench fit FILE                          the default model at 0.05 lambda1_max, and the time of a pass
//   real_bench unscaled FILE FACTOR              the path of the features times a factor, as they are
//   real_bench write FILE FOLDER                 the data as raw arrays, for R

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "bench/support/measure.hpp"
#include "bench/support/raw_arrays.hpp"
#include "datasets/dense.hpp"
#include "hsvm/core/stopwatch.hpp"

namespace hsvm::bench {
namespace {

using Json = nlohmann::ordered_json;

// The best seconds of a call: of one round where that is long, of many where it is short.
template <class Call>
double best_of_rounds(const Call& call) {
  constexpr int kFewRounds = 3;
  constexpr int kManyRounds = 100;
  constexpr double kLong = 3.0;
  constexpr double kShort = 0.4;
  double best = std::numeric_limits<double>::infinity();
  double spent = 0.0;
  for (int round = 0;
       round == 0 || (round < kFewRounds && spent < kLong) || (round < kManyRounds && spent < kShort);
       ++round) {
    const Stopwatch watch;
    call();
    const double seconds = watch.seconds();
    best = std::min(best, seconds);
    spent += seconds;
  }
  return best;
}

Json measure_path(const Dataset& data, FitOptions options) {
  options.threads = 1;
  const PathOptions all_points{.nlambda = 100, .lambda_min_ratio = 0.01, .full_path = true};
  PathModel model;
  const double seconds = best_of_rounds([&] { model = fit_path({data}, options, all_points); });
  double worst = 0.0;
  for (const PathPoint& point : model.points) worst = std::max(worst, point.report->relative_gap);
  return {{"seconds", seconds},
          {"status", to_string(model.status)},
          {"relative_gap", worst},
          {"passes", model.passes},
          {"lambdas", model.points.size()},
          {"nonzeros", model.points.back().features.size()}};
}

Json measure_cv(const Dataset& data) {
  FitOptions options;
  options.threads = 2;
  TunedModel model;
  const double seconds = best_of_rounds([&] { model = tune({data}, options); });
  return {{"seconds", seconds},
          {"passes", model.tuning.passes},
          {"accuracy", model.tuning.grid[model.tuning.best].score(Score::accuracy)->mean},
          {"lambda2", model.best.lambda2},
          {"nonzeros", model.best.features.size()}};
}

Json measure_fit(const Dataset& data) {
  FitOptions model;
  model.lambda1_ratio = 0.05;
  constexpr double kLimit = 60.0;
  const Instance instance{"real", data.source, data, model, kLimit};
  const Measurements all = measure(instance, {{Solver::newton, model.tolerance}});
  return to_json(instance, all, all.runs.front());
}

// The features as they are, times a factor: what standardising would take away.
Json measure_unscaled(const Dataset& data, double factor) {
  Dataset scaled = data;
  if (factor != 1.0) {
    const std::vector<Index> all = all_indices(data.n_features());
    scaled = datasets::dense_features(data, all);
    DenseMatrix<double> matrix = *scaled.design.get_if<DenseMatrix<double>>();
    for (Index j = 0; j < matrix.cols(); ++j) {
      for (Index i = 0; i < matrix.rows(); ++i) matrix(i, j) *= factor;
    }
    scaled.design = SharedDesign(std::move(matrix));
  }
  FitOptions options;
  options.standardize = false;
  return measure_path(scaled, options);
}

Json write_for_r(const Dataset& data, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::vector<Index> columns = {};
  std::vector<Index> rows = {};
  std::vector<double> values = {};
  std::vector<Index> start = {0};
  ColumnBuffer buffer;
  for (Index j = 0; j < data.n_features(); ++j) {
    for_each_entry(data.design->column(j, buffer), [&](std::size_t i, double value) {
      if (value == 0.0) return;
      rows.push_back(static_cast<Index>(i));
      values.push_back(value);
    });
    start.push_back(static_cast<Index>(rows.size()));
  }
  write_array(folder / "start.i32", start.data(), start.size());
  write_array(folder / "rows.i32", rows.data(), rows.size());
  write_array(folder / "values.f64", values.data(), values.size());
  write_array(folder / "classes.i32", data.labels->of_sample.data(), data.labels->of_sample.size());
  return {{"n_samples", data.n_samples()},
          {"n_features", data.n_features()},
          {"n_classes", data.labels->classes.size()},
          {"stored", values.size()}};
}

int main_of(const std::vector<std::string>& arguments) {
  const auto usage = [] {
    fmt::print(
        stderr,
        "real_bench path FILE [relative|absolute] | cv FILE | fit FILE | unscaled FILE FACTOR | write FILE FOLDER\n");
    return 2;
  };
  if (arguments.size() < 2) return usage();
  const std::string& part = arguments[0];
  const bool is_alone = arguments.size() == 2;
  const Dataset data = read_dataset(arguments[1], {});
  if (part == "path" && arguments.size() <= 3) {
    FitOptions options;
    if (!is_alone) options.margins = arguments[2] == "absolute" ? Margins::absolute : Margins::relative;
    print_line(measure_path(data, options));
  } else if (part == "cv" && is_alone) {
    print_line(measure_cv(data));
  } else if (part == "fit" && is_alone) {
    print_line(measure_fit(data));
  } else if (part == "unscaled" && arguments.size() == 3) {
    print_line(measure_unscaled(data, std::atof(arguments[2].c_str())));
  } else if (part == "write" && arguments.size() == 3) {
    print_line(write_for_r(data, arguments[2]));
  } else {
    return usage();
  }
  return 0;
}

}  // namespace
}  // namespace hsvm::bench

int main(int argc, char** argv) {
  try {
    return hsvm::bench::main_of({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "real_bench: {}\n", error.what());
    return 1;
  }
}
