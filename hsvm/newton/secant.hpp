// The start of the next solve along a path: between two kinks the solution is linear in lambda1, so the line through the
// last two points is followed, row by row where no entry of W changes its sign or comes and goes.
#pragma once

#include "hsvm/problem/multiclass_problem.hpp"

namespace hsvm {

// u, a solution, goes on by rho times what it has moved by since `before` (whose scores are not needed); only where that
// lowers the objective of the problem as it is now. The scores are formed afresh from the coefficients.
void follow_secant(const MulticlassProblem& problem, const MulticlassProblem::Point& before, double rho,
                   MulticlassProblem::Point& u);

}  // namespace hsvm
