// The solvers on the instances they are judged on, one JSON line a solver and instance; bench/run-solve makes the
// table of them and holds it against the targets.
//
//   solve_bench [--solvers newton,pg,pg2] [--time-limit SECONDS] GROUP ...
//   solve_bench --write FOLDER path|liblinear     the data of that group as raw arrays, for the rivals
//
// Groups: dense tall table small sparse liblinear multiclass. The first solver is the one that is judged: it is also
// run to 1e-9 on the dense matrix and against LIBLINEAR. The others have a time limit a solve, which their status
// tells of.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/support/against_liblinear.hpp"
#include "bench/support/instances.hpp"
#include "bench/support/measure.hpp"
#include "bench/support/rival_files.hpp"
#include "bench/support/solver_names.hpp"

namespace hsvm::bench {
namespace {

struct Settings {
  std::vector<Solver> solvers;
  std::optional<Solver> judged;      // the first that was asked for, where this build has it
  std::optional<double> time_limit;  // of every group; absent: the group's own
};

std::vector<Run> to_the_usual_gap(const Settings& settings) {
  std::vector<Run> runs;
  for (const Solver solver : settings.solvers) runs.push_back({solver, 1e-6});
  return runs;
}

FitOptions penalties(double ratio, double lambda2) {
  FitOptions options;
  options.lambda1_ratio = ratio;
  options.lambda2 = lambda2;
  options.lambda3 = lambda2;
  options.standardize = false;
  options.margins = Margins::absolute;
  return options;
}

void run_gaussian(const Settings& settings, const char* group, GaussianDesign design,
                  const std::vector<double>& ratios, double time_limit) {
  for (const double rho : {0.0, 0.8}) {
    design.rho = rho;
    const Dataset data = hsvm::generate(design);
    for (const double ratio : ratios) {
      std::vector<Run> runs = to_the_usual_gap(settings);
      if (group == std::string_view("dense") && settings.judged) runs.push_back({*settings.judged, 1e-9});
      measure_and_print(
          {group, name_of(design), data, penalties(ratio, 0.01), settings.time_limit.value_or(time_limit)},
          runs);
    }
  }
}

void run_dense(const Settings& settings) {
  run_gaussian(settings, "dense", paper_sizes().back(), {0.1}, 20.0);
}

void run_tall(const Settings& settings) {
  run_gaussian(settings, "tall", {.n = 100'000, .p = 200, .s = 20}, {0.5, 0.1, 0.02}, 5.0);
}

void run_table(const Settings& settings) {
  for (const GaussianDesign& size : paper_sizes()) {
    run_gaussian(settings, "table", size, {0.5, 0.1, 0.02}, 20.0);
  }
}

void run_small(const Settings& settings) {
  for (const Index n : {500, 50, 200}) {
    const auto size = std::find_if(paper_sizes().begin(), paper_sizes().end(),
                                   [n](const GaussianDesign& design) { return design.n == n; });
    run_gaussian(settings, "small", *size, {0.1}, 5.0);
  }
}

void run_sparse(const Settings& settings) {
  for (const NamedData& set : sparse_data()) {
    const Dataset data = set.make();
    for (const double lambda2 : {1e-2, 1e-4}) {
      for (const double ratio : {0.5, 0.1, 0.02}) {
        measure_and_print(
            {"sparse", set.name, data, penalties(ratio, lambda2), settings.time_limit.value_or(3.0)},
            to_the_usual_gap(settings));
      }
    }
  }
}

void run_liblinear(const Settings& settings) {
  for (const NamedData& set : sparse_data()) {
    compare_with_liblinear(set.name, set.make(), settings.judged.value_or(settings.solvers.front()),
                           settings.time_limit.value_or(20.0));
  }
}

void run_multiclass(const Settings& settings) {
  const auto run = [&](const std::string& name, const Dataset& data) {
    measure_and_print({"multiclass", name, data, penalties(0.1, 0.01), settings.time_limit.value_or(10.0)},
                      to_the_usual_gap(settings));
  };
  for (const double rho : {0.0, 0.8})
    run(fmt::format("four classes rho {}", rho), hsvm::generate(FourClassDesign{.rho = rho}));
  for (const char* name : {"srbct", "leukemia3", "dna.scale", "usps"}) {
    if (const auto data = read_real(name)) run(name, *data);
  }
}

const std::map<std::string_view, std::function<void(const Settings&)>> kGroups = {
    {"dense", run_dense},   {"tall", run_tall},           {"table", run_table},          {"small", run_small},
    {"sparse", run_sparse}, {"liblinear", run_liblinear}, {"multiclass", run_multiclass}};

int usage() {
  fmt::print(
      stderr,
      "solve_bench [--solvers LIST] [--time-limit SECONDS] GROUP ...  |  --write FOLDER path|liblinear\n");
  return 2;
}

int main_of(const std::vector<std::string_view>& arguments) {
  std::string_view solvers = "newton,pg,pg2";
  Settings settings;
  std::vector<std::string_view> groups;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::string_view argument = arguments[k];
    const bool more = k + 1 < arguments.size();
    if (argument == "--solvers" && more) {
      solvers = arguments[++k];
    } else if (argument == "--time-limit" && more) {
      settings.time_limit = std::atof(std::string(arguments[++k]).c_str());
    } else if (argument == "--write" && k + 2 < arguments.size()) {
      return write_for_rivals(std::string(arguments[k + 1]), arguments[k + 2]) ? 0 : usage();
    } else if (kGroups.contains(argument)) {
      groups.push_back(argument);
    } else {
      return usage();
    }
  }
  std::vector<std::string_view> unknown;
  settings.solvers = parse_solvers(solvers, unknown);
  for (const std::string_view name : unknown)
    fmt::print(stderr, "{}: this build has no such solver, left out\n", name);
  if (!settings.solvers.empty() && solvers.starts_with(to_string(settings.solvers.front()))) {
    settings.judged = settings.solvers.front();
  }
  if (settings.solvers.empty() || groups.empty()) return usage();
  for (const std::string_view group : groups) kGroups.at(group)(settings);
  return 0;
}

}  // namespace
}  // namespace hsvm::bench

int main(int argc, char** argv) {
  try {
    return hsvm::bench::main_of({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "solve_bench: {}\n", error.what());
    return 1;
  }
}
