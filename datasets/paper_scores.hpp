// The accuracies that [XAC15] prints and compares, and its methods' names.
#pragma once

#include "hsvm/stats/score_table.hpp"

namespace hsvm::datasets {

[[nodiscard]] stats::ScoreTable binary_scores();      // Table 5: five methods on ten datasets
[[nodiscard]] stats::ScoreTable multiclass_scores();  // Tables 12 and 14: three methods on ten datasets

}  // namespace hsvm::datasets
