// Solves a problem with the solver that the options name; one problem, or one after the other along a path.
// Inside of the library: users call fit and fit_path.
#pragma once

#include <optional>

#include "hsvm/fit/input.hpp"
#include "hsvm/fit/options.hpp"
#include "hsvm/newton/newton.hpp"
#include "hsvm/problem/binary_problem.hpp"
#include "hsvm/problem/multiclass_problem.hpp"
#include "hsvm/solve/proximal_gradient.hpp"

namespace hsvm::detail {

template <class Problem>
class ChosenSolver {
 public:
  using Point = typename Problem::Point;

  // Both must outlive the solver. many: it will be called for one problem with several lambdas, one after the
  // other.
  ChosenSolver(const FitInput& input, const FitOptions& options, bool many = false)
      : input_(input), options_(options), many_(many) {}

  // Where the options have a time limit, this one, in seconds, stands in for it. Throws InputError where no
  // step was possible because the data has something in it that is no finite number, or nearly so.
  [[nodiscard]] Solution<Point> operator()(const Problem& problem, Point start, double time_limit,
                                           const SolveMonitor& monitor);

 private:
  const FitInput& input_;
  const FitOptions& options_;
  bool many_;
  std::optional<NewtonSolver<Problem>> newton_;  // made for the first problem, kept for the others
};

#define HSVM_EXTERN_CHOSEN_SOLVER(X)                    \
  extern template class ChosenSolver<BinaryProblem<X>>; \
  extern template class ChosenSolver<MulticlassProblem<X>>
HSVM_FOR_EVERY_DESIGN(HSVM_EXTERN_CHOSEN_SOLVER);
#undef HSVM_EXTERN_CHOSEN_SOLVER

}  // namespace hsvm::detail
