// A fitted model: what it predicts with, what it was fitted with, and how well that was solved.
//
//   binary      score = b + x'w, positive means classes[1]
//   multiclass  score_k = b_k + x'w_k, the largest wins
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/data/labels.hpp"
#include "hsvm/model/calibration.hpp"

namespace hsvm {

enum class ModelKind { binary, multiclass };

// The keys of `hsvm fit --json`, spelt the same.
struct FitReport {
  std::string status;
  std::string solver;
  double objective = 0.0;
  double dual_objective = 0.0;
  double gap = 0.0;
  double relative_gap = 0.0;
  int iterations = 0;
  double passes = 0.0;
  double seconds = 0.0;
  std::optional<double> pass_seconds;
  Index n_samples = 0;
  double lambda1_max = 0.0;
  std::string fallback = {};  // the solver that finished what the chosen one could not, if any
  double tolerance = 0.0;
  std::string stopping;
  bool standardized = false;                // the lambdas and the objective belong to standardised features
  std::optional<Index> kept_features = {};  // by their ranking, where some were dropped
};

// How often features were selected on random halves of the samples [Meinshausen and Buehlmann 2010]: a feature
// counts for a half when it is in the model anywhere from lambda1_max down to the model's own lambda1.
struct Stability {
  Index n_halves = 0;
  std::vector<Index> features;      // those that were ever selected, ascending
  std::vector<double> frequencies;  // of these: the share of the halves, in (0, 1]
  double mean_selected = 0.0;       // features that count for a half, on average
};

struct LinearModel {
  ModelKind kind = ModelKind::binary;
  Classes classes;
  Index n_features = 0;
  std::vector<std::string> feature_names;  // empty, or one for each feature
  double delta = 1.0;
  double lambda1 = 0.0;
  double lambda2 = 0.0;
  double lambda3 = 0.0;
  std::vector<double> intercept;     // one for each output
  std::vector<Index> features;       // those with a nonzero coefficient, ascending
  std::vector<double> coefficients;  // features.size() rows of n_outputs() numbers
  std::optional<FitReport> report;
  std::optional<Calibration> calibration = {};  // where class probabilities are to be had
  std::optional<Stability> stability = {};

  [[nodiscard]] Index n_outputs() const { return kind == ModelKind::binary ? 1 : classes.size(); }
  // The feature's name, or x1, x2, ... where the data had none.
  [[nodiscard]] std::string feature_name(Index j) const {
    return feature_names.empty() ? "x" + std::to_string(j + 1) : feature_names[static_cast<std::size_t>(j)];
  }
};

}  // namespace hsvm
