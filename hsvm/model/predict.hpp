// Scores and classes of new samples.
#pragma once

#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/data/dataset.hpp"
#include "hsvm/model/linear_model.hpp"

namespace hsvm {

struct Prediction {
  Index n_outputs = 1;
  std::vector<double> scores;  // n_samples rows of n_outputs numbers
  std::vector<Index> classes;  // n_samples
};

// Features the model does not know are ignored, features the data does not have count as zero.
[[nodiscard]] Prediction predict(const LinearModel& model, const AnyDesign& design);

}  // namespace hsvm
