// How far a product x'E may reach, for residuals E = r - sum_s factor_s r_s that are never formed. A column with k entries meets
// no more than the k largest of E:
//
//   |x'E|  <=  |x| |E|_k,     |E|_k^2 = the sum of the k largest squares  <=  k t^2 + sum_i max(0, E_i^2 - t^2)   for every t >= 0
//
// With t = 0 that is Cauchy and Schwarz; for the columns of rare words another t tells far more. A few t are tried.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "hsvm/core/collective.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/data/design.hpp"

namespace hsvm {

class ResidualTail {
 public:
  static constexpr std::array kTimes = {0.0, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0};  // t, in units

  double unit = 0.0;                              // about the root of the mean square of E
  double sum = 0.0;                               // of E
  std::array<double, kTimes.size()> beyond = {};  // the sums of max(0, E_i^2 - t^2)

  [[nodiscard]] double norm() const;
  // At least |E|_k.
  [[nodiscard]] double norm_of_largest(double k) const;
};

// The r_s that E is made of, each as long as r. Sums are over all ranks, and their order depends on sizes alone.
using ResidualParts = std::span<const std::span<const double>>;

// The products of r with each part, and with itself at last.
[[nodiscard]] std::vector<double> residual_products(std::span<const double> r, ResidualParts parts,
                                                    const Collective& ranks);

// What such a product of n numbers may be off by, in units of the norms' product.
[[nodiscard]] double residual_product_rounding(double n);

[[nodiscard]] ResidualTail residual_tail(std::span<const double> r, ResidualParts parts,
                                         std::span<const double> factors, double unit, const Collective& ranks);

// How far products with columns may reach. A standardised sparse column is x_j = e_j - a_j 1, e_j having the k_j stored
// entries, so that
//
//   |x_j'E|  <=  |e_j| |E|_k + |a_j| |sum E|,     |e_j| <= |x_j| + sqrt(k_j) |a_j|
struct ColumnReach {
  std::vector<double> norms;    // p: |x_j|
  std::vector<double> shifts;   // p: |a_j|; empty where columns are dense
  std::vector<double> entries;  // p: k_j, over all ranks

  void measure(const Design& design);
  [[nodiscard]] double most(Index j, const ResidualTail& tail) const;
};

}  // namespace hsvm
