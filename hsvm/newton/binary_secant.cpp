#include "hsvm/newton/binary_secant.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/core/vector_sums.hpp"

namespace hsvm {

bool follow_secant(const BinaryProblem& problem, const BinaryProblem::Point& before, double rho,
                   BinaryProblem::Point& u) {
  std::vector<Index> moving;
  std::ranges::set_union(problem.support(u), problem.support(before), std::back_inserter(moving));
  const double objective = problem.objective(u);
  const double old_b = u.b;
  std::vector<double> old_w;
  SparseCoefficients kept_back;  // how far coefficients stay behind the line, where their signs would change
  for (const Index index : moving) {
    const auto j = static_cast<std::size_t>(index);
    const double on_line = u.w[j] + rho * (u.w[j] - before.w[j]);
    const double next = on_line * u.w[j] > 0.0 ? on_line : 0.0;
    old_w.push_back(std::exchange(u.w[j], next));
    if (next == on_line) continue;
    kept_back.columns.push_back(index);
    kept_back.values.push_back(next - on_line);
  }
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
  for (std::size_t k = 0; k < moving.size(); ++k) u.w[static_cast<std::size_t>(moving[k])] = old_w[k];
  u.b = old_b;
  copy_to(old_scores, u.scores);
  return false;
}

}  // namespace hsvm
