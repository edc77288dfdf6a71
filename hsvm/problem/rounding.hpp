// What rounding may do to products with X, so that a bound can be made to hold in spite of it.
//
// A product x_j'r is off by at most factor |x_j| |r|, and a score b + x_i'w, in the root mean square over the
// samples, by factor (|b| + sum_j |x_j| |w_j|/sqrt(n)). The factor grows with the square root of the terms:
// rounding errors have either sign, and sums run in several lanes [HM19]. A column that is seen standardised
// is multiplied as it is stored, so its size is that of both parts, scale (|stored| + |center|).
//
// Sizes are measured when they are first needed: only features near their threshold matter to a bound, and
// reading the others would cost half a pass. Columns with sizes far above their products (timestamps, say) are
// multiplied once more with care: entry by entry as they are seen, in sums that keep what rounding drops [ORO05].
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/data/design.hpp"

namespace hsvm {

[[nodiscard]] inline double rounding_factor(double n_terms) {
  return std::numeric_limits<double>::epsilon() * (4.0 + 0.5 * std::sqrt(n_terms));
}

// What the center of a column that is seen standardised adds to its size.
[[nodiscard]] inline double center_size(const Affine& seen, double n) {
  return 2.0 * std::sqrt(n) * std::abs(seen.scale * seen.center);
}

class ColumnSizes {
 public:
  // Measures those of the features that were not measured yet.
  void measure(const Design& design, std::span<const Index> features);
  // p sizes, 0 where none was measured; nothing before the first.
  [[nodiscard]] std::span<const double> values() const { return sizes_; }
  [[nodiscard]] double operator[](Index j) const { return sizes_[static_cast<std::size_t>(j)]; }

 private:
  std::vector<double> sizes_;
};

// What a dual point is worth, for one k: k linear - k^2 quadratic/2, less the conjugate of the penalty at k c.
struct DualValue {
  double linear = 0.0;
  double quadratic = 0.0;
  double residual_norm = 0.0;  // |r|, or more
  double factor = 0.0;         // of products
  double share = 0.0;          // of the residuals that was cut, see below

  // What a column's size is multiplied with to tell how far c_j may be off.
  [[nodiscard]] double rounding() const { return (factor + share) * residual_norm; }
};

// From the means over the samples of a and a^2, with weights that are at most s_max.
[[nodiscard]] DualValue dual_value(double mean_dual, double mean_square, double delta, double n, double s_max);

// The intercept's part. A dual point needs m = 0 where the intercept is free. It becomes so when the dual
// variables of the classes that weigh too much are scaled down: `cut` of the mean dual is lost, and c_j moves by
// no more than `share` of the residuals does. A penalised intercept allows m, at the price of m^2/(2 lambda3);
// but where lambda3 is so small that this is rounding divided by lambda3, cutting is better. No more is cut than
// kLargestShare: beyond, the intercept is not at its best, and there is no bound.
inline constexpr double kLargestShare = 1e-8;
struct Imbalance {
  double square = 0.0;  // m^2
  double cut = 0.0;
  double share = 0.0;
};
void pay_for_intercept(const Imbalance& imbalance, double lambda3, DualValue& value);

// A sum of products that keeps what rounding drops.
class CarefulSum {
 public:
  void add(double a, double b) {
    const double product = a * b;
    const double sum = high_ + product;
    const double part = sum - high_;
    low_ += std::fma(a, b, -product) + ((high_ - (sum - part)) + (product - part));
    high_ = sum;
  }
  [[nodiscard]] double value() const { return high_ + low_; }
  [[nodiscard]] double high() const { return high_; }
  [[nodiscard]] double low() const { return low_; }

 private:
  double high_ = 0.0;
  double low_ = 0.0;
};

// x_j'R for these columns, with such sums, and |x_j|; over the samples of all ranks. R has n_outputs columns, its rows `stride` apart.
struct CarefulProducts {
  std::vector<double> values;  // n_outputs for each column
  std::vector<double> norms;
};
[[nodiscard]] CarefulProducts multiply_carefully(const Design& design, std::span<const Index> columns,
                                                 std::span<const double> r, Index stride, Index n_outputs);
[[nodiscard]] double norm_of(const ColumnView& column);

// Whether a product is known so badly that it has to be computed with care.
[[nodiscard]] inline bool is_rough(double product, double threshold, double error) {
  return error > 1e-10 * (product + threshold);
}
// Whether a bound `plain` is worth being computed with care, where `enough` is asked of it (infinity: as much as can be had).
// Care wins at most what the rounding of products takes off, up to the bound `exact` without it. That has to be seen beside
// F(0), and where a bound is asked for that is out of reach for other reasons, beside what is lacking.
[[nodiscard]] inline bool is_worth_care(double plain, double exact, double enough, double objective_at_zero) {
  constexpr double kOfObjective = 1e-11;
  constexpr double kOfLack = 0.001;
  const double lack = enough - plain;
  const double gain = exact - plain;
  return lack > 0.0 && gain > kOfObjective * objective_at_zero && (std::isinf(lack) || gain > kOfLack * lack);
}

// The size of a column, as ColumnSizes has it, that accounts for what a careful product of it is off by: the entries of
// a column that is seen scaled are rounded themselves.
[[nodiscard]] double careful_size(const Affine& seen, double norm, double product, const DualValue& value);

// An objective, and how far it may be off.
struct CarefulObjective {
  double value = 0.0;
  double rounding = 0.0;
};

}  // namespace hsvm
