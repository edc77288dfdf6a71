// All-together multi-class SVMs with the plain hinge, as linear programs. Over W (p x J) and b (J) with W e = 0 and
// sum(b) = 0:
//
//   P(b, W) = (1/n) sum_i sum_{k != y_i} max(0, 1 + b_k + x_i'w_k) + lambda sum_j N(W_j)
//
//   l1    N(w) = |w|_1           [WS07]
//   sup   N(w) = max_k |w_k|     [ZLWZ08]
//
// The largest score wins. For J = 3 (and 2) a row that sums to zero has |w|_1 = 2 max|w|, so that sup at 2 lambda is
// l1 at lambda.
//
// Two ways to solve them, both by Clp (baselines/linear_program.hpp) and both to the same optimum:
//
// - in full, as the papers state it: W = U - V with U, V >= 0, a slack for each (i, k != y_i), a row for each
//   feature's sum and, for sup, a bound on each feature's |w_jk|;
// - by generating columns, the default: N is the gauge of finitely many atoms e with sum(e) = 0 (l1: e_k - e_l,
//   N = 2; sup: half of the classes +1, half -1, one 0 where J is odd, N = 1), W_j = sum of t e with t >= 0, and the
//   program begins with none of them. The duals A (n x J, in [0, 1]) of the margins tell the most wanted atom of
//   every feature, from its row of C = -X'A: (largest, smallest) entry, or the larger against the smaller half. The
//   most wanted are added until none is wanted any more. The rows stay n (J - 1) + 1, and most features are never in
//   the program.
//
// Certificate of any W, b and A: with k = min(1, n lambda/max_j N*(C_j)), k A is feasible in the dual, so the minimum
// is at least k sum(A)/n; N* is the largest c'e/N(e) over the atoms.
//
// In the build where coinor-libclp-dev is: HSVM_HAS_CLP.
#pragma once

#include "baselines/run_limits.hpp"
#include "hsvm/data/design.hpp"
#include "hsvm/data/labels.hpp"
#include "hsvm/model/linear_model.hpp"

namespace hsvm::baselines {

enum class RowNorm { l1, sup };

struct LpMulticlassOptions {
  RowNorm norm = RowNorm::l1;
  double lambda = 0.01;          // > 0
  bool generate_columns = true;  // false: in full
  RunLimits limits = {};
};

struct LpMulticlassResult {
  LinearModel model;  // of kind multiclass, two classes included; its lambdas and delta mean nothing
  Status status = Status::not_finite;
  int iterations = 0;  // of the simplex method, all rounds together
  int rounds = 0;      // of adding columns
  double seconds = 0.0;
  double objective = 0.0;  // P at the answer, by its formula
  double gap = 0.0;        // to the certificate, measured after the clock has stopped
};

// Throws InputError where the labels do not fit, OptionError where an option is out of its range. One thread.
[[nodiscard]] LpMulticlassResult lp_multiclass(const Design& design, const Labels& labels,
                                               const LpMulticlassOptions& options = {});

}  // namespace hsvm::baselines
