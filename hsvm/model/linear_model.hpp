// A fitted model: what it predicts with, what it was fitted with, and how well that was solved.
//
//   binary      score = b + x'w, positive means classes[1]
//   multiclass  score_k = b_k + x'w_k, the largest wins
//
// A model is a ModelShape and something Fitted of that shape; a path is a ModelShape and many of them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hsvm/core/lambdas.hpp"
#include "hsvm/core/status.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/data/dataset.hpp"
#include "hsvm/data/labels.hpp"
#include "hsvm/loss/margin_loss.hpp"
#include "hsvm/loss/margins.hpp"
#include "hsvm/model/calibration.hpp"

namespace hsvm {

enum class ModelKind { binary, multiclass };
inline constexpr std::array<std::string_view, 2> kModelKindNames = {"binary", "multiclass"};
[[nodiscard]] constexpr std::string_view to_string(ModelKind kind) {
  return kModelKindNames[static_cast<std::size_t>(kind)];
}

// What was done to a table before the fit, so that a new one can be treated the same.
struct TablePreparation {
  std::optional<TableColumn> label = {};  // the column of the labels; its place where it has no name
  std::vector<WordColumn> words = {};     // columns of words, and the features they became
  Fill fill = Fill::none;
  std::vector<double> values =
      {};  // what stands in for a missing value of each feature; empty where fill is none

  [[nodiscard]] bool empty() const { return words.empty() && fill == Fill::none; }
};

// What all models of one problem have in common.
struct ModelShape {
  ModelKind kind = ModelKind::binary;
  Classes classes;
  Index n_features = 0;
  std::vector<std::string> feature_names;  // empty, or one for each feature
  Loss loss = Loss::huberized;
  double delta = 1.0;
  Margins margins = Margins::absolute;  // of a multi-class model
  TablePreparation preparation = {};

  [[nodiscard]] Index n_outputs() const { return kind == ModelKind::binary ? 1 : classes.size(); }
  // The feature's name, or x1, x2, ... where the data had none.
  [[nodiscard]] std::string feature_name(Index j) const {
    if (!feature_names.empty()) return feature_names[static_cast<std::size_t>(j)];
    std::string name = "x";
    return name += std::to_string(j + 1);
  }
};

// What a fit or a path took between ranks, where there were several. Of collectives all ranks make as many; of messages and bytes these are
// those of the rank that sent most.
struct RankCost {
  std::optional<Count> ranks = {};
  std::optional<Count> collectives = {};
  std::optional<Count> messages_sent = {};
  std::optional<Count> bytes_sent = {};
};

// How a fit was solved. The names are the keys of the JSON report.
struct FitReport {
  Status status = Status::iteration_limit;
  std::string reason = {};  // why the solve ended, a sentence; of a single fit, and in no file
  Solver solver = Solver::newton;
  double objective = 0.0;
  double dual_objective = 0.0;
  double gap = 0.0;
  double relative_gap = 0.0;
  int iterations = 0;
  double passes = 0.0;
  double seconds = 0.0;
  std::optional<double> pass_seconds;
  Count n_samples = 0;
  double lambda1_max = 0.0;
  std::optional<Solver> fallback = {};  // the solver that finished what the chosen one could not
  double tolerance = 0.0;
  Stopping stopping = Stopping::gap;
  bool standardized = false;                // the lambdas and the objective belong to standardised features
  std::optional<Index> kept_features = {};  // by their ranking, where some were dropped
  RankCost rank_cost = {};
};

// What was fitted with one set of penalties, on the scale of the data.
struct Fitted : Lambdas {
  std::vector<double> intercept = {};     // one for each output
  std::vector<Index> features = {};       // those with a nonzero coefficient, ascending
  std::vector<double> coefficients = {};  // features.size() rows of n_outputs numbers
  std::vector<double> deviations =
      {};  // of these features where they were standardised: w_j deviation_j is w on that scale
  std::optional<FitReport> report = {};  // none where it was interpolated, or the file has none
};

// How often features were selected on random halves of the samples [MB10]. A feature counts for a half when it is in
// the model anywhere from lambda1_max down to the model's own lambda1.
struct Stability {
  Index n_halves = 0;
  std::vector<Index> features;      // those that were ever selected, ascending
  std::vector<double> frequencies;  // of these: the share of the halves, in (0, 1]
  double mean_selected = 0.0;       // features that count for a half, on average
};

struct LinearModel : ModelShape, Fitted {
  std::optional<Calibration> calibration = {};  // where there are class probabilities
  std::optional<Stability> stability = {};
};

}  // namespace hsvm
