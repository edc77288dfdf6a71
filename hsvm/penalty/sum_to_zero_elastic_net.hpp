// The elastic net on the rows of W (p x J), each of which sums to zero, with a factor v_j >= 0 on each
// feature's l1 part:
//
//   g(W) = lambda1 sum_j v_j |W_j|_1 + lambda2/2 |W|_F^2     where   W e = 0
//
// and what its conjugate adds to the dual objective: for a row c of C = X'A/n,
//
//   h(c) = max over sum(w) = 0 of c'w - lambda1 v |w|_1 - lambda2/2 |w|^2,
//
// attained at the row problem's solution for (c/lambda2, lambda1 v/lambda2) and zero while the half-range of c
// is at most lambda1 v.
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

  // h(k c) of row j and its derivative in k; lambda2 > 0. `w` is room for J numbers.
  struct Conjugate {
    double value = 0.0;
    double slope = 0.0;
  };
  [[nodiscard]] Conjugate conjugate(Index j, std::span<const double> c, double k, RowSolver& solver,
                                    std::span<double> w) const;
};

}  // namespace hsvm
