// The elastic net on the coefficients w (p), with a factor v_j >= 0 on each feature's l1 part:
//
//   g(w) = lambda1 sum_j v_j |w_j| + lambda2/2 sum_j w_j^2
//
// and the term its conjugate adds to the dual objective, for c = X'(y o a)/n [docs/design.md, certificates].
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/types.hpp"

namespace hsvm {

// S_nu(t) = sign(t) max(|t| - nu, 0) [XAC15, eq. 9]
[[nodiscard]] inline double shrink(double t, double nu) {
  const double below = t < -nu ? -nu : t;
  return t - (below > nu ? nu : below);  // what is beyond [-nu, nu], without branches
}

// The features j whose pull |values_j| is above lambda1 v_j, or reaches it with factor norms_j added,
// ascending; v empty means all 1.
[[nodiscard]] std::vector<Index> features_above(std::span<const double> values, double lambda1,
                                                std::span<const double> v);
[[nodiscard]] std::vector<Index> features_reaching(std::span<const double> values,
                                                   std::span<const double> norms, double factor, double lambda1,
                                                   std::span<const double> v);

// How far c_j may be off: by factor sizes_j. Without sizes it is taken as it is.
struct Rounding {
  double factor = 0.0;
  std::span<const double> sizes = {};  // p, or none

  [[nodiscard]] double of(std::size_t j) const { return sizes.empty() ? 0.0 : factor * sizes[j]; }
};

// The features j whose pull |values_j| is above lambda1 v_j, or may be but for rounding, ascending.
[[nodiscard]] std::vector<Index> features_above(std::span<const double> values, const Rounding& rounding,
                                                double lambda1, std::span<const double> v);

struct ElasticNet {
  double lambda1 = 0.0;
  double lambda2 = 0.0;
  std::vector<double> factors;  // v; empty means all 1

  [[nodiscard]] double threshold(std::size_t j) const {
    return factors.empty() ? lambda1 : lambda1 * factors[j];
  }

  [[nodiscard]] double value(std::span<const double> w) const;
  // The same of coefficients that are zero but for these features.
  [[nodiscard]] double value(std::span<const Index> features, std::span<const double> w) const;

  // Coefficient j of argmin over w of <gradient, w> + L/2 |w - at|^2 + g(w), by those of `at` and the gradient  [XAC15, eq. 9]
  [[nodiscard]] double proximal_step(Index j, double at, double gradient, double L) const {
    return shrink(L * at - gradient, threshold(static_cast<std::size_t>(j))) / (L + lambda2);
  }

  // The smallest lambda1 for which |c_j| <= lambda1 v_j for all j with v_j > 0.
  [[nodiscard]] double lambda1_max(std::span<const double> c) const;

  // The largest of linear k - quadratic k^2/2 - g*(k c) over 0 <= k <= 1, where g*(c) = sum_j S_{lambda1
  // v_j}(c_j)^2 / (2 lambda2), or for lambda2 = 0 the indicator of |c_j| <= lambda1 v_j. Scaling a dual point
  // by k keeps it feasible; it costs next to nothing and saves the bound where lambda2 is small or zero. Holds
  // for every c within `rounding` of this one. At least 0, which k = 0 gives, whatever the numbers are. Needs
  // linear, quadratic >= 0.
  [[nodiscard]] double best_scaled_dual(double linear, double quadratic, std::span<const double> c) const {
    return best_scaled_dual(linear, quadratic, c, {}, features_above(c, lambda1, factors));
  }
  // The same where only these features may be beyond their thresholds.
  [[nodiscard]] double best_scaled_dual(double linear, double quadratic, std::span<const double> c,
                                        const Rounding& rounding, std::span<const Index> features) const;
};

}  // namespace hsvm
