// How often predictions are right: the one place where experiments, benchmarks and baselines count that.
#pragma once

#include <span>

#include "hsvm/data/dataset.hpp"
#include "hsvm/model/linear_model.hpp"

namespace hsvm::datasets {

// Per cent of the samples whose class is the predicted one.
[[nodiscard]] double accuracy_of(std::span<const Index> predicted, std::span<const Index> truth);
[[nodiscard]] double accuracy_of(const LinearModel& model, const Dataset& data);

}  // namespace hsvm::datasets
