#include "hsvm/stats/friedman.hpp"

#include <limits>

#include "hsvm/stats/distributions.hpp"
#include "hsvm/stats/ranks.hpp"

namespace hsvm::stats {

FriedmanTest friedman(std::span<const double> average_ranks, std::size_t n_datasets) {
  check_average_ranks(average_ranks, n_datasets);
  const auto k = static_cast<double>(average_ranks.size());
  const auto n = static_cast<double>(n_datasets);
  // The bracket of the formula, as a sum of squares around the mean rank: never negative, zero where all ranks
  // are equal, and exactly its largest value, k(k^2 - 1)/12, where the ranks are 1, ..., k.
  double spread = 0.0;
  for (const double rank : average_ranks) spread += (rank - 0.5 * (k + 1.0)) * (rank - 0.5 * (k + 1.0));
  const double largest = k * (k * k - 1.0) / 12.0;

  FriedmanTest test;
  test.agreement = spread / largest;
  test.chi_squared = 12.0 * n / (k * (k + 1.0)) * spread;
  test.freedom = k - 1.0;
  test.p = chi_squared_tail(test.chi_squared, test.freedom);
  if (n_datasets > 1) {
    ImanDavenportTest& other = test.iman_davenport.emplace();
    other.f =
        spread < largest ? (n - 1.0) * spread / (largest - spread) : std::numeric_limits<double>::infinity();
    other.freedom = k - 1.0;
    other.freedom_below = (k - 1.0) * (n - 1.0);
    other.p = fisher_tail(other.f, other.freedom, other.freedom_below);
  }
  return test;
}

}  // namespace hsvm::stats
