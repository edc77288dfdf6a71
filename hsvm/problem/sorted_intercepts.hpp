// best_intercepts once more, by sorting: O(n J log n), and right to rounding whatever the scores. Newton's
// steps are faster where they get there; with a narrow elbow (delta far below the spread of the scores) q has
// too many pieces for them.
//
// q separates over classes but for sum(b) = 0, so all dq/db_k equal a common mu. dq/db_k is piecewise linear
// and non-decreasing: with its breaks sorted it is inverted by a search, and the sum of the inverses grows with
// mu.
#pragma once

#include <span>
#include <vector>

#include "hsvm/core/class_matrix.hpp"
#include "hsvm/core/types.hpp"
#include "hsvm/loss/margin_loss.hpp"

namespace hsvm {

[[nodiscard]] std::vector<double> sorted_intercepts(const MarginLoss& loss, std::span<const Index> y,
                                                    std::span<const double> s, const ClassMatrix& z,
                                                    double lambda3);

}  // namespace hsvm
