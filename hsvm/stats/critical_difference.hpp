// The Nemenyi test [N63; D06, sec. 3.2.2]: two of k methods on N datasets differ, at level alpha for all pairs
// together, where their average ranks do by at least
//
//   CD = q_alpha sqrt(k(k+1)/(6N))
//
// sqrt(2) q_alpha being the upper alpha quantile of the studentized range of k with infinite degrees of
// freedom.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hsvm::stats {

// q_alpha. Throws OptionError unless 0 < alpha < 1; k >= 2.
[[nodiscard]] double nemenyi_quantile(double alpha, std::size_t n_methods);
// CD.
[[nodiscard]] double critical_difference(double alpha, std::size_t n_methods, std::size_t n_datasets);

// The largest sets of two and more methods whose average ranks all lie within less than `difference` of each
// other: the bars of a critical-difference diagram. Methods in a set and the sets are ordered, the best first;
// of equal ranks the first ones.
[[nodiscard]] std::vector<std::vector<std::size_t>> indistinct_groups(std::span<const double> average_ranks,
                                                                      double difference);

}  // namespace hsvm::stats
