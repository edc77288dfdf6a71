// What cross-validation costs, in one run on one machine: ten folds of the 100-lambda path of (2000, 20000,
// 200) beside one path, on one thread and on two; and the whole of `hsvm cv` on small real data.
//
//   cv_bench [--standardize]

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
  FitOptions options{.lambda2 = 0.01, .lambda3 = 0.01};  // one path for each fold, all its points
  const PathOptions all_points{.full_path = true};
  options.standardize = standardize;
  options.threads = 1;
  const double pass = measure_pass_seconds(data.design);
  const double path = best_seconds([&] { static_cast<void>(fit_path({data}, options, all_points)); });
  double passes = 0.0;
  const double one = best_seconds([&] { passes = tune({data}, options, all_points).tuning.passes; });
  options.threads = 2;
  const double two = best_seconds([&] { static_cast<void>(tune({data}, options, all_points)); });
  fmt::print("| {} | {:.1f} | {:.1f} | {:.1f} | {:.2f} | {:.0f} | {:.2f} |\n", name_of(design), 1e3 * pass,
             1e3 * path, 1e3 * one, one / path, passes, one / two);
}

void measure_real(const char* name) {
  const std::optional<Dataset> data = read_real(name);
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

// The expected calibration error on new samples: |mean probability - share of the class| over ten bins of
// probability, weighted by their samples.
double calibration_error(const LinearModel& model, const Dataset& test) {
  constexpr std::size_t kBins = 10;
  const std::vector<double> p = probabilities(model.calibration.value(), predict(model, test.design).scores);
  std::vector<double> excess(kBins, 0.0);
  for (std::size_t i = 0; i < test.labels->of_sample.size(); ++i) {
    const double positive = p[2 * i + 1];
    excess[std::min(kBins - 1, static_cast<std::size_t>(positive * kBins))] +=
        positive - static_cast<double>(test.labels->of_sample[i]);
  }
  double sum = 0.0;
  for (const double value : excess) sum += std::abs(value);
  return sum / static_cast<double>(test.n_samples());
}

void measure_calibration(GaussianDesign design) {
  constexpr std::uint64_t kTrials = 20;
  double mean = 0.0;
  double worst = 0.0;
  for (std::uint64_t seed = 1; seed <= kTrials; ++seed) {
    design.seed = seed;
    const TunedModel model = tune({generate(design)}, {}, {.nlambda = 20});
    GaussianDesign fresh = design;
    fresh.n = 4000;
    fresh.seed = seed + 100;
    const double error = calibration_error(model.best, generate(fresh));
    mean += error / static_cast<double>(kTrials);
    worst = std::max(worst, error);
  }
  fmt::print("| {} | {:.3f} | {:.3f} |\n", name_of(design), mean, worst);
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
  for (const char* name :
       {"colon-cancer", "leu", "duke", "singh", "srbct", "leukemia3", "wine.scale", "glass.scale"})
    hsvm::bench::measure_real(name);
  fmt::print("\n| (n, p, s) of training | calibration error, mean of 20 | worst |\n|---|---|---|\n");
  for (const hsvm::GaussianDesign& design :
       std::vector<hsvm::GaussianDesign>{{.n = 50, .p = 300, .s = 20},
                                         {.n = 150, .p = 300, .s = 20},
                                         {.n = 500, .p = 300, .s = 20},
                                         {.n = 200, .p = 2000, .s = 100}}) {
    hsvm::GaussianDesign correlated = design;
    correlated.rho = 0.8;
    hsvm::bench::measure_calibration(correlated);
  }
}
