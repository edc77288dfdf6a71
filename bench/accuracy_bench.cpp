// The accuracy of `hsvm cv` on the datasets and split sizes of the paper's tables, beside what the paper prints for
// its own methods [XAC15, Tables 4, 8 and 11]. Each trial draws a stratified training set of the paper's size, tunes
// lambda1 and lambda2 on it by cross-validation and predicts the rest; only leu has a test set of its own.
//
//   accuracy_bench [TRIALS [NAME ...]]      default: 20, and all of them

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bench/support/instances.hpp"
#include "datasets/accuracy.hpp"
#include "datasets/dense.hpp"
#include "hsvm/core/stopwatch.hpp"
#include "hsvm/data/take_rows.hpp"

namespace hsvm::bench {
namespace {

struct Case {
  std::string name;   // in the manifest
  std::string added;  // more samples of the same kind
  Index n_train = 0;
  Index n_test = 0;
  double paper = 0.0;  // accuracy in %
  FitOptions options = {};
  TuneOptions tuning = {};
};

// Ranges by what the data is like: few features want little penalty and a wide elbow, many of them more; where the
// classes of few samples separate, their accuracy says nothing and the loss chooses.
const std::vector<double> kPenalties = {1.0, 0.1, 0.01};
const FitOptions kPlain = {.standardize = false};
const FitOptions kStandardized = {.standardize = true};
const FitOptions kRanked = {.standardize = true, .keep_top = 3571};
const FitOptions kBalanced = {.class_weight = {.balanced = true}, .standardize = false};
const TuneOptions kThreeFolds = {.folds = 3, .lambda2_grid = kPenalties, .score = Score::loss};
// clang-format off
const std::vector<Case> kCases = {
    {"australian", "", 200, 490, 87.4, kStandardized, {.lambda2_grid = {1.0}}},
    {"colon-cancer", "", 30, 32, 84.4, kPlain, {.lambda2_grid = kPenalties}},
    {"leu", "leu.t", 38, 34, 91.2, kPlain, {.lambda2_grid = kPenalties}},
    {"dna.scale", "", 500, 1500, 92.82, kPlain, {.lambda2_grid = {0.1, 0.01}, .delta_grid = {1.0, 3.0}}},
    {"glass.scale", "", 164, 50, 53.00, kPlain, {.lambda2_grid = {1e-2, 1e-3, 1e-4}, .delta_grid = {1.0, 2.0, 5.0}}},
    {"usps", "", 50, 500, 74.44, kBalanced, {.folds = 5, .lambda2_grid = {0.1, 0.01}, .delta_grid = {1.0, 3.0}}},
    {"wine.scale", "", 50, 128, 96.64, kPlain, {.lambda2_grid = kPenalties, .score = Score::loss}},
    {"srbct", "srbct.t", 63, 20, 98.6, kStandardized, kThreeFolds},
    {"leukemia3", "leukemia3.t", 38, 34, 91.9, kRanked, kThreeFolds},
};
// clang-format on

// The rows for which `in` is `wanted`.
Dataset part(const Dataset& data, const std::vector<char>& in, bool wanted) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if ((in[i] != 0) == wanted) rows.push_back(static_cast<Index>(i));
  }
  return take_rows(data, rows);
}

struct Mean {
  double sum = 0.0, squares = 0.0, n = 0.0;
  void add(double x) {
    sum += x;
    squares += x * x;
    n += 1.0;
  }
  [[nodiscard]] double mean() const { return sum / n; }
  [[nodiscard]] double error() const {
    return n > 1.0 ? std::sqrt(std::max(0.0, squares / n - mean() * mean()) / (n - 1.0)) : 0.0;
  }
};

void run(const Case& c, int trials) {
  std::optional<Dataset> data = read_real(c.name);
  std::optional<Dataset> added;
  if (!c.added.empty()) added = read_real(c.added);
  if (!data || (!c.added.empty() && !added)) return;
  const bool own_test = c.name == "leu";
  const Dataset all = added ? datasets::stacked(*data, *added) : std::move(*data);
  FitOptions options = c.options;
  Mean best, one_se, features;
  const Stopwatch watch;
  for (int trial = 0; trial < (own_test ? 1 : trials); ++trial) {
    const auto seed = static_cast<std::uint64_t>(trial) + 1;
    std::vector<char> in(static_cast<std::size_t>(all.n_samples()), 0);
    Dataset pool = all;
    if (own_test) {
      std::fill_n(in.begin(), c.n_train, char{1});
    } else {
      const double used = static_cast<double>(c.n_train + c.n_test) / static_cast<double>(all.n_samples());
      if (used < 1.0) pool = part(all, stratified_split(*all.labels, used, seed), true);
      in = stratified_split(*pool.labels,
                            static_cast<double>(c.n_train) / static_cast<double>(pool.n_samples()), seed);
    }
    const Dataset train = part(pool, in, true);
    const Dataset test = part(pool, in, false);
    options.seed = seed;
    const TunedModel model = tune({train}, options, {}, c.tuning);
    best.add(datasets::accuracy_of(model.best, test));
    one_se.add(datasets::accuracy_of(model.one_se, test));
    features.add(static_cast<double>(model.best.features.size()));
  }
  fmt::print("| {} | {} / {} | {} | {:.1f} | {:.1f} ({:.1f}) | {:.1f} ({:.1f}) | {:.0f} | {:.2f} |\n", c.name,
             c.n_train, c.n_test, static_cast<int>(best.n), c.paper, best.mean(), best.error(), one_se.mean(),
             one_se.error(), features.mean(), watch.seconds() / best.n);
}

}  // namespace
}  // namespace hsvm::bench

int main(int argc, char** argv) {
  const int trials = argc > 1 ? std::max(1, std::atoi(argv[1])) : 20;
  const std::set<std::string> names(argv + std::min(argc, 2), argv + argc);
  fmt::print(
      "| data | train / test | trials | paper, % | best, % (s.e.) | one_se, % (s.e.) | features | s a trial "
      "|\n");
  fmt::print("|---|---|---|---|---|---|---|---|\n");
  for (const auto& c : hsvm::bench::kCases) {
    if (names.empty() || names.contains(c.name)) hsvm::bench::run(c, trials);
  }
}
