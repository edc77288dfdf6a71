// Ranks, with ties averaged: values that are equal share the mean of the ranks they occupy, so that the ranks
// of n values always sum to n(n+1)/2.
//
//   2 7 7 9  ->  1 2.5 2.5 4
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hsvm/stats/score_table.hpp"

namespace hsvm::stats {

// The places of the values from the smallest to the largest; of equal ones the first comes first.
[[nodiscard]] std::vector<std::size_t> ascending_order(std::span<const double> values);

// Rank 1 for the smallest. Values that follow each other within `tolerance` count as equal. Throws InputError
// for one that is not finite.
[[nodiscard]] std::vector<double> ranks(std::span<const double> values, double tolerance = 0.0);

// AR_j, the mean over datasets of the rank of method j, 1 being the best. Only the order within a dataset
// counts.
[[nodiscard]] std::vector<double> average_ranks(const ScoreTable& table);

// sqrt(k(k+1)/(6N)), the standard deviation of the difference of two average ranks when k methods on N datasets
// do not differ [D06, sec. 3.2.2].
[[nodiscard]] double rank_deviation(std::size_t n_methods, std::size_t n_datasets);

// Throws InputError unless these can be average ranks over n_datasets >= 1: two at least, summing to k(k+1)/2.
void check_average_ranks(std::span<const double> averages, std::size_t n_datasets);

}  // namespace hsvm::stats
