// Solves a problem with the solver that the options name; one problem, or one after the other along a path.
// Inside of the library: users call fit and fit_path.
#pragma once

#include "hsvm/fit_input.hpp"
#include "hsvm/fit_options.hpp"
#include "hsvm/problem/binary_problem.hpp"
#include "hsvm/problem/multiclass_problem.hpp"
#include "hsvm/solve/proximal_gradient.hpp"

namespace hsvm::detail {

template <class Problem>
class ChosenSolver {
 public:
  using Point = typename Problem::Point;

  // Both must outlive the solver.
  ChosenSolver(const FitInput& input, const FitOptions& options) : input_(input), options_(options) {}

  // Where the options have a time limit, this one, in seconds, stands in for it. Throws InputError where no
  // step was possible because the data has something in it that is no finite number, or nearly so.
  [[nodiscard]] Solution<Point> operator()(const Problem& problem, Point start, double time_limit,
                                           const SolveMonitor& monitor);

 private:
  const FitInput& input_;
  const FitOptions& options_;
};

#define HSVM_EXTERN_CHOSEN_SOLVER(X)                    \
  extern template class ChosenSolver<BinaryProblem<X>>; \
  extern template class ChosenSolver<MulticlassProblem<X>>
HSVM_EXTERN_CHOSEN_SOLVER(DenseMatrix<double>);
HSVM_EXTERN_CHOSEN_SOLVER(DenseMatrix<float>);
HSVM_EXTERN_CHOSEN_SOLVER(CscMatrix<double>);
HSVM_EXTERN_CHOSEN_SOLVER(CscMatrix<float>);
#undef HSVM_EXTERN_CHOSEN_SOLVER

}  // namespace hsvm::detail
