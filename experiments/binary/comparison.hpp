// The paper's tables on real data: accuracy on a test set, number of features and time for several methods.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/binary/tuning.hpp"
#include "experiments/lab/splits.hpp"

namespace hsvm::lab {

inline constexpr double kEqualAccuracy = 1e-6;  // relative excess of F at which times are taken

// One method at its penalties. Accuracy, support and excess belong to its own stopping rule; "seconds" is the
// time until F is within kEqualAccuracy of its minimum, null where a limit came first, and that of its own rule
// for methods that minimise something else.
[[nodiscard]] Json measure_method(Method method, const Split& data, const Penalties& penalties, const Lab& lab);

// Tunes on the training set and measures every method: {"n_train", ..., "lambda1", "lambda2", "methods": {NAME:
// ...}}.
[[nodiscard]] Json measure_methods(const std::vector<Method>& methods, const Split& data,
                                   const TuningGrid& grid, const Lab& lab);

struct PaperScore {
  std::optional<double> accuracy = {};
  std::optional<double> support = {};
  std::optional<double> seconds = {};
};

struct ComparedSet {
  std::string label;
  std::vector<Json> trials;  // of measure_methods; empty where there is no data
  std::map<Method, PaperScore> paper = {};
};

// The mean over the trials, where all of them have the number.
[[nodiscard]] std::optional<double> mean_of(const std::vector<Json>& trials, Method method, const char* field);

// A cell of our mean beside the paper's number, and words where there is none.
[[nodiscard]] Cell compared_cell(const ComparedSet& set, Method method, const char* field,
                                 std::optional<double> paper);

// Three tables, of accuracy, support and seconds, with what they say of B-PGH, B-PGH-2 and GCD.
void add_tables(Lab& lab, const std::vector<Method>& methods, const std::vector<ComparedSet>& sets);

}  // namespace hsvm::lab
