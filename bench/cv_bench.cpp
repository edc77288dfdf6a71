// What cross-validation costs, in one run on one machine: ten folds of the 100-lambda path of (2000, 20000,
// 200) beside one path, on one thread and on two; and the whole of `hsvm cv` on small real data.
//
//   cv_bench [--standardize]

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "bench/support/instances.hpp"
#include "hsvm/core/stopwatch.hpp"

namespace hsvm::bench {
namespace {

constexpr int kRounds = 3;

template <class Run>
double best_seconds(const Run& run) {
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kRounds; ++round) {
    const Stopwatch watch;
    run();
    best = std::min(best, watch.seconds());
  }
  return best;
}

void measure_design(const GaussianDesign& design, bool standardize) {
  const Dataset data = generate(design);
  FitOptions options;
  options.standardize = standardize;
  options.threads = 1;
  const double pass = measure_pass_seconds(data.design);
  const double path = best_seconds([&] { static_cast<void>(fit_path({data}, options)); });
  double passes = 0.0;
  const double one = best_seconds([&] { passes = tune({data}, options).tuning.passes; });
  options.threads = 2;
  const double two = best_seconds([&] { static_cast<void>(tune({data}, options)); });
  fmt::print("| {} | {:.1f} | {:.1f} | {:.1f} | {:.2f} | {:.0f} | {:.2f} |\n", name_of(design), 1e3 * pass,
             1e3 * path, 1e3 * one, one / path, passes, one / two);
}

void measure_real(const char* name, const char* task) {
  const std::optional<Dataset> data = read_real(name, task);
  if (!data) return;
  FitOptions options;
  options.threads = 2;
  TunedModel model;
  const double seconds = best_seconds([&] { model = tune({*data}, options); });
  const ScoreSummary& score = *model.tuning.grid[model.tuning.best].score(Score::accuracy);
  fmt::print("| {} | {} x {} | {:.2f} | {:.1f} ({:.1f}) | {} | {} |\n", name, data->n_samples(),
             data->n_features(), seconds, 100.0 * score.mean, 100.0 * score.standard_error,
             model.best.features.size(), model.one_se.features.size());
}

}  // namespace
}  // namespace hsvm::bench

int main(int argc, char** argv) {
  const bool standardize = argc == 2 && argv[1] == std::string_view("--standardize");
  fmt::print(
      "| (n, p, s){} | pass, ms | one path, ms | 10 folds, ms | times a path | passes | speed-up on two |\n",
      standardize ? ", standardised" : "");
  fmt::print("|---|---|---|---|---|---|---|\n");
  hsvm::bench::measure_design(hsvm::bench::paper_sizes().back(), standardize);
  hsvm::bench::measure_design({.n = 500, .p = 5000, .s = 50, .rho = 0.8}, standardize);
  if (standardize) return 0;
  fmt::print("\n| data | n x p | cv, s, two threads | accuracy, % (s.e.) | features, best | one s.e. |\n");
  fmt::print("|---|---|---|---|---|---|\n");
  for (const char* name : {"colon-cancer", "leu", "duke", "singh"}) hsvm::bench::measure_real(name, "binary");
  for (const char* name : {"srbct", "leukemia3", "wine.scale", "glass.scale"})
    hsvm::bench::measure_real(name, "multiclass");
}
