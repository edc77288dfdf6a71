#include "hsvm/newton/binary_secant.hpp"

#include <utility>
#include <vector>

namespace hsvm {

void follow_secant(const BinaryProblem& problem, const BinaryProblem::Point& before, double rho,
                   BinaryProblem::Point& u) {
  BinaryProblem::Point next = u;
  SparseCoefficients kept_back;  // how far coefficients stay behind the line, where their signs would change
  for (std::size_t j = 0; j < u.w.size(); ++j) {
    if (u.w[j] == 0.0 && before.w[j] == 0.0) continue;
    const double on_line = u.w[j] + rho * (u.w[j] - before.w[j]);
    next.w[j] = on_line * u.w[j] > 0.0 ? on_line : 0.0;
    if (next.w[j] == on_line) continue;
    kept_back.columns.push_back(static_cast<Index>(j));
    kept_back.values.push_back(next.w[j] - on_line);
  }
  // The scores go along the line, too, but for the coefficients that do not.
  next.b += rho * (u.b - before.b);
  for (std::size_t i = 0; i < u.scores.size(); ++i) next.scores[i] += rho * (u.scores[i] - before.scores[i]);
  if (!kept_back.columns.empty()) {
    std::vector<double> difference(u.scores.size());
    problem.design().multiply(kept_back.columns, kept_back.values, difference);
    for (std::size_t i = 0; i < difference.size(); ++i) next.scores[i] += difference[i];
  }
  if (problem.parameters().lambda3 == 0.0) problem.minimise_intercept(next, problem.parameters().loss);
  if (problem.objective(next) < problem.objective(u)) u = std::move(next);
}

}  // namespace hsvm
