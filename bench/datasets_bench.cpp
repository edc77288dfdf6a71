// Every small real dataset over the grid lambda1/lambda1_max in {0.5, 0.1, 0.02}, lambda2 in {1, 0.01, 0.0001}, by
// newton, pg and pg2: one line a dataset and solver with the worst certified gap. Ends with 1 where a gap exceeds
// 1e-6 F(0), the solvers disagree, or a multi-class model's rows or intercepts do not sum to zero to 1e-12.
//
//   datasets_bench [--solvers newton,pg] [NAME ...]
//
// Without a name all sets but the largest: mnist, news20, connect-4.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "bench/support/solver_names.hpp"
#include "datasets/real_data.hpp"
#include "hsvm/api.hpp"

namespace {

using namespace hsvm;

struct Worst {
  double relative_gap = 0.0;
  int iterations = 0;
  double seconds = 0.0;  // in all
  double sum = 0.0;      // of a row or of the intercepts, multi-class
};

// The largest sum of a row of W, or of the intercepts.
double largest_sum(const LinearModel& model) {
  if (model.kind == ModelKind::binary) return 0.0;
  const auto n_outputs = static_cast<std::ptrdiff_t>(model.n_outputs());
  double largest = std::abs(std::accumulate(model.intercept.begin(), model.intercept.end(), 0.0));
  for (auto row = model.coefficients.begin(); row != model.coefficients.end(); row += n_outputs) {
    largest = std::max(largest, std::abs(std::accumulate(row, row + n_outputs, 0.0)));
  }
  return largest;
}

bool run(const datasets::ManifestEntry& set, const std::vector<Solver>& solvers) {
  const Dataset data = read_dataset(set.path, {});
  std::map<std::string, Worst> worst;
  double disagreement = 0.0;  // between the intervals in which the minimum lies, relative
  for (const double ratio : {0.5, 0.1, 0.02}) {
    for (const double lambda2 : {1.0, 0.01, 0.0001}) {
      std::vector<FitReport> reports;
      for (const Solver solver : solvers) {
        FitOptions options;
        options.lambda1_ratio = ratio;
        options.lambda2 = lambda2;
        options.lambda3 = lambda2;
        options.standardize = false;
        options.solver = solver;
        options.max_iterations = 1'000'000;
        const LinearModel model = fit({data}, options);
        const FitReport report = *model.report;
        Worst& w = worst[std::string(to_string(report.solver))];
        w.sum = std::max(w.sum, largest_sum(model));
        w.relative_gap = std::max(w.relative_gap, report.relative_gap);
        w.iterations = std::max(w.iterations, report.iterations);
        w.seconds += report.seconds;
        for (const FitReport& other : reports) {
          // Certificates agree when the minimum they enclose may be the same; a hair for rounding.
          const double apart =
              std::max(report.dual_objective - other.objective, other.dual_objective - report.objective);
          disagreement = std::max(disagreement, apart / report.objective);
        }
        reports.push_back(report);
      }
    }
  }
  bool fine = disagreement <= 1e-12;
  for (const auto& [solver, w] : worst) {
    fine = fine && w.relative_gap <= 1e-6 && w.sum <= 1e-12;
    fmt::print(
        "{:<28} {:>6} x {:<6} {:>2} classes  {:<6} worst gap {:.2e}  most iterations {:>6}  {:>7.2f} s for 9 "
        "solves",
        set.name, set.n_samples, set.n_features, set.n_classes, solver, w.relative_gap, w.iterations,
        w.seconds);
    if (set.n_classes > 2) fmt::print("  sums {:.0e}", w.sum);
    fmt::print("\n");
  }
  if (disagreement > 1e-12) fmt::print("{:<28} the certificates disagree by {:.2g}\n", set.name, disagreement);
  std::fflush(stdout);
  return fine;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string_view> names(argv + 1, argv + argc);
  std::vector<Solver> solvers(bench::kAllSolvers.begin(), bench::kAllSolvers.end());
  if (!names.empty() && names[0] == "--solvers" && names.size() > 1) {
    std::vector<std::string_view> unknown;
    solvers = bench::parse_solvers(names[1], unknown);
    names.erase(names.begin(), names.begin() + 2);
  }
  int n_sets = 0;
  int n_fine = 0;
  for (const char* task : {"binary", "multiclass"}) {
    for (const auto& set : datasets::real_data(task)) {
      const bool large = set.n_nonzeros * set.n_classes > 20'000'000 || set.n_nonzeros > 2'500'000;
      const bool wanted =
          names.empty() ? !large : std::find(names.begin(), names.end(), set.name) != names.end();
      if (!wanted) continue;
      ++n_sets;
      n_fine += run(set, solvers) ? 1 : 0;
    }
  }
  fmt::print("{} of {} datasets certified to 1e-6 throughout, the solvers agreeing within their gaps\n", n_fine,
             n_sets);
  return n_fine == n_sets ? 0 : 1;
}
