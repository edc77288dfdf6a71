// How often predictions are right, in per cent: hsvm/model/score.hpp as experiments and benchmarks print it. Not a
// number where there are no samples.
#pragma once

#include <span>

#include "hsvm/data/dataset.hpp"
#include "hsvm/model/linear_model.hpp"
#include "hsvm/model/score.hpp"

namespace hsvm::datasets {

// `which`: accuracy or balanced_accuracy.
[[nodiscard]] double accuracy_of(std::span<const Index> predicted, const Labels& truth,
                                 Score which = Score::accuracy);
[[nodiscard]] double accuracy_of(const LinearModel& model, const Dataset& data);

}  // namespace hsvm::datasets
