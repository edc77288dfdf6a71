// Scores of several methods on several datasets, such as accuracies: what all comparisons start from.
//
//              methods[0]   methods[1]  ...
// datasets[0]  scores[0]    scores[1]   ...
// datasets[1]  ...
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace hsvm::stats {

struct ScoreTable {
  std::vector<std::string> datasets = {};
  std::vector<std::string> methods = {};
  std::vector<double> scores = {};  // row by row
  bool smaller_is_better = false;   // errors or seconds instead of accuracies

  [[nodiscard]] std::span<const double> row(std::size_t dataset) const {
    return std::span(scores).subspan(dataset * methods.size(), methods.size());
  }
  [[nodiscard]] std::vector<double> column(std::size_t method) const;

  // Throws InputError unless there are a dataset and two methods, names that differ, and a finite score for
  // every method on every dataset: no test here has an answer to a missing one.
  void check() const;
};

}  // namespace hsvm::stats
