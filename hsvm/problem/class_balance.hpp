// What a free intercept asks of the dual variables of relative margins, and what it costs to grant it. With the flows
//
//   F_yk = (1/n) sum over the samples i of class y of s_i a_ik     (J x J, zero on the diagonal)
//
// a dual point is feasible only where as much flows into every class as out of it: sum_y F_yk = sum_l F_kl. At the best
// intercepts that holds but for rounding. It holds exactly once the dual variables of class y are scaled by theta_y <= 1, with
//
//   theta_k sum_l F_kl = sum_y theta_y F_yk:
//
// theta is the stationary measure of a Markov chain with the rates F. It is found by elimination without subtractions [GTH85], so that
// it is off by no more than 2 J times what the flows are, relatively [OC93].
#pragma once

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/problem/rounding.hpp"

namespace hsvm {

// n: samples, which the flows were summed over.
[[nodiscard]] Imbalance imbalance_of_flows(const ClassMatrix& flows, double n);

}  // namespace hsvm
