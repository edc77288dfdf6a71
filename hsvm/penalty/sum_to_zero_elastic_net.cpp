#include "hsvm/penalty/sum_to_zero_elastic_net.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hsvm/penalty/elastic_net.hpp"

namespace hsvm {

double SumToZeroElasticNet::lambda1_max(std::span<const double> half_ranges) const {
  return ElasticNet{0.0, 0.0, factors}.lambda1_max(half_ranges);
}

double SumToZeroElasticNet::value(Index j, std::span<const double> w) const {
  double absolute = 0.0;
  double square = 0.0;
  for (const double entry : w) {
    absolute += std::abs(entry);
    square += entry * entry;
  }
  return threshold(j) * absolute + 0.5 * lambda2 * square;
}

bool SumToZeroElasticNet::proximal_step(Index j, std::span<const double> at, std::span<const double> gradient,
                                        double L, RowSolver& solver, std::span<double> w) const {
  assert(at.size() == w.size() && gradient.size() == w.size());
  const double scale = 1.0 / (L + lambda2);
  for (std::size_t k = 0; k < w.size(); ++k) w[k] = scale * (L * at[k] - gradient[k]);
  return solver.solve(w, scale * threshold(j), w);
}

SumToZeroElasticNet::Excess SumToZeroElasticNet::excess(Index j, std::span<const double> c, double k,
                                                        double error, RowSolver& solver,
                                                        std::span<double> scratch) const {
  const double within = threshold(j) - k * error;
  for (std::size_t m = 0; m < c.size(); ++m) scratch[m] = k * c[m];
  if (half_range(scratch) <= within) return {};
  const double sigma = solver.multiplier(scratch, std::max(0.0, within));
  Excess result;
  for (std::size_t m = 0; m < c.size(); ++m) {
    const double distance = scratch[m] - sigma;
    const double beyond = std::max(0.0, std::abs(distance) - within);
    result.square += beyond * beyond;
    result.slope += beyond * (std::copysign(1.0, distance) * c[m] + error);
  }
  return result;
}

}  // namespace hsvm
