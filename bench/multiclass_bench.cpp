// The multi-class yardsticks, one JSON line each:
//   rows        row problems solved a second on one thread, J = 4 and 26
//   iteration   on real data: a pass for all J classes, J single passes, and what an iteration of M-PGH costs in passes
//   four_class  the paper's four-class experiment: accuracy on 20,000 samples after tuning on 100 validation samples

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "datasets/accuracy.hpp"
#include "datasets/real_data.hpp"
#include "hsvm/api.hpp"
#include "hsvm/core/random.hpp"
#include "hsvm/core/stopwatch.hpp"
#include "hsvm/penalty/row_problem.hpp"

namespace {

using namespace hsvm;

void bench_rows(Index n_classes) {
  constexpr Index kRows = 4096;
  ClassMatrix z(kRows, n_classes);
  Random random(1);
  for (Index i = 0; i < kRows; ++i) {
    for (double& value : z.row(i)) value = random.normal();
  }
  std::vector<double> w(static_cast<std::size_t>(n_classes));
  RowSolver solver(n_classes);
  double best = 0.0;
  Count nonzero = 0;
  for (int round = 0; round < 40; ++round) {
    nonzero = 0;
    const Stopwatch watch;
    for (Index i = 0; i < kRows; ++i) nonzero += solver.solve(z.row(i), 0.5, w) ? 1 : 0;
    best = std::max(best, kRows / watch.seconds());
  }
  fmt::print("{{\"bench\": \"rows\", \"J\": {}, \"rows_per_second\": {:.0f}, \"nonzero_share\": {:.3f}}}\n",
             n_classes, best, static_cast<double>(nonzero) / kRows);
}

void bench_iteration(const datasets::ManifestEntry& set) {
  const Dataset data = read_dataset(set.path, {});
  const Index n_classes = data.labels->classes.size();
  const double single = measure_pass_seconds(data.design, 1);
  FitOptions options;
  options.margins = Margins::absolute;  // M-PGH, the paper's model
  options.solver = Solver::pg;
  options.threads = 1;
  options.max_iterations = 150;
  options.lambda1_ratio = 0.1;
  options.lambda3 = 0.01;
  options.standardize = false;
  double best = 1e9;
  double pass = 1e9;
  FitReport report;
  for (int round = 0; round < 3; ++round) {
    pass = std::min(pass, measure_pass_seconds(data.design, n_classes));
    report = *fit({data}, options).report;
    best = std::min(best, report.seconds / report.iterations);
  }
  fmt::print(
      "{{\"bench\": \"iteration\", \"data\": \"{}\", \"n\": {}, \"p\": {}, \"J\": {}, \"pass_seconds\": "
      "{:.6f}, \"single_pass_seconds\": {:.6f}, \"iteration_seconds\": {:.6f}, \"iterations\": {}, \"passes\": {}}}\n",
      set.name, data.n_samples(), data.n_features(), n_classes, pass, single, best, report.iterations,
      report.passes);
  std::fflush(stdout);
}

// Penalties are tuned on one training and one validation set, then used on fresh training sets [XAC15, sec. 3.2.1].
void bench_four_class(double rho, Margins margins) {
  constexpr int kTrials = 20;
  std::uint64_t seed = 1000;
  const auto draw = [&](Index n) {
    return generate(FourClassDesign{.n = n, .p = 500, .s = 30, .rho = rho, .seed = ++seed});
  };
  double sum = 0.0;
  double sum_of_squares = 0.0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Dataset train = draw(100);
    const Dataset validation = draw(100);
    FitOptions best;
    double best_accuracy = -1.0;
    for (const double lambda2 : {0.001, 0.01, 0.1, 0.5, 1.0, 2.0, 5.0}) {
      for (const double ratio : {0.9, 0.7, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.05}) {
        FitOptions options;
        options.margins = margins;
        options.lambda1_ratio = ratio;
        options.lambda2 = lambda2;
        options.lambda3 = lambda2;
        options.standardize = false;
        options.tolerance = 1e-4;
        const double score = datasets::accuracy_of(fit({train}, options), validation) / 100.0;
        if (score > best_accuracy) {
          best_accuracy = score;
          best = options;
        }
      }
    }
    best.tolerance = 1e-6;
    const double score = datasets::accuracy_of(fit({draw(100)}, best), draw(20'000)) / 100.0;
    sum += score;
    sum_of_squares += score * score;
  }
  const double mean = sum / kTrials;
  fmt::print(
      "{{\"bench\": \"four_class\", \"rho\": {}, \"margins\": \"{}\", \"trials\": {}, \"accuracy\": {:.4f}, "
      "\"standard_deviation\": {:.4f}}}\n",
      rho, to_string(margins), kTrials, mean, std::sqrt(std::max(0.0, sum_of_squares / kTrials - mean * mean)));
  std::fflush(stdout);
}

}  // namespace

int main() {
  with_threads(1, [] {
    bench_rows(4);
    bench_rows(26);
  });
  for (const auto& set : datasets::real_data("multiclass")) {
    if (set.name == "mnist" || set.name == "news20") bench_iteration(set);
  }
  for (const Margins margins : {Margins::absolute, Margins::relative}) {  // the paper's model first
    bench_four_class(0.0, margins);
    bench_four_class(0.8, margins);
  }
}
