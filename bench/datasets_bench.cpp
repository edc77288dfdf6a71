// Every real binary dataset over the grid lambda1/lambda1_max in {0.5, 0.1, 0.02}, lambda2 in {1, 0.01, 0.0001}, by pg and pg2: one
// line a dataset and solver with the worst certified gap; ends with 1 where a gap exceeds 1e-6 F(0) or the solvers disagree.
//
//   datasets_bench [NAME ...]      all sets without a name

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "hsvm/api.hpp"
#include "tests/support/real_data.hpp"

namespace {

using namespace hsvm;

struct Worst {
  double relative_gap = 0.0;
  int iterations = 0;
  double seconds = 0.0;  // in all
};

bool run(const test::RealData& set) {
  const Dataset data = read_dataset(set.path, {});
  std::map<std::string, Worst> worst;
  double disagreement = 0.0;  // of the objectives, in units of the gap
  for (const double ratio : {0.5, 0.1, 0.02}) {
    for (const double lambda2 : {1.0, 0.01, 0.0001}) {
      FitReport reports[2];
      for (const Solver solver : {Solver::pg, Solver::pg2}) {
        FitOptions options;
        options.lambda1_ratio = ratio;
        options.lambda2 = lambda2;
        options.solver = solver;
        const FitReport report = *fit({data}, options).report;
        Worst& w = worst[report.solver];
        w.relative_gap = std::max(w.relative_gap, report.relative_gap);
        w.iterations = std::max(w.iterations, report.iterations);
        w.seconds += report.seconds;
        reports[solver == Solver::pg2] = report;
      }
      disagreement = std::max(disagreement, std::abs(reports[0].objective - reports[1].objective) /
                                                std::max(reports[0].gap, reports[1].gap));
    }
  }
  bool fine = disagreement <= 1.0;
  for (const auto& [solver, w] : worst) {
    fine = fine && w.relative_gap <= 1e-6;
    fmt::print("{:<28} {:>6} x {:<6} {:<4} worst gap {:.2e}  most iterations {:>6}  {:>7.2f} s for 9 solves\n", set.name,
               set.n_samples, set.n_features, solver, w.relative_gap, w.iterations, w.seconds);
  }
  if (disagreement > 1.0) fmt::print("{:<28} pg and pg2 differ by {:.2f} gaps\n", set.name, disagreement);
  std::fflush(stdout);
  return fine;
}

}  // namespace

int main(int argc, char** argv) {
  int n_sets = 0;
  int n_fine = 0;
  for (const auto& set : test::real_data("binary")) {
    if (argc > 1 && std::find(argv + 1, argv + argc, set.name) == argv + argc) continue;
    ++n_sets;
    n_fine += run(set) ? 1 : 0;
  }
  fmt::print("{} of {} datasets certified to 1e-6 throughout, the solvers agreeing within their gaps\n", n_fine, n_sets);
  return n_fine == n_sets ? 0 : 1;
}
