// The next point of a path of the binary problem, from the line through its last two solutions [docs/newton.md, paths]:
//
//   w = w_last + rho (w_last - w_before),   rho = (lambda1_last - lambda1)/(lambda1_before - lambda1_last)
//
// Between kinks a path is linear in lambda1, so that this is nearly the solution. Coefficients that would change their signs are
// set to zero; those that are zero stay so.
#pragma once

#include "hsvm/problem/binary_problem.hpp"

namespace hsvm {

// Moves u, the last solution, where that lowers the objective, and says whether it did. Both points have their scores.
bool follow_secant(const BinaryProblem& problem, const BinaryProblem::Point& before, double rho,
                   BinaryProblem::Point& u);

}  // namespace hsvm
