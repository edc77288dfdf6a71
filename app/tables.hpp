// Results as tables that open anywhere. What their columns mean: docs/formats.md.
#pragma once

#include <string>
#include <vector>

#include "hsvm/api.hpp"

namespace hsvm::app {

// feature, class, coefficient, standardized_coefficient (where features were standardised), stability (where it was measured):
// a row for each class of each feature that is in the model, or was selected on some half.
void write_coefficients(const LinearModel& model, const std::string& file);

// A row for each point.
void write_path_points(const PathModel& path, const std::string& file);
void write_tuning_points(const Tuning& tuning, const std::string& file);

// What is said of every sample: its class, and what else is known.
struct Answers {
  Prediction prediction;
  std::vector<double> probabilities;  // n_samples rows, one for each class; empty where there are none
};

// id, predicted, truth (where the data has labels), score or score_CLASS, probability_CLASS (where the model has them).
void write_predictions(const Answers& answers, const Dataset& data, const Classes& classes,
                       const std::string& file);

}  // namespace hsvm::app
