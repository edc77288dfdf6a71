// The methods that [XAC15, sec. 3.2] compares on several classes, behind one face: parameters chosen on samples
// that are held out, then a fit to all of them, then predictions.
//
//   m_pgh      the all-together huberized model, by the paper's M-PGH under its stopping rule
//   newton     the same model and parameters, by the library's own solver, certified
//   delta      the same model with the width of the elbow tuned as well; certified
//   l1, sup    all-together models with the plain hinge, as linear programs
//   ova        one-vs-all by LIBLINEAR with all its defaults: C = 1, no intercept
//   ova_tuned  the same with an intercept and C tuned
//   ddag       pairwise Gaussian kernel machines in a decision graph, C and gamma tuned
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/lab/lab.hpp"
#include "experiments/lab/splits.hpp"
#include "hsvm/model/linear_model.hpp"

namespace hsvm::lab {

enum class MulticlassMethod { m_pgh, newton, delta, l1, sup, ova, ova_tuned, ddag };

[[nodiscard]] std::string to_string(MulticlassMethod method);
// Whether the package it needs was there when hsvm-lab was built.
[[nodiscard]] bool is_built(MulticlassMethod method);

// Those that the method has; the others mean nothing.
struct Parameters {
  double lambda1 = 0.0;  // m_pgh, newton, delta
  double lambda2 = 0.0;
  double lambda3 = 0.0;
  double delta = 1.0;
  double lambda = 0.0;    // l1, sup
  double cost = 1.0;      // ova, ova_tuned, ddag
  double gamma = 1.0;     // ddag
  double held_out = 0.0;  // how they were chosen: per cent of held-out samples right; not for ova and ddag
};
[[nodiscard]] Json to_json(const Parameters& parameters);
[[nodiscard]] Parameters parameters_from(const Json& json);

// Which of the lambda1 that have equally many held-out samples right.
enum class OfEquals { middle, sparsest };

// What is tried, each list from the sparsest or smoothest model on.
struct Grid {
  std::vector<double> lambda2s = {100, 10, 1, 0.1, 0.01};
  Index n_lambdas = 20;  // lambda1: from where the model is empty down
  double lambda_min_ratio = 1e-2;
  std::optional<double> lambda3 = {};      // lambda2 where not given
  std::vector<double> deltas = {5, 2, 1};  // of delta; of the others it is 1
  Index n_lp_lambdas = 10;                 // of l1 and sup, which stay the same from some lambda on
  double lp_min_ratio = 0.08;
  std::vector<double> costs = {0.01, 0.1, 1, 10, 100};  // of ova_tuned
  std::vector<double> ddag_costs = {0.25, 1, 4, 16, 64, 256, 1024, 4096};
  OfEquals of_equals = OfEquals::middle;
};

// The fold, from 0, in which each sample is held out; every class evenly.
[[nodiscard]] std::vector<Index> folds_for(const Labels& labels, Index n_folds, std::uint64_t seed);

// The parameters with the most held-out samples right over all folds; of equals the smoothest (largest lambda2
// or delta, smallest C), and among its lambda1 the one that the grid says.
[[nodiscard]] Parameters choose_parameters(const Lab& lab, MulticlassMethod method, const Dataset& data,
                                           std::span<const Index> fold_of_sample, const Grid& grid);
// The same over several sets of one kind and size, whose samples have the same folds. Not for ddag.
[[nodiscard]] Parameters choose_parameters(const Lab& lab, MulticlassMethod method,
                                           std::span<const Dataset> sets, std::span<const Index> fold_of_sample,
                                           const Grid& grid);

// Per cent of the test samples right with the parameters of the grid that are best on these very samples: what
// no way of choosing can exceed. Not for ddag.
[[nodiscard]] double best_accuracy_of_grid(const Lab& lab, MulticlassMethod method, const Split& split,
                                           const Grid& grid);

struct Answer {
  std::optional<LinearModel> model;  // none for ddag
  std::vector<Index> predicted;      // classes of the samples to be tested
  double seconds = 0.0;              // of the fit
  std::string status;
};
// Classes of `test` are those of `training`; see with_classes_of.
[[nodiscard]] Answer train_and_predict(const Lab& lab, MulticlassMethod method, const Parameters& parameters,
                                       const Dataset& training, const Dataset& test);

// What tables are made of: accuracy and balanced accuracy (mean over classes, of those that are there) in per
// cent, seconds, status and, for linear models, nonzeros of W and its nonzero rows.
[[nodiscard]] Json measures(const Answer& answer, const Labels& truth);

// measure(0), measure(1), ... under the keys "WHAT trial 0", ...
[[nodiscard]] std::vector<Json> run_trials(Lab& lab, const std::string& what,
                                           const std::function<Json(int trial)>& measure);
// From the measures of several trials, {"M-PGH": {...}, "OVA": {...}} each: the mean, with the standard
// deviation where there are several; "–" where the measure is not there.
[[nodiscard]] Cell mean_cell(std::span<const Json> trials, const std::string& name, const std::string& measure,
                             std::optional<double> paper = {}, bool with_spread = false);
// "not built" where the method is not there.
[[nodiscard]] Cell mean_cell(std::span<const Json> trials, MulticlassMethod method, const std::string& measure,
                             std::optional<double> paper = {}, bool with_spread = false);
// Says how often fits ended before their stopping rule held; nothing where none did.
void note_early_stops(std::span<const Json> trials, std::span<const MulticlassMethod> methods, Table& table);

}  // namespace hsvm::lab
