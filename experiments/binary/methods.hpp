// The methods that the paper compares on two classes, as one call each. The first four minimise the huberized
// objective
//
//   F(b, w) = mean_i phi(y_i (b + x_i'w)) + lambda1 |w|_1 + lambda2/2 |w|^2 + lambda3/2 b^2,
//
// ADMM has the plain hinge and a free intercept instead, LIBLINEAR (-s 5) the squared hinge and a cost C. F can
// be computed for all of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "baselines/run_limits.hpp"
#include "hsvm/data/dataset.hpp"
#include "hsvm/model/linear_model.hpp"

namespace hsvm::lab {

enum class Method { pg, pg2, newton, gcd, admm, liblinear };

// As the paper calls it.
[[nodiscard]] std::string_view name_of(Method method);
// LIBLINEAR may be missing from the build.
[[nodiscard]] bool is_available(Method method);
[[nodiscard]] constexpr bool minimises_f(Method method) {
  return method != Method::admm && method != Method::liblinear;
}

struct Penalties {
  double lambda1 = 0.0;
  double lambda2 = 0.0;
  double lambda3 = 0.0;
  double delta = 1.0;
  bool intercept = true;
  double cost = 1.0;  // LIBLINEAR's C, which has nothing of the others
};

struct SolveRules {
  baselines::RunLimits limits = {};
  // Stop as soon as F is no larger, for times at equal accuracy; where the method's own rule ends it before,
  // solve again with a tenth of its tolerance, as often as needed: the last solve counts. Absent: by the
  // method's own rule, which is for B-PGH and B-PGH-2 the paper's at 1e-6, for newton a gap of 1e-6 of F at
  // zero, for GCD gcdnet's at 1e-8, for ADMM the paper's at 1e-5. ADMM and LIBLINEAR have no other.
  std::optional<double> target = {};
};

struct Solved {
  LinearModel model = {};
  double seconds = 0.0;     // of the solve alone, one thread
  double passes = 0.0;      // over the data, each X read twice, by those that minimise F
  double objective = 0.0;   // F
  std::string status = {};  // "converged" also where the target was reached; "out of memory"
};

// Where a method needs more memory than there is, the status says so and the model is empty.
[[nodiscard]] Solved solve(Method method, const Dataset& data, const Penalties& penalties,
                           const SolveRules& rules);

// The same; of a short solve the best time of three, since other programs disturb those most.
[[nodiscard]] Solved solve_timed(Method method, const Dataset& data, const Penalties& penalties,
                                 const SolveRules& rules);

// The minimum of F, certified to a relative 1e-9.
[[nodiscard]] double optimum(const Dataset& data, const Penalties& penalties);
// The smallest lambda1 at which w = 0.
[[nodiscard]] double largest_lambda1(const Dataset& data, const Penalties& penalties);
[[nodiscard]] double objective(const LinearModel& model, const Dataset& data, const Penalties& penalties);
// Share of the samples whose class is predicted, in percent.
[[nodiscard]] double accuracy(const LinearModel& model, const Dataset& data);

}  // namespace hsvm::lab
