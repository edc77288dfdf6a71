// Tails of the distributions that the tests of this folder need.
#pragma once

namespace hsvm::stats {

[[nodiscard]] double normal_cdf(double z);
// P(|Z| >= |z|) for a standard normal Z.
[[nodiscard]] double two_sided_normal(double z);
// P(X >= x) for a chi^2 variable with `freedom` > 0 degrees of freedom; x >= 0.
[[nodiscard]] double chi_squared_tail(double x, double freedom);
// P(X >= x) for an F variable with (`freedom`, `freedom_below`) > 0 degrees of freedom; x >= 0, may be
// infinite.
[[nodiscard]] double fisher_tail(double x, double freedom, double freedom_below);

// The range (largest less smallest) of k >= 2 independent standard normals: the studentized range with infinite
// degrees of freedom. With x the largest of them,
//
//   P(range > q) = k * integral of phi(x) [Phi(x)^(k-1) - (Phi(x) - Phi(x - q))^(k-1)] dx
//
// Relative accuracy about 1e-12, in the far tail too.
[[nodiscard]] double normal_range_tail(double q, int k);
// The q with P(range > q) = alpha, 0 < alpha < 1.
[[nodiscard]] double normal_range_quantile(double alpha, int k);

}  // namespace hsvm::stats
