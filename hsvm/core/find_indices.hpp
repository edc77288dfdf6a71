// Finds the few entries of a long vector that matter, several at a time: for |x_j| against a limit.
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/types.hpp"

namespace hsvm {

// The j with |x_j| > limit, ascending.
[[nodiscard]] std::vector<Index> indices_above(std::span<const double> x, double limit);

// The j with |x_j| + factor y_j >= limit, ascending; factor and y are not negative.
[[nodiscard]] std::vector<Index> indices_reaching(std::span<const double> x, std::span<const double> y,
                                                  double factor, double limit);

// How far an entry that is known but for factor y_j may reach, and what matters if it does.
struct MayReach {
  std::span<const double> y;
  double factor = 0.0;
  double limit = 0.0;
};

// The j with |x_j| >= least v_j, or |x_j| + factor y_j >= limit v_j, ascending; v empty means all 1.
[[nodiscard]] std::vector<Index> indices_near(std::span<const double> x, double least, const MayReach& reach,
                                              std::span<const double> v);

// The same of x = sum_s alpha_s parts_s, which is formed on the way. Writes x_j into `out` where it is found; elsewhere it may be
// written or not.
[[nodiscard]] std::vector<Index> combination_above(std::span<const std::span<const double>> parts,
                                                   std::span<const double> alpha, double least,
                                                   const MayReach& reach, std::span<const double> v,
                                                   std::span<double> out);

}  // namespace hsvm
