// What a solve may claim of its point: the one place where bounds are taken, doubted and dropped.
//
//   raise_bound          takes a better bound; what is no finite number is none
//   doubt_bound          a bound above the objective by more than the rounding of the objective was false: it is forgotten
//   is_certified         the gap, with that rounding, is at most the tolerance
//   conclude             ends a report: a bound in doubt is computed anew from the coefficients alone, and where that does not
//                        certify the point, the solve has not converged
//
// 0 is a bound of every problem, since losses and penalties are not negative; it stands where no better one is known.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "hsvm/solve/composite_problem.hpp"
#include "hsvm/solve/reason_to_stop.hpp"
#include "hsvm/solve/solve_report.hpp"

namespace hsvm {

inline void raise_bound(SolveReport& report, double bound) {
  if (std::isfinite(bound)) report.dual_objective = std::max(report.dual_objective, bound);
}

// The report's objective is that of u. Returns whether the bound was false.
template <CompositeProblem P>
bool doubt_bound(const P& problem, const typename P::Point& u, SolveReport& report) {
  if (report.dual_objective <= report.objective) return false;
  // The rounding is an estimate, and the bound's own sums have as much.
  constexpr double kDoubtful = 4.0;
  if (report.dual_objective <= report.objective + kDoubtful * problem.objective_rounding(u, report.objective))
    return false;
  report.dual_objective = 0.0;
  return true;
}

// Where products round too much to tell, the report gets the objective as it is computed with care.
template <CompositeProblem P>
[[nodiscard]] bool is_certified(const P& problem, const typename P::Point& u, SolveReport& report,
                                double tolerance) {
  const double allowed = tolerance * report.objective_at_zero;
  if (!(report.gap() <= allowed)) return false;
  if (std::max(0.0, report.gap()) + problem.objective_rounding(u, report.objective) <= allowed) return true;
  const auto careful = problem.careful_objective(u);
  if (!(std::max(0.0, careful.value - report.dual_objective) + careful.rounding <= allowed)) return false;
  report.objective = careful.value;
  return true;
}

// `stop` is why the solve ends at u. `tolerance`: of the gap, where that is what a converged solve has to meet.
template <CompositeProblem P>
void conclude(const P& problem, typename P::Point& u, const StopReason& stop, std::optional<double> tolerance,
              SolveReport& report) {
  report.status = stop.status;
  report.reason = stop.sentence;
  if (doubt_bound(problem, u, report)) {
    problem.refresh_scores(u);
    report.objective = problem.objective(u);
    typename P::Gradient gradient;
    problem.gradient(u, gradient);
    report.passes += 0.5;
    raise_bound(report, problem.dual_objective(u, gradient));
    doubt_bound(problem, u, report);
  }
  if (report.status == Status::converged && tolerance && !is_certified(problem, u, report, *tolerance)) {
    const StopReason doubtful = reason_doubtful(report);
    report.status = doubtful.status;
    report.reason = doubtful.sentence;
  }
  report.dual_objective = std::min(report.dual_objective, report.objective);  // above by rounding alone
}

}  // namespace hsvm
