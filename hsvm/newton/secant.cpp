#include "hsvm/newton/secant.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "hsvm/loss/class_sums.hpp"

namespace hsvm {
namespace {

// Whether all entries of a row keep their signs, zeros included, along the line.
bool keeps_signs(std::span<const double> before, std::span<const double> now, double rho) {
  for (std::size_t k = 0; k < now.size(); ++k) {
    const double next = now[k] + rho * (now[k] - before[k]);
    if (now[k] == 0.0 ? before[k] != 0.0 : !(before[k] * now[k] > 0.0 && next * now[k] > 0.0)) return false;
  }
  return true;
}

}  // namespace

void follow_secant(const MulticlassProblem& problem, const MulticlassProblem::Point& before, double rho,
                   MulticlassProblem::Point& u) {
  MulticlassProblem::Point next{u.b, u.rows, u.w, {}};
  bool any = false;
  for (std::size_t c = 0; c < u.rows.size(); ++c) {
    const auto found = std::lower_bound(before.rows.begin(), before.rows.end(), u.rows[c]);
    if (found == before.rows.end() || *found != u.rows[c]) continue;
    const std::span<const double> old = before.w.row(static_cast<Index>(found - before.rows.begin()));
    const std::span<double> row = next.w.row(static_cast<Index>(c));
    if (!keeps_signs(old, row, rho)) continue;
    for (std::size_t k = 0; k < row.size(); ++k) row[k] += rho * (row[k] - old[k]);
    const auto largest = std::ranges::max_element(row, {}, [](double value) { return std::abs(value); });
    *largest -= std::accumulate(row.begin(), row.end(), 0.0);
    any = true;
  }
  if (!any) return;
  problem.design().multiply(next.rows, next.w, next.scores);
  for (std::size_t k = 0; k < u.b.size(); ++k) next.b[k] += rho * (u.b[k] - before.b[k]);
  add_to_rows(1.0, next.b, next.scores);
  if (problem.parameters().lambda3 == 0.0) problem.minimise_intercept(next, problem.parameters().loss);
  if (problem.objective(next) < problem.objective(u)) u = std::move(next);
}

}  // namespace hsvm
