// The paper's tables of two classes on real data: accuracy on a test set, number of features and time of several
// methods.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/lab/lab.hpp"
#include "experiments/methods/measures.hpp"
#include "experiments/methods/tuning.hpp"

namespace hsvm::lab {

inline constexpr double kEqualAccuracy = 1e-6;  // relative excess of F at which times are taken

// One method at its parameters. Accuracy, support and excess belong to its own stopping rule; "seconds" is the time
// until F is within kEqualAccuracy of its minimum, null where a limit came first, and that of its own rule for
// methods that minimise something else.
[[nodiscard]] Json measure_method(Method method, const Split& data, const Parameters& parameters,
                                  const Lab& lab);

// Which methods are compared, and how their parameters are chosen.
struct Contest {
  std::vector<Method> methods;
  Grid grid = {};
  Index n_folds = 10;
  bool tune_admm = true;  // by itself; else it takes the penalties of the huberized ones
};

// Tunes on the training set and measures every method: {"n_train", ..., "lambda1", "lambda2", "methods": {NAME: ...}}.
[[nodiscard]] Json measure_methods(const Contest& contest, const Split& data, std::uint64_t fold_seed,
                                   const Lab& lab);

struct PaperScore {
  std::optional<double> accuracy = {};
  std::optional<double> support = {};
  std::optional<double> seconds = {};
};

struct ComparedSet {
  std::string label;
  std::vector<Json> trials = {};  // the "methods" of measure_methods; empty where there is no data
  std::map<Method, PaperScore> paper = {};
};

// Over the sets; the larger mean is ahead, of seconds the smaller.
[[nodiscard]] Lead lead_of(const std::vector<ComparedSet>& sets, Method first, Method second,
                           const char* measure);

// Four tables, of accuracy, support, seconds and excess, with what they say of B-PGH, B-PGH-2 and GCD.
void add_tables(Lab& lab, const std::vector<Method>& methods, const std::vector<ComparedSet>& sets);

}  // namespace hsvm::lab
