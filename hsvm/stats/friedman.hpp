// The Friedman test of k methods on N datasets [F37; D06, sec. 3.2.2; XAC15, eq. 22]: do their average ranks
// AR_j differ more than chance makes them?
//
//   chi^2_F = 12 N/(k(k+1)) [sum_j AR_j^2 - k(k+1)^2/4]      chi^2 with k - 1 degrees of freedom
//   F_F     = (N - 1) chi^2_F/(N(k - 1) - chi^2_F)           F with k - 1 and (k - 1)(N - 1)   [ID80]
//
// differs from [XAC15, eq. 22]: AR_j is squared, without which the bracket depends on k alone. There is no
// correction for ties. F_F, of Iman and Davenport, is the less conservative of the two.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace hsvm::stats {

struct ImanDavenportTest {
  double f = 0.0;  // infinite where all datasets rank the methods alike, without ties
  double freedom = 0.0;
  double freedom_below = 0.0;
  double p = 1.0;
};

struct FriedmanTest {
  double agreement = 0.0;  // Kendall's W = chi^2_F/(N(k - 1)): 0 no agreement of datasets, 1 the same ranks
  double chi_squared = 0.0;
  double freedom = 0.0;
  double p = 1.0;
  std::optional<ImanDavenportTest> iman_davenport;  // absent where N = 1: it compares datasets
};

// From average ranks as average_ranks() gives them. Throws InputError for others.
[[nodiscard]] FriedmanTest friedman(std::span<const double> average_ranks, std::size_t n_datasets);

}  // namespace hsvm::stats
