// Checks what a fit is given, and turns it into what a problem needs. Inside of the library: users call fit and fit_path.
#pragma once

#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/fit/input.hpp"
#include "hsvm/fit/options.hpp"
#include "hsvm/model/linear_model.hpp"
#include "hsvm/solve/solve_report.hpp"

namespace hsvm::detail {

inline constexpr double kDefaultLambda2 = 0.01;

// How many samples there are, on all ranks. Every rank must ask.
[[nodiscard]] Count count_samples(const FitInput& input);

// Two classes at least, and as many penalty factors as there are features.
void check_input(const FitInput& input);
// s_i: sample weight times class weight, scaled to mean 1.
[[nodiscard]] std::vector<double> total_weights(const FitInput& input, const FitOptions& options);
// Refuses what leaves a coefficient without any penalty: there is no dual bound then, and perhaps no minimum.
void require_penalty(const FitInput& input, double lambda2);
void require_penalty(double lambda1, double lambda2);

// The all-together model for more than two classes, or where it is asked for.
[[nodiscard]] ModelKind model_kind(const FitInput& input, const FitOptions& options);
[[nodiscard]] ModelShape model_shape(const FitInput& input, const FitOptions& options);

// What was sent since the traffic was `before`; nothing of a process alone. Every rank must ask.
[[nodiscard]] RankCost rank_cost(const Collective& ranks, const Collective::Traffic& before);

[[nodiscard]] FitReport make_report(const FitInput& input, const FitOptions& options, const SolveReport& report,
                                    double lambda1_max);

// What stands in for missing values of these features, learned from the samples that have a weight.
[[nodiscard]] std::vector<double> learn_fill_values(const FitInput& input, std::span<const Index> features);

// The sample weights as they were given; all 1 where none were.
// How many features have an infinite penalty factor: they are left out.
[[nodiscard]] Index excluded_features(const FitInput& input);
[[nodiscard]] std::vector<double> given_weights(const FitInput& input);

}  // namespace hsvm::detail
