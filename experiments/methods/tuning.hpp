// Parameters by cross-validation, as the paper's experiments choose them: over a grid, those with the most held-out
// samples right; of equals the smoothest (largest lambda2 or delta, smallest cost), and of its lambda1 the middle one
// or the sparsest.
//
// Methods that minimise the same function share its parameters: huberized models are all tuned by certified paths.
// The others are tuned by themselves, on the same folds.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "experiments/methods/solve.hpp"
#include "experiments/sets/splits.hpp"

namespace hsvm::lab {

// Which of the lambda1 that have equally many held-out samples right.
enum class OfEquals { middle, sparsest };

// What is tried. Lists go from the sparsest or smoothest model on.
struct Grid {
  std::vector<double> lambda2s = {100, 10, 1, 0.1, 0.01};
  Index n_lambdas = 20;  // lambda1: from where the model is empty down
  double lambda_min_ratio = 1e-2;
  bool same_lambda1s = false;              // for every lambda2: those that the largest one has
  std::optional<double> lambda3 = {};      // lambda2 where not given
  bool intercept = true;                   // of two classes
  std::vector<double> deltas = {5, 2, 1};  // of delta_tuned; of the others it is 1
  Index n_lp_lambdas = 10;                 // of l1 and sup, which stay the same from some lambda on
  double lp_min_ratio = 0.08;
  std::vector<double> costs = {0.01, 0.1, 1, 10, 100};  // of liblinear and ova_tuned
  std::vector<double> ddag_costs = {0.25, 1, 4, 16, 64, 256, 1024, 4096};
  double tolerance = 1e-4;   // of the paths' relative gap: enough to count held-out samples by
  bool folds_alike = false;  // the mean of the folds' accuracies; else all held-out samples count alike
  OfEquals of_equals = OfEquals::middle;
};

// For the tables of two classes: lambda2 = 1, more costs, and everything as `hsvm cv` does it.
[[nodiscard]] Grid binary_grid();

// The fold, from 0, in which each sample is held out; every class evenly.
[[nodiscard]] std::vector<Index> folds_for(const Labels& labels, Index n_folds, std::uint64_t seed);

// All the equally good ones, the smoothest, from the sparsest on; for several sets of one kind and size, whose
// samples have the same folds, those that suit the kind. lambda1 counts from the first set's largest. Not for ova and
// ddag.
[[nodiscard]] std::vector<Parameters> best_parameters(Method method, std::span<const Dataset> sets,
                                                      std::span<const Index> fold_of_sample, const Grid& grid,
                                                      const baselines::RunLimits& limits);

// The one that the grid asks for. Several sets: not for ddag. Without a parameter to choose, the defaults.
[[nodiscard]] Parameters choose_parameters(Method method, std::span<const Dataset> sets,
                                           std::span<const Index> fold_of_sample, const Grid& grid,
                                           const baselines::RunLimits& limits);
[[nodiscard]] Parameters choose_parameters(Method method, const Dataset& data,
                                           std::span<const Index> fold_of_sample, const Grid& grid,
                                           const baselines::RunLimits& limits);

// Those of all the methods that are there; newton takes those of M-PGH, whose model it is.
[[nodiscard]] std::map<Method, Parameters> choose_all(std::span<const Method> methods,
                                                      std::span<const Dataset> sets,
                                                      std::span<const Index> fold_of_sample, const Grid& grid,
                                                      const baselines::RunLimits& limits);
// {NAME: parameters, ...}
[[nodiscard]] Json to_json(const std::map<Method, Parameters>& chosen);

// Per cent of the test samples right with the parameters of the grid that are best on these very samples: what no way
// of choosing can exceed. Not for ova and ddag.
[[nodiscard]] double best_accuracy_of_grid(Method method, const Split& split, const Grid& grid,
                                           const baselines::RunLimits& limits);

}  // namespace hsvm::lab
