// Ranks features by the ratio of their between-class to their within-class sum of squares [DFS02; XAC15,
// sec. 3.2.3]:
//
//   R_j = sum_i s_i (m_{y_i,j} - m_j)^2 / sum_i s_i (x_ij - m_{y_i,j})^2
//
// m_j is the (weighted) mean of feature j, m_{k,j} that of class k. (The paper prints the sums without the
// squares, which would make both zero.) Samples of weight 0 have no part in it. Scaling and shifting a feature
// does not change its rank.
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/data/design.hpp"

namespace hsvm {

// One number for each feature: 0 for a constant one, infinite for one that is constant within each class but
// not as a whole. classes and weights: one for each row of X. One reading of X, in parallel, without anything
// of its size; sparse columns stay sparse. Over ranks X is read twice.
[[nodiscard]] std::vector<double> between_within_ratios(const Design& design, std::span<const Index> classes,
                                                        Index n_classes, std::span<const double> weights,
                                                        const Collective& ranks = single_process());

// The `count` features with the largest ratios, ascending by number; of equal ratios the first ones. All where
// there are no more.
[[nodiscard]] std::vector<Index> top_features(std::span<const double> ratios, Index count);

}  // namespace hsvm
