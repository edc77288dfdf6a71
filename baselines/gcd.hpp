// Generalised coordinate descent [YZ13], the algorithm of the R package gcdnet, for the binary huberized SVM in full
// (hsvm/problem/binary_problem.hpp: sample weights, penalty factors, an intercept that is penalised, free or absent):
//
//   F(b, w) = (1/n) sum_i s_i phi(y_i (b + x_i'w)) + lambda1 sum_j v_j |w_j| + lambda2/2 |w|^2 + lambda3/2 b^2
//
// One coordinate at a time, the others fixed, the loss is replaced by a parabola above it of curvature
// D_j = M sum_i s_i x_ij^2/n, where phi(t + d) <= phi(t) + phi'(t) d + M/2 d^2, and that is minimised:
//
//   w_j <- S_{lambda1 v_j}(D_j w_j + c_j)/(D_j + lambda2),   c_j = -df/dw_j
//   b   <- (M b - df/db)/(M + lambda3)
//
// phi' is Lipschitz with constant 1/delta, so M = 1/delta is the smallest that holds for all t. [YZ13] states
// M = 2/delta for the same phi; gcdnet has 1/delta for the features and 2/delta for the intercept. The default
// here is 1/delta for both: longer steps, and the method at its best.
//
// Cycles as in gcdnet: one over all features; then over those that have ever been nonzero until they stand still;
// then over all again, until such a full cycle changes nothing. Beyond gcdnet: the sequential strong rule [TBF12]
// leaves out features that will hardly enter, with a check of the optimality conditions of all features at the end,
// and the scores' derivatives are kept up to date, so that a coordinate that does not move costs one inner product.
//
// Stops as gcdnet does, when no coordinate's D_j (change of w_j)^2 reaches the tolerance in a full cycle. This
// bounds a step, not the error; the duality gap of the answer is in the result.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "baselines/run_limits.hpp"
#include "hsvm/problem/binary_problem.hpp"

namespace hsvm::baselines {

enum class Majorisation { tight, published };  // M = 1/delta, M = 2/delta

struct GcdOptions {
  double tolerance = 1e-8;  // gcdnet's default; > 0
  int max_cycles = 1'000'000;
  std::optional<double> target_objective = {};  // also stop once F is no larger, for timings to equal quality
  Majorisation majorisation = Majorisation::tight;
  bool strong_rule = true;
  RunLimits limits = {};
};

struct GcdResult {
  double b = 0.0;
  std::vector<double> w;  // p
  Status status = Status::iteration_limit;
  bool reached_target = false;
  int cycles = 0;     // over all features or over the active ones
  Count columns = 0;  // read for an inner product or to move the scores: 2p of them are a pass over the data
  double seconds = 0.0;
  double objective = 0.0;
  double gap = 0.0;  // F - D, measured after the clock has stopped
};

// From b = 0, w = 0. Throws OptionError where an option is out of its range. One thread.
[[nodiscard]] GcdResult gcd(const BinaryProblem& problem, const GcdOptions& options = {});

// At each lambda1 in turn (descending), each from the answer before it; `limits` are for all of them together
// and cut the list short. Cycles and seconds are each point's own.
[[nodiscard]] std::vector<GcdResult> gcd_path(const BinaryProblem& problem, std::span<const double> lambda1s,
                                              const GcdOptions& options = {});

}  // namespace hsvm::baselines
