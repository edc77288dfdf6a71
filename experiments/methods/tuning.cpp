#include "experiments/methods/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "baselines/packages.hpp"
#include "datasets/accuracy.hpp"
#include "experiments/methods/best_of_grid.hpp"

namespace hsvm::lab {
namespace {

std::vector<double> falling(double largest, double min_ratio, Index count) {
  std::vector<double> values;
  for (Index k = 1; k <= count; ++k)
    values.push_back(largest * std::pow(min_ratio, static_cast<double>(k) / static_cast<double>(count)));
  return values;
}

// Of lambda1, lambda2, lambda3 and delta.
std::vector<Parameters> penalties_to_try(Method method, const Dataset& data, const Grid& grid) {
  const auto at = [&](double lambda2, double delta) {
    const double lambda3 = grid.intercept ? grid.lambda3.value_or(lambda2) : 0.0;
    return Parameters{.lambda2 = lambda2, .lambda3 = lambda3, .delta = delta, .intercept = grid.intercept};
  };
  std::vector<Parameters> list;
  for (const double delta : method == Method::delta_tuned ? grid.deltas : std::vector{1.0}) {
    for (const double lambda2 : grid.lambda2s) {
      Parameters one = at(lambda2, delta);
      const Parameters from = grid.same_lambda1s ? at(grid.lambda2s.front(), delta) : one;
      for (const double lambda1 : falling(largest_lambda1(data, from), grid.lambda_min_ratio, grid.n_lambdas)) {
        one.lambda1 = lambda1;
        list.push_back(one);
      }
    }
  }
  return list;
}

std::vector<Parameters> candidates(Method method, const Dataset& data, const Grid& grid) {
  if (is_huberized(method) || method == Method::admm) return penalties_to_try(method, data, grid);
  std::vector<Parameters> list;
  if (method == Method::l1 || method == Method::sup) {
    // Where the huberized model is empty the plain hinge's is nearly so; a row's sup-norm is at most half its l1 norm.
    const double largest = largest_lambda1(data, {.lambda2 = 1.0}) * (method == Method::sup ? 2.0 : 1.0);
    for (const double lambda : falling(largest, grid.lp_min_ratio, grid.n_lp_lambdas))
      list.push_back({.lambda = lambda});
  } else {
    for (const double cost : grid.costs) list.push_back({.intercept = grid.intercept, .cost = cost});
  }
  return list;
}

// Do they differ in nothing but the weight that makes the model sparse?
bool on_one_path(const Parameters& a, const Parameters& b) {
  return a.lambda2 == b.lambda2 && a.delta == b.delta;
}

// For each of the list the per cent of the test samples right; 0 where there is no model.
std::vector<double> accuracies_of(Method method, std::span<const Parameters> list, const Split& part,
                                  double tolerance, const baselines::RunLimits& limits) {
  std::vector<double> accuracies(list.size(), 0.0);
  for (std::size_t begin = 0, end = 1; begin < list.size(); begin = end++) {
    if (is_huberized(method)) {
      while (end < list.size() && on_one_path(list[end], list[begin])) ++end;
      const auto models = solve_path(part.training, list.subspan(begin, end - begin), tolerance, limits);
      for (std::size_t k = 0; k < models.size(); ++k)
        accuracies[begin + k] = datasets::accuracy_of(models[k], part.test);
    } else if (const auto model = solve(method, part.training, list[begin], {limits}).model) {
      accuracies[begin] = datasets::accuracy_of(*model, part.test);
    }
  }
  return accuracies;
}

Parameters choose_for_ddag(const Dataset& data, std::span<const Index> fold_of_sample, const Grid& grid,
                           const baselines::RunLimits& limits) {
  if constexpr (baselines::kHasLibsvm) {
    baselines::DdagGrid tried;
    tried.costs = grid.ddag_costs;
    const baselines::DdagTuning tuning =
        baselines::tune_ddag(data.design, *data.labels, fold_of_sample, tried, limits);
    return {.cost = tuning.best.cost, .gamma = tuning.best.gamma};
  }
  return {};
}

}  // namespace

Grid binary_grid() {
  return {.lambda2s = {1.0},
          .costs = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100},
          .tolerance = FitOptions{}.tolerance,
          .folds_alike = true};
}

std::vector<Index> folds_for(const Labels& labels, Index n_folds, std::uint64_t seed) {
  return stratified_folds(labels, n_folds, 1, seed).of_sample.front();
}

std::vector<Parameters> best_parameters(Method method, std::span<const Dataset> sets,
                                        std::span<const Index> fold_of_sample, const Grid& grid,
                                        const baselines::RunLimits& limits) {
  std::vector<Parameters> list = candidates(method, sets.front(), grid);
  std::vector<double> scores(list.size(), 0.0);
  double weights = 0.0;
  const Index n_folds = std::ranges::max(fold_of_sample) + 1;
  for (Index fold = 0; fold < n_folds; ++fold) {
    std::vector<Index> fitted;
    std::vector<Index> held_out;
    for (std::size_t i = 0; i < fold_of_sample.size(); ++i)
      (fold_of_sample[i] == fold ? held_out : fitted).push_back(static_cast<Index>(i));
    const double weight = grid.folds_alike ? 1.0 : static_cast<double>(held_out.size());
    for (const Dataset& data : sets) {
      const Split part{take_rows(data, fitted), take_rows(data, held_out)};
      const std::vector<double> accuracies = accuracies_of(method, list, part, grid.tolerance, limits);
      for (std::size_t k = 0; k < list.size(); ++k) scores[k] += weight * accuracies[k];
      weights += weight;
    }
  }
  for (std::size_t k = 0; k < list.size(); ++k) list[k].held_out = scores[k] /= weights;
  return best_of_grid(list, scores, on_one_path);
}

Parameters choose_parameters(Method method, std::span<const Dataset> sets,
                             std::span<const Index> fold_of_sample, const Grid& grid,
                             const baselines::RunLimits& limits) {
  if (method == Method::ova) return {};
  if (method == Method::ddag) return choose_for_ddag(sets.front(), fold_of_sample, grid, limits);
  const std::vector<Parameters> equals = best_parameters(method, sets, fold_of_sample, grid, limits);
  return grid.of_equals == OfEquals::middle ? middle_of(equals) : equals.front();
}

Parameters choose_parameters(Method method, const Dataset& data, std::span<const Index> fold_of_sample,
                             const Grid& grid, const baselines::RunLimits& limits) {
  return choose_parameters(method, std::span(&data, 1), fold_of_sample, grid, limits);
}

std::map<Method, Parameters> choose_all(std::span<const Method> methods, std::span<const Dataset> sets,
                                        std::span<const Index> fold_of_sample, const Grid& grid,
                                        const baselines::RunLimits& limits) {
  std::map<Method, Parameters> chosen;
  for (const Method method : methods) {
    if (!is_available(method)) continue;
    const auto same = method == Method::newton ? chosen.find(Method::m_pgh) : chosen.end();
    chosen[method] =
        same != chosen.end() ? same->second : choose_parameters(method, sets, fold_of_sample, grid, limits);
  }
  return chosen;
}

Json to_json(const std::map<Method, Parameters>& chosen) {
  Json json = Json::object();
  for (const auto& [method, parameters] : chosen) json[name_of(method)] = to_json(parameters);
  return json;
}

double best_accuracy_of_grid(Method method, const Split& split, const Grid& grid,
                             const baselines::RunLimits& limits) {
  return std::ranges::max(
      accuracies_of(method, candidates(method, split.training, grid), split, grid.tolerance, limits));
}

}  // namespace hsvm::lab
