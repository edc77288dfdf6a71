// The signed-ranks test of two methods on N datasets [W45; D06, sec. 3.1.3; XAC15, eq. 21].
//
// The differences d_i are ranked by size, ties averaged; a difference of zero gives half its rank to each side:
//
//   R+ = sum_{d_i > 0} rank(|d_i|) + 1/2 sum_{d_i = 0} rank(|d_i|)        R- likewise with d_i < 0
//   T  = min(R+, R-)
//   z  = (T - N(N+1)/4) / sqrt(N(N+1)(2N+1)/24)
//
// so that z <= 0 whichever method is better; R+ and R- tell which. N counts all datasets, zeros too; there is
// no correction for ties or for continuity.
//
// The scores are taken for decimals: a difference is known up to the rounding of its two scores, and sizes that
// this rounding alone can tell apart are ties (0.9 - 0.8 and 0.8 - 0.7 are).
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace hsvm::stats {

// The exact p-value is computed up to so many nonzero differences. Beyond, the normal one is close, and counts
// of sign patterns would no longer be exact.
inline constexpr std::size_t kExactDifferences = 50;

struct WilcoxonTest {
  double r_plus = 0.0;   // R+: where the first method scores more
  double r_minus = 0.0;  // R-
  double z = 0.0;
  double p = 1.0;  // two-sided, from z
  // P(min(R+, R-) <= T) when every nonzero difference is as likely to have the other sign, given their ranks
  // and the zeros.
  std::optional<double> exact_p;
};

// Throws InputError unless both have the same number of scores, one at least, all of them finite.
[[nodiscard]] WilcoxonTest wilcoxon(std::span<const double> first, std::span<const double> second);

}  // namespace hsvm::stats
