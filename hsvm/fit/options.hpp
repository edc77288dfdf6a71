// The options of a fit: which model, and how it is solved. One place for names, defaults, ranges and help.
#pragma once

#include <cstdint>
#include <optional>

#include "hsvm/core/option_info.hpp"
#include "hsvm/core/status.hpp"
#include "hsvm/fit/class_weights.hpp"
#include "hsvm/loss/margin_loss.hpp"
#include "hsvm/loss/margins.hpp"
#include "hsvm/solve/proximal_gradient.hpp"

namespace hsvm {

struct FitOptions {
  std::optional<double> lambda1 = {};
  std::optional<double> lambda1_ratio = {};
  std::optional<double> lambda2 = {};
  std::optional<double> lambda3 = {};
  std::optional<double> lambda = {};
  std::optional<double> alpha = {};
  double delta = 1.0;
  Loss loss = Loss::huberized;
  bool no_intercept = false;
  ClassWeights class_weight = {};
  bool multiclass = false;
  std::optional<Margins> margins = {};  // chosen_margins() where it is not given
  bool standardize = true;
  std::optional<Index> keep_top = {};

  std::optional<Solver> solver = {};  // newton, but pg under the paper's stopping rule
  double tolerance = 1e-6;
  Stopping stopping = Stopping::gap;
  int max_iterations = 100'000;
  double time_limit = kNoLimit;
  int threads = 0;
  std::uint64_t seed = 1;

  bool measure_pass = false;  // also time one pass over the data, for the report

  [[nodiscard]] Solver chosen_solver() const {
    return solver.value_or(stopping == Stopping::paper ? Solver::pg : Solver::newton);
  }
  // Relative margins for three classes and more; the paper's for two, and where its stopping rule is asked for.
  [[nodiscard]] Margins chosen_margins(Index n_classes) const {
    return margins.value_or(n_classes > 2 && stopping == Stopping::gap ? Margins::relative : Margins::absolute);
  }
  // Throws OptionError where a value is out of its range or two options contradict each other.
  void check() const;
};

template <class Options, class Visit>
void describe_model(Options& o, Visit&& visit) {
  visit(OptionInfo{"lambda1", "weight of the l1 penalty (default: 0.1 of lambda1_max)", at_least(0)},
        o.lambda1);
  visit(OptionInfo{"lambda1_ratio", "lambda1 as a fraction of lambda1_max, where the model becomes empty",
                   at_least(0)},
        o.lambda1_ratio);
  visit(OptionInfo{"lambda2", "weight of the squared l2 penalty (default: 0.01)", at_least(0)}, o.lambda2);
  visit(OptionInfo{"lambda3", "weight of the penalty on the intercept, 0 for a free one (default: 0)",
                   at_least(0)},
        o.lambda3);
  visit(OptionInfo{"lambda", "overall penalty L: lambda1 = A L and lambda2 = (1 - A) L, A being alpha",
                   at_least(0)},
        o.lambda);
  visit(OptionInfo{"alpha", "share A of l1 in the penalty (default beside lambda: 1)", between(0, 1)}, o.alpha);
  visit(OptionInfo{"delta", "width over which the hinge is smoothed", above(0)}, o.delta);
  visit(OptionInfo{"loss", "huberized (the hinge, smoothed over delta) or squared-hinge (LIBLINEAR's L2 loss)"},
        o.loss);
  visit(OptionInfo{"no_intercept", "fit no intercept"}, o.no_intercept);
  visit(OptionInfo{"class_weight", "'balanced', or LABEL=WEIGHT,... for some classes (default: all 1)"},
        o.class_weight);
  visit(OptionInfo{"multiclass",
                   "use the all-together model for two classes, too (it is used for more in any case)"},
        o.multiclass);
  visit(
      OptionInfo{
          "margins",
          "of the all-together model: relative (the right score beats each wrong one) or absolute (each "
          "wrong score is low by itself: the paper's model); default: relative, absolute for two classes "
          "and under the paper's stopping rule"},
      o.margins);
  visit(
      OptionInfo{
          "standardize",
          "centre the features (unless there is no intercept) and scale them to variance 1 (1/n) for the fit, so that their units do not matter; "
          "the model is on the data's own scale all the same"},
      o.standardize);
  visit(
      OptionInfo{
          "keep_top",
          "use only so many features, those with the largest ratio of between-class to within-class sum of "
          "squares (default: all)",
          between(1, 2'000'000'000)},
      o.keep_top);
}

template <class Options, class Visit>
void describe_solver(Options& o, Visit&& visit) {
  visit(
      OptionInfo{"solver",
                 "newton (certified, fast), pg (B-PGH, M-PGH) or pg2 (B-PGH-2, M-PGH-2: two stages); default: "
                 "newton, pg under the paper's stopping rule"},
      o.solver);
  visit(OptionInfo{"tolerance", "relative gap, or relative change under the paper's stopping rule, to stop at",
                   above(0)},
        o.tolerance);
  visit(OptionInfo{"stopping", "gap (duality gap, a proof) or paper (small changes three times in a row)"},
        o.stopping);
  visit(OptionInfo{"max_iterations", "stop after so many iterations", at_least(1)}, o.max_iterations);
  visit(OptionInfo{"time_limit", "stop after so many seconds", above_or_infinite(0)}, o.time_limit);
  visit(OptionInfo{"threads", "number of threads, 0 for all cores; results do not depend on it",
                   between(0, 4096)},
        o.threads);
  visit(OptionInfo{"seed", "seed for whatever is random; the solvers are not"}, o.seed);
}

}  // namespace hsvm
