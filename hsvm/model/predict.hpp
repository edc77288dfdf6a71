// Scores and classes of new samples.
#pragma once

#include <span>
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

// The class that one sample's scores stand for: of a single one, which is a binary model's, classes[1] where it
// is positive; of several the first of the largest.
[[nodiscard]] Index predicted_class(std::span<const double> scores);

// The samples' classes by the numbers that the model's classes have, kUnknownClass for a label it does not know.
[[nodiscard]] std::vector<Index> class_numbers(const Labels& labels, const Classes& classes);

// Features the model does not know are ignored, features the data does not have count as zero.
[[nodiscard]] Prediction predict(const LinearModel& model, const Design& design);
// The same with the model's values in place of missing ones. Throws InputError where a feature that the model uses is missing
// and the model has no values.
[[nodiscard]] Prediction predict(const LinearModel& model, const Dataset& data);

}  // namespace hsvm
