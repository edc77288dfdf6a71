#include "hsvm/newton/binary_secant.hpp"

#include <vector>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/core/vector_sums.hpp"
#include "hsvm/problem/features.hpp"

namespace hsvm {

bool follow_secant(const BinaryProblem& problem, const BinaryProblem::Point& before, double rho,
                   BinaryProblem::Point& u) {
  const double objective = problem.objective(u);
  const double old_b = u.b;
  const SparseCoefficients old_w = u.w;
  SparseCoefficients kept_back;  // how far coefficients stay behind the line, where their signs would change
  u.w.clear();
  for_each_held(old_w.columns, before.w.columns, [&](Index j, Index now, Index then) {
    const double at = now < 0 ? 0.0 : old_w.values[static_cast<std::size_t>(now)];
    const double was = then < 0 ? 0.0 : before.w.values[static_cast<std::size_t>(then)];
    const double on_line = at + rho * (at - was);
    const double next = on_line * at > 0.0 ? on_line : 0.0;
    if (next != 0.0) u.w.add(j, next);
    if (next != on_line) kept_back.add(j, next - on_line);
  });
  // The scores go along the line, too, but for the coefficients that do not.
  u.b += rho * (u.b - before.b);
  constexpr Index kBlock = 8192;
  AlignedBuffer<double> old_scores(u.scores.size());
  copy_to(u.scores, old_scores);
  parallel_blocks(static_cast<Index>(old_scores.size()), kBlock, [&](Index begin, Index end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      u.scores[i] += rho * (old_scores[i] - before.scores[i]);
  });
  if (!kept_back.columns.empty()) {
    std::vector<double> difference(old_scores.size());
    problem.design().multiply(kept_back.columns, kept_back.values, difference);
    add_scaled(1.0, difference, u.scores);
  }
  if (problem.parameters().lambda3 == 0.0) problem.minimise_intercept(u, problem.parameters().loss);
  if (problem.objective(u) < objective) return true;
  u.w = old_w;
  u.b = old_b;
  copy_to(old_scores, u.scores);
  return false;
}

}  // namespace hsvm
