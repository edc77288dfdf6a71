// The elastic net on the rows of W (p x J), each of which sums to zero, with a factor v_j >= 0 on each
// feature's l1 part:
//
//   g(W) = lambda1 sum_j v_j |W_j|_1 + lambda2/2 |W|_F^2     where   W e = 0
//
// and what its conjugate adds to the dual objective: for a row c of C = X'A/n,
//
//   h(c) = max over sum(w) = 0 of c'w - lambda1 v |w|_1 - lambda2/2 |w|^2
//        = min over sigma of |S_{lambda1 v}(c - sigma)|^2/(2 lambda2)
//
// zero while the half-range of c is at most lambda1 v. The second form is the one to compute: the row problem on (c, lambda1 v)
// gives sigma, a sum of squares has nothing to cancel, no noise is divided by lambda2, and with any other sigma it is above
// h(c), so that a bound made from it holds.
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/penalty/row_problem.hpp"

namespace hsvm {

struct SumToZeroElasticNet {
  double lambda1 = 0.0;
  double lambda2 = 0.0;
  std::vector<double> factors;  // v; empty means all 1

  [[nodiscard]] double threshold(Index j) const {
    return factors.empty() ? lambda1 : lambda1 * factors[static_cast<std::size_t>(j)];
  }
  // The smallest lambda1 for which all half-ranges are at most lambda1 v_j, where v_j > 0.
  [[nodiscard]] double lambda1_max(std::span<const double> half_ranges) const;
  // Of row j.
  [[nodiscard]] double value(Index j, std::span<const double> w) const;

  // w = argmin of <gradient, w> + L/2 |w - at|^2 + g(w) over rows that sum to zero [XAC15, Alg. 3]; false where
  // it is zero.
  bool proximal_step(Index j, std::span<const double> at, std::span<const double> gradient, double L,
                     RowSolver& solver, std::span<double> w) const;

  // 2 lambda2 h(k c) of row j and lambda2 times the derivative of h(k c) in k, for c up to `error` off in each
  // entry: the largest there can be. `scratch` is room for J numbers.
  struct Excess {
    double square = 0.0;
    double slope = 0.0;
  };
  [[nodiscard]] Excess excess(Index j, std::span<const double> c, double k, double error, RowSolver& solver,
                              std::span<double> scratch) const;
};

}  // namespace hsvm
