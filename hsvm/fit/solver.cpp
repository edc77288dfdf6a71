#include "hsvm/fit/solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hsvm/solve/two_stage.hpp"

namespace hsvm::detail {
namespace {

// The first value that is no finite number, in words; empty where there is none.
template <Design X>
std::string describe_not_finite(const X& design) {
  for (Index j = 0; j < design.cols(); ++j) {
    const auto column = design.column(j);
    const auto values = [&] {
      if constexpr (requires { column.values; })
        return column.values;
      else
        return column;
    }();
    const auto bad =
        std::find_if(values.begin(), values.end(), [](auto value) { return !std::isfinite(value); });
    if (bad == values.end()) continue;
    auto i = static_cast<Index>(bad - values.begin());
    if constexpr (requires { column.rows; }) i = column.rows[static_cast<std::size_t>(i)];
    return fmt::format("sample {}, feature {} is {}: must be a finite number", i + 1, j + 1, *bad);
  }
  return "";
}

}  // namespace

template <class Problem>
Solution<typename Problem::Point> ChosenSolver<Problem>::operator()(const Problem& problem, Point start,
                                                                    double time_limit,
                                                                    const SolveMonitor& monitor) {
  const auto solution_of = [&]() -> Solution<Point> {
    if (options_.chosen_solver() == Solver::newton) {
      if (!newton_) newton_.emplace(problem, many_);
      return newton_->solve(std::move(start), {options_.max_iterations, options_.tolerance, time_limit},
                            monitor);
    }
    ProximalGradientOptions solver;
    solver.max_iterations = options_.max_iterations;
    solver.tolerance = options_.tolerance;
    solver.stopping = options_.stopping;
    solver.time_limit = time_limit;
    return options_.chosen_solver() == Solver::pg
               ? proximal_gradient(problem, std::move(start), solver, monitor)
               : two_stage(problem, std::move(start), solver, monitor);
  };
  Solution<Point> solution = solution_of();
  if (solution.report.status == Status::not_finite && solution.report.iterations == 0) {
    const std::string value = describe_not_finite(stored_matrix(problem.design()));
    if (!value.empty()) throw InputError(input_.data.source + ": " + value);
    throw InputError(input_.data.source +
                     ": the values are so large that their squares overflow: scale the features");
  }
  return solution;
}

#define HSVM_INSTANTIATE(X)                      \
  template class ChosenSolver<BinaryProblem<X>>; \
  template class ChosenSolver<MulticlassProblem<X>>
HSVM_FOR_EVERY_DESIGN(HSVM_INSTANTIATE);
#undef HSVM_INSTANTIATE

}  // namespace hsvm::detail
