#include "app/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/csv_table.hpp"

namespace hsvm::app {
namespace {

// The features of a model and of its stability, ascending.
std::vector<Index> features_to_list(const LinearModel& model) {
  std::vector<Index> features = model.features;
  if (model.stability)
    features.insert(features.end(), model.stability->features.begin(), model.stability->features.end());
  std::ranges::sort(features);
  const auto repeated = std::ranges::unique(features);
  features.erase(repeated.begin(), repeated.end());
  return features;
}

template <class T>
double value_at(const std::vector<Index>& features, const std::vector<T>& values, std::size_t width,
                Index feature, std::size_t k) {
  const auto found = std::ranges::lower_bound(features, feature);
  if (found == features.end() || *found != feature) return 0.0;
  return values[static_cast<std::size_t>(found - features.begin()) * width + k];
}

}  // namespace

void write_coefficients(const LinearModel& model, const std::string& file) {
  const bool standardized = !model.deviations.empty();
  std::vector<std::string> header = {"feature", "class", "coefficient"};
  if (standardized) header.emplace_back("standardized_coefficient");
  if (model.stability) header.emplace_back("stability");
  CsvTable table(file, header);
  const auto n_outputs = static_cast<std::size_t>(model.n_outputs());
  for (const Index j : features_to_list(model)) {
    for (std::size_t k = 0; k < n_outputs; ++k) {
      const double coefficient = value_at(model.features, model.coefficients, n_outputs, j, k);
      table << model.feature_name(j) << model.classes.names[n_outputs == 1 ? 1 : k] << coefficient;
      if (standardized) table << coefficient * value_at(model.features, model.deviations, 1, j, 0);
      if (model.stability) table << value_at(model.stability->features, model.stability->frequencies, 1, j, 0);
      table.end_row();
    }
  }
  table.write();
}

void write_path_points(const PathModel& path, const std::string& file) {
  CsvTable table(file, {"lambda1", "lambda2", "lambda3", "nonzeros", "objective", "dual_objective",
                        "relative_gap", "iterations", "passes", "seconds", "status"});
  for (const PathPoint& point : path.points) {
    const FitReport& report = point.report.value();
    table << point.lambda1 << point.lambda2 << point.lambda3 << point.features.size() << report.objective
          << report.dual_objective << report.relative_gap << report.iterations << report.passes
          << report.seconds << to_string(report.status);
    table.end_row();
  }
  table.write();
}

void write_tuning_points(const Tuning& tuning, const std::string& file) {
  std::vector<Score> scores;  // those that every point has
  for (const Score score : tuning_scores()) {
    if (std::ranges::all_of(tuning.grid, [&](const TuningPoint& p) { return p.score(score).has_value(); }))
      scores.push_back(score);
  }
  std::vector<std::string> header = {"lambda1",       "lambda2",       "lambda3", "delta", "nonzeros",
                                     "mean_nonzeros", "not_certified", "best",    "one_se"};
  for (const Score score : scores) {
    header.emplace_back(to_string(score));
    header.push_back(std::string(to_string(score)) + "_standard_error");
  }
  CsvTable table(file, header);
  for (std::size_t k = 0; k < tuning.grid.size(); ++k) {
    const TuningPoint& point = tuning.grid[k];
    table << point.lambda1 << point.lambda2 << point.lambda3 << point.delta << point.nonzeros
          << point.mean_nonzeros << point.not_certified << (k == tuning.best ? 1 : 0)
          << (k == tuning.one_se ? 1 : 0);
    for (const Score score : scores) table << point.score(score)->mean << point.score(score)->standard_error;
    table.end_row();
  }
  table.write();
}

void write_predictions(const Answers& answers, const Dataset& data, const Classes& classes,
                       const std::string& file) {
  const auto n_outputs = static_cast<std::size_t>(answers.prediction.n_outputs);
  std::vector<std::string> header = {"id", "predicted"};
  if (data.labels) header.emplace_back("truth");
  for (std::size_t k = 0; k < n_outputs; ++k)
    header.push_back(n_outputs == 1 ? std::string("score") : fmt::format("score_{}", classes.names[k]));
  if (!answers.probabilities.empty()) {
    for (const std::string& name : classes.names) header.push_back(fmt::format("probability_{}", name));
  }
  CsvTable table(file, header);
  for (std::size_t i = 0; i < answers.prediction.classes.size(); ++i) {
    table << (data.sample_names.empty() ? std::to_string(i + 1) : data.sample_names[i])
          << classes.names[static_cast<std::size_t>(answers.prediction.classes[i])];
    if (data.labels) table << data.labels->classes.names[static_cast<std::size_t>(data.labels->of_sample[i])];
    for (std::size_t k = 0; k < n_outputs; ++k) table << answers.prediction.scores[i * n_outputs + k];
    if (!answers.probabilities.empty()) {
      for (std::size_t k = 0; k < classes.names.size(); ++k)
        table << answers.probabilities[i * classes.names.size() + k];
    }
    table.end_row();
  }
  table.write();
}

}  // namespace hsvm::app
