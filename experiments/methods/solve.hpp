// One method on one training set: what it gives, and what of it can be measured.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "baselines/ddag.hpp"
#include "baselines/run_limits.hpp"
#include "experiments/methods/method.hpp"
#include "hsvm/api.hpp"

namespace hsvm::lab {

struct SolveRules {
  baselines::RunLimits limits = {};
  // Stop as soon as F is no larger, for times at equal accuracy. Where the method's own rule ends it before, solve
  // again with a tenth of its tolerance, as often as needed: the last solve counts. Absent: by the method's own rule.
  // Huberized models only.
  std::optional<double> target = {};
};

struct Solved {
  std::optional<LinearModel> model = {};              // none for ddag, nor where memory was short
  std::shared_ptr<const baselines::Ddag> graph = {};  // of ddag
  std::optional<Status> status = {};  // converged also where the target was reached; none: out of memory
  double seconds = 0.0;               // of the solve alone, on one thread
  double passes = 0.0;                // over the data, each X read twice; of huberized models

  [[nodiscard]] bool converged() const { return status == Status::converged; }
  [[nodiscard]] std::string status_text() const;  // as in JSON; "out of memory"
  // Classes of samples whose class numbers are those of the training set; see with_classes_of.
  [[nodiscard]] std::vector<Index> predict(const Dataset& data) const;
};

[[nodiscard]] Solved solve(Method method, const Dataset& data, const Parameters& parameters,
                           const SolveRules& rules = {});

// The same; of a short solve the best time of three, since other programs disturb those most.
[[nodiscard]] Solved solve_timed(Method method, const Dataset& data, const Parameters& parameters,
                                 const SolveRules& rules);

// One huberized model for each of the parameters, which differ in lambda1 alone, falling; fewer where a limit ended
// the path.
[[nodiscard]] std::vector<LinearModel> solve_path(const Dataset& data, std::span<const Parameters> falling,
                                                  double tolerance, const baselines::RunLimits& limits);

// The minimum of F, certified to a relative 1e-9.
[[nodiscard]] double optimum(const Dataset& data, const Parameters& parameters);
// The smallest lambda1 at which the huberized model is empty.
[[nodiscard]] double largest_lambda1(const Dataset& data, const Parameters& parameters);
// F of any linear model of two classes.
[[nodiscard]] double objective_of(const LinearModel& model, const Dataset& data, const Parameters& parameters);

}  // namespace hsvm::lab
